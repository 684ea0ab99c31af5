/**
 * Decides what became of the findings of earlier reviews. A finding is resolved only on proof: its code changed, and the reviewer that found
 * it has read the new code and doesn't find it any more. A built-in rule that read the whole file again is proof by itself.
 */
import { isLive, type LifeState } from "../context/life-states.ts";
import type { PriorFinding } from "../context/prior-review.ts";
import type { MappedPlace, Place } from "../change/map-places.ts";
import type { LocatedPrior } from "./match-prior.ts";

/** A finding of an earlier review that this review found again. */
export type FoundAgain = {
  readonly identity: string;
  readonly place: Place | null;
  /** The words of this review. */
  readonly words: readonly string[];
  /** Why it's accepted now: a comment in the code, or the configuration. Null otherwise. */
  readonly waivedBecause: string | null;
};

/** Answers what this review has read, as far as earlier findings depend on it. */
export type ReadProof = {
  /** Whether the reviewer of this finding has read the hunks at a place, a whole file for a path, or all files for null. */
  readonly isRead: (finding: PriorFinding, where: Place | string | null) => boolean;
  /** Whether a rule ran again on everything that it looks at, so that its silence means something. */
  readonly hasRunAgain: (finding: PriorFinding, path: string) => boolean;
};

/** A finding that is still there, or that no one has checked. contested, waived: a person has settled it. */
export type OpenFinding = {
  readonly prior: PriorFinding;
  /** Where it is now; null without a place in the change. */
  readonly place: Place | null;
  readonly state: Exclude<LifeState, "verified" | "expired">;
};

export type ResolvedFinding = {
  readonly prior: PriorFinding;
  readonly state: Extract<LifeState, "verified" | "waived" | "expired">;
  /** Completes "resolved: …". */
  readonly because: string;
};

export type Settled = {
  readonly stillOpen: readonly OpenFinding[];
  readonly resolved: readonly ResolvedFinding[];
  /** Where every place of the earlier findings is or was, by its identity, so that the next review recognizes them. */
  readonly places: ReadonlyMap<string, Place>;
  /** Words of findings that were found again, by identity. */
  readonly words: ReadonlyMap<string, readonly string[]>;
};

export function settlePrior(
  located: readonly LocatedPrior[],
  again: readonly FoundAgain[],
  proof: ReadProof,
): Settled {
  const byIdentity = new Map(again.map((each) => [each.identity, each]));
  const stillOpen: OpenFinding[] = [];
  const resolved: ResolvedFinding[] = [];
  const places = new Map<string, Place>();
  const words = new Map<string, readonly string[]>();
  for (const each of located) {
    const { prior } = each;
    for (const { identity, now } of each.places) {
      const here = byIdentity.get(identity)?.place ?? placeNow(now);
      if (here !== null) places.set(identity, here);
    }
    const place =
      each.places.map(({ identity }) => places.get(identity)).find((here) => here !== undefined) ?? null;
    if (!isLive(prior.state) || (prior.state === "waived" && prior.verdict === undefined)) continue;
    const found = each.places.flatMap(({ identity }) => byIdentity.get(identity) ?? []);
    words.set(
      prior.identity,
      found.flatMap((one) => one.words),
    );
    const waived = found.find(({ waivedBecause }) => waivedBecause !== null)?.waivedBecause ?? null;
    if (waived !== null && found.every(({ waivedBecause }) => waivedBecause !== null))
      resolved.push({ prior, state: "waived", because: waived });
    else if (found.length > 0) {
      stillOpen.push({ prior, place: found[0]?.place ?? place, state: stateIfUnchanged(prior) });
    } else if (prior.thread?.isResolvedByPerson === true && prior.verdict === undefined)
      resolved.push({ prior, state: "waived", because: "a person resolved its thread" });
    else settleUnfound(each, place, proof, { stillOpen, resolved });
  }
  return { stillOpen, resolved, places, words };
}

function settleUnfound(
  { prior, places }: LocatedPrior,
  place: Place | null,
  proof: ReadProof,
  { stillOpen, resolved }: { readonly stillOpen: OpenFinding[]; readonly resolved: ResolvedFinding[] },
): void {
  const path = place?.path ?? prior.path;
  const kinds = new Set(
    places.map(({ now }) => (now === null || now.kind === "unknown" ? "same" : now.kind)),
  );
  // The code of an addressed finding changed in an earlier push.
  if (kinds.has("same") && prior.state !== "addressed") {
    if (proof.hasRunAgain(prior, path))
      resolved.push({ prior, state: "verified", because: "its rule no longer applies" });
    else stillOpen.push({ prior, place, state: stateIfUnchanged(prior) });
  } else if (kinds.has("same") || kinds.has("changed")) {
    if (whereToRead(prior, places).every((where) => proof.isRead(prior, where)))
      resolved.push({ prior, state: "verified", because: "its code was changed" });
    else stillOpen.push({ prior, place, state: "addressed" });
  } else if (proof.isRead(prior, null))
    resolved.push({ prior, state: "expired", because: "its code is no longer part of the change" });
  else stillOpen.push({ prior, place: null, state: "addressed" });
}

/** A person's word holds until the finding is gone. */
function stateIfUnchanged({ state }: PriorFinding): OpenFinding["state"] {
  return state === "contested" || state === "waived" ? state : "open";
}

/** Places that are known, and whole files for the others. */
function whereToRead({ path }: PriorFinding, places: LocatedPrior["places"]): readonly (Place | string)[] {
  return places.flatMap(({ now }): readonly (Place | string)[] => {
    if (now === null) return [path];
    if (now.kind === "unknown") return [now.path];
    const place = placeNow(now);
    return place === null ? [] : [place];
  });
}

function placeNow(now: MappedPlace | null): Place | null {
  if (now === null || now.kind === "gone" || now.kind === "unknown") return null;
  const { kind: _, ...place } = now;
  return place;
}
