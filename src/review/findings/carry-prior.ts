/**
 * Decides which findings of earlier reviews are part of this one without being reported again: a model's findings in code that didn't
 * change, and everything that no one could check again. They are judged like findings that were just reported. The others are over, and
 * this file says on what proof.
 */
import type { MappedPlace, Place } from "../change/map-places.ts";
import type { ChangedFile } from "../change/change.ts";
import { walkHunk } from "../change/walk-hunks.ts";
import { isLive, type LifeState } from "../context/life-states.ts";
import type { ReportedBefore } from "../context/context.ts";
import type { PriorFinding, PriorSource } from "../context/prior-review.ts";
import { DESCRIPTION_PATH } from "./description-path.ts";
import type { Finding, FindingSource } from "./finding.ts";
import type { LocatedPrior } from "./match-prior.ts";

/** A model's answer about a finding whose code may have changed. */
export type CheckedAgain = { readonly verdict: "fixed" | "still-there" };

/** Answers whether this review has looked at the code of earlier findings. */
export type CheckProof = {
  /** Whether the reviewer of this report looked at the file again, with all that it needs, so that its silence is proof. */
  readonly couldFindAgain: (report: Pick<PriorFinding, "source" | "rule">, path: string) => boolean;
  /** Whether a limit or a failure hides this path, so that it may be part of the change. */
  readonly isUnseen: (path: string) => boolean;
  /** Answers of models by the finding's number. */
  readonly answers: ReadonlyMap<number, CheckedAgain>;
  /** The reason of a comment that ignores this rule on this line of the new side; null without one. */
  readonly ignoreReasonAt: (file: ChangedFile, line: number, rule: string) => string | null;
};

/**
 * How a finding got into this review without being found: unchanged: a model reported it, and its code is as it was. confirmed: a model
 * says that it is still there. unconfirmed: its code changed, and no model has said that it is fixed. unchecked: its reviewer didn't look.
 */
export type CarriedAs = "unchanged" | "confirmed" | "unconfirmed" | "unchecked";

export type CarriedFinding = {
  readonly finding: Finding;
  /** The identity of the place that it is about. */
  readonly identity: string;
  readonly as: CarriedAs;
  /** Its lines may not be those that it was about, so they say nothing about its severity. */
  readonly isPlaceUncertain: boolean;
};

/** Why a finding that isn't part of this review is over. */
export type ProvenEnd = {
  readonly state: Extract<LifeState, "verified" | "expired">;
  /** Completes "resolved: …". */
  readonly because: string;
};

/** For each live finding of an earlier review: what is carried of it, or why it is over unless it is found again. */
export type Carriage = ReadonlyMap<PriorFinding, readonly CarriedFinding[] | ProvenEnd>;

/** A model's findings in the files of the change, where they are now. Those of other files are over. */
export function findReportedByModel(
  located: readonly LocatedPrior[],
  files: readonly ChangedFile[],
): readonly ReportedBefore[] {
  return located.flatMap(({ prior, places }) => {
    const now = places[0]?.now ?? null;
    const file = files.find((each) => isPathOf(each, pathNow(prior, now)));
    const source = sourcesOf(prior).find((each) => each.source === "model");
    if (file === undefined || source === undefined || !isLive(prior.state)) return [];
    const { number, severity, title } = prior;
    const line = placeOfMapped(now)?.startLine ?? null;
    return [{ number, path: file.path, line, severity, title, body: source.body }];
  });
}

export function carryPrior(
  located: readonly LocatedPrior[],
  files: readonly ChangedFile[],
  proof: CheckProof,
): Carriage {
  return new Map(
    located
      .filter(({ prior }) => isLive(prior.state) && prior.isOnlyComment !== true)
      .map((each) => [each.prior, carryOne(each, files, proof)]),
  );
}

function carryOne(
  located: LocatedPrior,
  files: readonly ChangedFile[],
  proof: CheckProof,
): readonly CarriedFinding[] | ProvenEnd {
  const { prior } = located;
  const byRule = sourcesOf(prior).filter(({ source }) => source !== "model");
  const byModel = sourcesOf(prior).filter(({ source }) => source === "model");
  const ofRules = byRule.length === 0 ? null : carryRule(located, byRule, files, proof);
  const ofModels = byModel.length === 0 ? null : carryModel(located, byModel, files, proof);
  const carried = [ofRules, ofModels].filter((each) => isCarried(each)).flat();
  if (carried.length > 0) return carried;
  const ending = [ofRules, ofModels].find((each) => each !== null && !isCarried(each));
  return ending !== undefined && ending !== null && !isCarried(ending) ? ending : GONE;
}

function isCarried(each: readonly CarriedFinding[] | ProvenEnd | null): each is readonly CarriedFinding[] {
  return Array.isArray(each);
}

const GONE: ProvenEnd = { state: "expired", because: "its code is no longer part of the change" };

