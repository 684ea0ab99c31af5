/**
 * Decides what became of the findings of earlier reviews. A finding that is part of this review is open, or hidden for a reason that this
 * review has seen. One that isn't is over only on the proof that carry-prior.ts gives.
 */
import { isLive, type LifeState } from "../context/life-states.ts";
import type { PriorFinding } from "../context/prior-review.ts";
import type { Place } from "../change/map-places.ts";
import { type Carriage, type CarriedAs, placeOfMapped } from "./carry-prior.ts";
import type { DroppedFinding, JudgedFinding } from "./finding.ts";
import type { LocatedPrior } from "./match-prior.ts";

/** A finding of an earlier review as this review judges it. */
export type KnownFinding = {
  readonly prior: PriorFinding;
  /** Null when all of it is hidden. */
  readonly judged: JudgedFinding | null;
  /** Places that judging dropped, with the reasons. */
  readonly hidden: readonly DroppedFinding[];
  /** Null when this review found it again. */
  readonly carriedAs: CarriedAs | null;
  /** By identity. */
  readonly places: ReadonlyMap<string, Place | null>;
  /** The words of this review. */
  readonly words: readonly string[];
};

/** A finding that is still there, or that no one has checked. contested, waived: a person has settled it. */
export type UnresolvedFinding = {
  readonly prior: PriorFinding;
  readonly judged: JudgedFinding;
  /** Where it is now; null without a place in the change. */
  readonly place: Place | null;
  readonly state: Extract<LifeState, "open" | "addressed" | "contested" | "waived">;
  /** Null when this review found it again. */
  readonly carriedAs: CarriedAs | null;
};

/** A finding that is still there, and that a comment, the configuration or feedback hides. */
export type HiddenFinding = {
  readonly prior: PriorFinding;
  readonly state: Extract<LifeState, "ignored" | "suppressed">;
  /** Completes "hidden: …". */
  readonly because: string;
};

export type ResolvedFinding = {
  readonly prior: PriorFinding;
  readonly state: Extract<LifeState, "verified" | "expired">;
  /** Completes "resolved: …". */
  readonly because: string;
};

export type Settled = {
  readonly stillOpen: readonly UnresolvedFinding[];
  readonly hidden: readonly HiddenFinding[];
  readonly resolved: readonly ResolvedFinding[];
  /** Where every place of the earlier findings is or was, by its identity, so that the next review recognizes them. */
  readonly places: ReadonlyMap<string, Place>;
  /** Words of findings that were found again, by identity. */
  readonly words: ReadonlyMap<string, readonly string[]>;
};

export function settlePrior(
  located: readonly LocatedPrior[],
  known: readonly KnownFinding[],
  carriage: Carriage,
): Settled {
  const byPrior = new Map(known.map((each) => [each.prior, each]));
  const stillOpen: UnresolvedFinding[] = [];
  const hidden: HiddenFinding[] = [];
  const resolved: ResolvedFinding[] = [];
  const places = new Map<string, Place>();
  for (const { prior, places: all } of located) {
    const own = byPrior.get(prior);
    for (const { identity, now } of all) {
      const here = own?.places.get(identity) ?? placeOfMapped(now);
      if (here !== null) places.set(identity, here);
    }
    if (!isLive(prior.state)) continue;
    if (own === undefined) {
      const ending = carriage.get(prior);
      if (ending !== undefined && "because" in ending) resolved.push({ prior, ...ending });
      continue;
    }
    const place = all.map(({ identity }) => places.get(identity)).find((here) => here !== undefined) ?? null;
    if (own.judged !== null) {
      const { judged, carriedAs } = own;
      stillOpen.push({ prior, judged, place, state: stateOf(own, all), carriedAs });
    } else {
      const ending = endingOf(own);
      if (ending.state === "expired") resolved.push({ prior, ...ending, state: ending.state });
      else hidden.push({ prior, ...ending, state: ending.state });
    }
  }
  return {
    stillOpen,
    hidden,
    resolved,
    places,
    words: new Map(known.map(({ prior, words }) => [prior.identity, words])),
  };
}

/** A person's word holds until the finding is over; a resolved thread, as long as the code is as it was. */
function stateOf(
  { prior, carriedAs }: KnownFinding,
  places: LocatedPrior["places"],
): UnresolvedFinding["state"] {
  if (prior.verdict !== undefined && (prior.state === "contested" || prior.state === "waived"))
    return prior.state;
  const isUnchanged = places.every(({ now }) => now === null || now.kind === "same");
  if (prior.thread?.isResolvedByPerson === true && isUnchanged) return "waived";
  if (carriedAs === "unconfirmed") return "addressed";
  return carriedAs === "unchanged" && prior.state === "addressed" ? "addressed" : "open";
}

/** Code that was there before the change, or that the change no longer has, is nothing that its author has to answer. */
function endingOf({ hidden }: KnownFinding): {
  readonly state: "ignored" | "suppressed" | "expired";
  readonly because: string;
} {
  const because = hidden.map(({ detail }) => detail).find((detail) => detail !== "") ?? "";
  const isGone = hidden.every(
    ({ reason }) => reason === "dropped:was-there-before" || reason === "dropped:not-in-change",
  );
  if (isGone) return { state: "expired", because };
  const isIgnored = hidden.some(({ reason }) => reason === "suppressed:in-code");
  return { state: isIgnored ? "ignored" : "suppressed", because };
}