function carryRule(
  { prior, places }: LocatedPrior,
  sources: readonly PriorSource[],
  files: readonly ChangedFile[],
  proof: CheckProof,
): readonly CarriedFinding[] | ProvenEnd {
  const path = pathNow(prior, places[0]?.now ?? null);
  if (hasLeft(path, files, proof)) return GONE;
  const unchecked = sources.filter((source) => !proof.couldFindAgain(source, path));
  if (unchecked.length === 0)
    return { state: "verified", because: "its rule ran again and no longer finds it" };
  return places.flatMap(({ identity, now }) =>
    unchecked.map((source) => carriedAt({ prior, source, identity, now }, "unchecked", files, proof)),
  );
}

function carryModel(
  { prior, places }: LocatedPrior,
  sources: readonly PriorSource[],
  files: readonly ChangedFile[],
  proof: CheckProof,
): readonly CarriedFinding[] | ProvenEnd {
  const [own = { identity: prior.identity, now: null }] = places;
  const { identity, now } = own;
  const answer = proof.answers.get(prior.number);
  if (answer?.verdict === "fixed")
    return { state: "verified", because: "a model checked the new code and confirmed the fix" };
  // A finding without a place is about the whole file.
  const isUnchanged = now?.kind === "same" || (now === null && prior.startLine === null);
  const path = pathNow(prior, now);
  const isOutside = wasOutside(prior, sources);
  if (!isOutside && hasLeft(path, files, proof)) return GONE;
  const unproven = isOutside ? "unchecked" : "unconfirmed";
  const as = answer !== undefined ? "confirmed" : isUnchanged ? "unchanged" : unproven;
  return sources.map((source) => carriedAt({ prior, source, identity, now }, as, files, proof));
}

/** Whether it is about code that was never part of the change, so that no diff says what became of it. */
function wasOutside({ path }: PriorFinding, sources: readonly PriorSource[]): boolean {
  return sources.some(
    ({ seenAt }) =>
      seenAt !== undefined && (seenAt.length === 0 || seenAt.some((each) => each.path === path)),
  );
}

function hasLeft(path: string, files: readonly ChangedFile[], { isUnseen }: CheckProof): boolean {
  return path !== DESCRIPTION_PATH && !isUnseen(path) && !files.some((file) => isPathOf(file, path));
}

type PlacedSource = {
  readonly prior: PriorFinding;
  readonly source: PriorSource;
  readonly identity: string;
  readonly now: MappedPlace | null;
};

function carriedAt(
  { prior, source, identity, now }: PlacedSource,
  as: CarriedAs,
  files: readonly ChangedFile[],
  proof: CheckProof,
): CarriedFinding {
  const path = pathNow(prior, now);
  const file = files.find((each) => isPathOf(each, path));
  const place = placeOfMapped(now);
  const lines = place === null || file === undefined ? [] : linesAt(file, place);
  const quote = lines.join("\n");
  const isPlaced = place !== null && quote.trim() !== "";
  const isNew = place?.side === "new" && file !== undefined && source.rule !== null;
  const finding: Finding = {
    ...source,
    path,
    quote: isPlaced ? quote : "",
    lineHint: isPlaced ? place.startLine : null,
    sideHint: place?.side ?? "new",
    // The code around it may have changed.
    suggestion: as === "unchanged" ? source.suggestion : null,
    ignoredBecause: isNew ? proof.ignoreReasonAt(file, place.startLine, source.rule ?? "") : null,
  };
  const isSame = now?.kind === "same" || (now === null && prior.startLine === null);
  return { finding, identity, as, isPlaceUncertain: !isSame && !wasOutside(prior, [source]) };
}

/** A finding that was restored without its reports is its own report. */
function sourcesOf(prior: PriorFinding): readonly PriorSource[] {
  if (prior.sources !== undefined && prior.sources.length > 0) return prior.sources;
  const { title, severity, category, rule } = prior;
  const source = prior.source as FindingSource;
  const unknown = { body: "", suggestion: null, confidence: 1, evidence: [], pass: source };
  return [{ title, severity, category, rule, source, ...unknown }];
}

function pathNow({ path }: PriorFinding, now: MappedPlace | null): string {
  return now === null || now.kind === "gone" ? path : now.path;
}

function isPathOf({ path, oldPath }: ChangedFile, wanted: string): boolean {
  return path === wanted || oldPath === wanted;
}

export function placeOfMapped(now: MappedPlace | null): Place | null {
  if (now === null || now.kind === "gone" || now.kind === "unknown") return null;
  const { kind: _, ...place } = now;
  return place;
}

function linesAt({ hunks }: ChangedFile, { side, startLine, endLine }: Place): readonly string[] {
  return hunks.flatMap((hunk) =>
    walkHunk(hunk).flatMap(({ text, oldLine, newLine }) => {
      const line = side === "new" ? newLine : oldLine;
      return line !== null && line >= startLine && line <= endLine ? [text] : [];
    }),
  );
}
