/**
 * Judges findings: places them, merges duplicates, applies the rules in order, and ranks the findings that are kept. Every
 * finding comes out exactly once: reported, dropped with a reason, or as one of an earlier review. Findings of earlier reviews are judged
 * by the same rules.
 */
import { mostSevere, severityRank } from "../../base/severity.ts";
import { isLive } from "../context/life-states.ts";
import type { PriorFinding } from "../context/prior-review.ts";
import type { Change, ChangedFile } from "../change/change.ts";
import type { Place } from "../change/map-places.ts";
import { anchorFinding } from "./anchor-finding.ts";
import type { CarriedAs, CarriedFinding } from "./carry-prior.ts";
import { chooseSpread } from "./choose-spread.ts";
import type { Anchor, DroppedFinding, Finding, FindingSource, JudgedFinding, OtherPlace } from "./finding.ts";
import { beyondGravest, MAX_MODEL_FINDINGS } from "./gravest-of-model.ts";
import { type Identified, identifyFindings, isSame, type Placed } from "./identify-findings.ts";
import { matchPrior, wordsOfFinding } from "./match-prior.ts";
import { groupByRule, withOtherLines } from "./one-per-rule.ts";
import { priorityOf } from "./priority.ts";
import { abbreviatedFiles } from "./rules/abbreviated-files.ts";
import { isAlwaysListed, isAlwaysReported } from "./rules/always-reported.ts";
import { belowMode } from "./rules/below-mode.ts";
import { configSuppressions } from "./rules/config-suppressions.ts";
import { feedbackSuppressions } from "./rules/feedback-suppressions.ts";
import { grounded } from "./rules/grounded.ts";
import { ignoredCategory } from "./rules/ignored-category.ts";
import { inChange } from "./rules/in-change.ts";
import { inCodeSuppression } from "./rules/in-code-suppression.ts";
import { lessSevereByPlace } from "./rules/less-severe-by-place.ts";
import { minimumConfidence } from "./rules/minimum-confidence.ts";
import { loweredByFeedback } from "./rules/lowered-by-feedback.ts";
import type { FindingInJudgement, JudgingRule, JudgingContext } from "./rules/rule.ts";
import { severityFloors } from "./rules/severity-floors.ts";
import { tooling } from "./rules/tooling.ts";
import { turnedOff } from "./rules/turned-off.ts";
import { unchangedCode } from "./rules/unchanged-code.ts";
import { wasThereBefore } from "./rules/was-there-before.ts";
import type { KnownFinding } from "./settle-prior.ts";
import { type ParseComparison, verifySuggestion } from "./verify-suggestion.ts";

/** The order matters: severities are settled before anything is filtered by them. */
const RULES: readonly JudgingRule[] = [
  inChange,
  grounded,
  wasThereBefore,
  lessSevereByPlace,
  loweredByFeedback,
  severityFloors,
  tooling,
  turnedOff,
  inCodeSuppression,
  configSuppressions,
  feedbackSuppressions,
  unchangedCode,
  abbreviatedFiles,
  ignoredCategory,
  belowMode,
  minimumConfidence,
];

/** The data for checking suggestions. */
export type SuggestionContext = {
  /** How the file with this path parses with this text, in which a suggestion is applied. */
  readonly compare: (path: string, after: string) => ParseComparison;
  /** Whole files at the head, by path, for files whose findings carry a suggestion. */
  readonly texts: ReadonlyMap<string, string>;
  /** Paths of files that are missing there because they are too large. */
  readonly overLimit: ReadonlySet<string>;
};

export type Judgement = {
  /** Findings that no earlier review reported, or that are back after they were resolved. */
  readonly judged: readonly JudgedFinding[];
  readonly dropped: readonly DroppedFinding[];
  /** Findings of earlier reviews that are part of this one: found again, or carried. */
  readonly known: readonly KnownFinding[];
};

export function judgeFindings(
  findings: readonly Finding[],
  change: Change,
  situation: JudgingContext,
  suggestions: SuggestionContext,
): Judgement {
  const dropped: DroppedFinding[] = [];
  const candidates = toCandidates(findings, change, situation);
  const merged = mergeSame(withoutWithdrawn(candidates, dropped), dropped);
  const { fresh, known } = withCarried(merged, change, situation);
  const passed: Kept[] = [];
  for (const candidate of withFreeIds(fresh, situation)) {
    const result = applyRules(candidate, situation);
    if ("reason" in result) dropped.push(result);
    else passed.push(result);
  }
  const beyond = beyondGravest(passed.map(({ candidate }) => candidate));
  for (const each of beyond)
    dropped.push(
      asDropped(
        each,
        "dropped:too-many",
        `the model has ${MAX_MODEL_FINDINGS} findings of at least this severity`,
      ),
    );
  const kept = onePerRule(
    passed.filter(({ candidate }) => !beyond.has(candidate)),
    dropped,
  );
  return {
    judged: rank(kept, situation, suggestions),
    known: known.map((each) => judgeKnown(each, situation, { suggestions, dropped })),
    dropped,
  };
}

type Known = { readonly prior: PriorFinding; readonly candidates: readonly KnownCandidate[] };
type KnownCandidate = { readonly identity: string; readonly candidate: FindingInJudgement };

/** Gives each finding to the earlier one that it repeats, together with what is carried of that one. The others are fresh. */
function withCarried(
  merged: readonly FindingInJudgement[],
  change: Change,
  situation: JudgingContext,
): { readonly fresh: readonly FindingInJudgement[]; readonly known: readonly Known[] } {
  const matches = matchPrior(merged, situation.located);
  const byPrior = Map.groupBy(matches, ([, { located }]) => located.prior);
  const fresh = merged.flatMap((found) => {
    const prior = matches.get(found)?.located.prior;
    if (prior === undefined) return [found];
    return isLive(prior.state) ? [] : [{ ...found, id: prior.identity, reopens: prior }];
  });
  const known = situation.located.flatMap(({ prior, places }): readonly Known[] => {
    if (!isLive(prior.state)) return [];
    const found = (byPrior.get(prior) ?? []).map(([candidate, { place }]) => ({
      identity: place.identity,
      candidate: { ...candidate, id: place.identity },
    }));
    const carried = carriedOf(prior, change, situation);
    const candidates = places.flatMap(({ identity }) => {
      const own = found.filter((each) => each.identity === identity).map(({ candidate }) => candidate);
      const reports = own.flatMap(({ sources }) => sources);
      // A reviewer that reports it again replaces its earlier report.
      const isReplaced = ({ source, rule }: Finding): boolean =>
        reports.some((report) => report.source === source && report.rule === rule);
      const more = carried.filter(
        ({ carried: from, finding }) => from?.identity === identity && !isReplaced(finding),
      );
      const [best, ...rest] = [...own, ...more].toSorted(byImportance);
      return best === undefined ? [] : [{ identity, candidate: foundIfAny(mergeInto(best, rest), own) }];
    });
    return candidates.length === 0 ? [] : [{ prior, candidates }];
  });
  return { fresh, known };
}

/** A finding of this review is not a carried one, whatever is merged with it. */
function foundIfAny(candidate: FindingInJudgement, own: readonly FindingInJudgement[]): FindingInJudgement {
  const { carried: _, ...found } = candidate;
  const [first] = own;
  return first === undefined
    ? candidate
    : { ...found, anchor: first.anchor, file: first.file, facts: first.facts };
}

function carriedOf(
  prior: PriorFinding,
  change: Change,
  situation: JudgingContext,
): readonly FindingInJudgement[] {
  const carried = situation.carriage.get(prior);
  if (carried === undefined || !Array.isArray(carried)) return [];
  const all = carried as readonly CarriedFinding[];
  return toCandidates(
    all.map(({ finding }) => finding),
    change,
    situation,
  ).flatMap((candidate, index) => {
    const from = all[index];
    return from === undefined ? [] : [{ ...candidate, id: from.identity, carried: from }];
  });
}

/** Two findings on the same code can have the same identity in different reviews. A new one gets an id that no earlier one has. */
function withFreeIds(
  fresh: readonly FindingInJudgement[],
  { located }: JudgingContext,
): readonly FindingInJudgement[] {
  const taken = new Set(located.flatMap(({ places }) => places.map(({ identity }) => identity)));
  return fresh.map((candidate) => {
    if (candidate.reopens !== undefined) return candidate;
    let { id } = candidate;
    for (let ordinal = 2; taken.has(id); ordinal++) id = `${candidate.id}-${ordinal}`;
    taken.add(id);
    return id === candidate.id ? candidate : { ...candidate, id };
  });
}

/** Judges a finding of an earlier review like a new one. */
function judgeKnown(
  { prior, candidates }: Known,
  situation: JudgingContext,
  { suggestions, dropped }: { readonly suggestions: SuggestionContext; readonly dropped: DroppedFinding[] },
): KnownFinding {
  const results = candidates.map(({ candidate }) => applyRules({ ...candidate, isKnown: true }, situation));
  const hidden = results.filter((result): result is DroppedFinding => "reason" in result);
  const passed = results.filter((result): result is Kept => !("reason" in result));
  dropped.push(...hidden);
  const [best, ...rest] = passed.toSorted(
    (a, b) => severityRank(a.candidate.severity) - severityRank(b.candidate.severity),
  );
  const others = rest.flatMap(({ candidate: { id, anchor } }) =>
    anchor === null ? [] : [{ id, startLine: anchor.startLine, endLine: anchor.endLine }],
  );
  const [judged] = best === undefined ? [] : rank([{ ...best, others }], situation, suggestions);
  return {
    prior,
    // Its comment was written when it was new.
    judged: judged === undefined ? null : { ...judged, id: prior.identity, placement: "details" },
    hidden,
    carriedAs: carriedAsOf(candidates),
    places: new Map(candidates.map(({ identity, candidate }) => [identity, placeOfAnchor(candidate.anchor)])),
    words: candidates.flatMap(({ candidate }) => wordsOfFinding(candidate)),
  };
}

/** Null when this review found one of its places. */
function carriedAsOf(candidates: readonly KnownCandidate[]): CarriedAs | null {
  const as = candidates.map(({ candidate }) => candidate.carried?.as ?? null);
  return as.includes(null) ? null : (as[0] ?? null);
}

function placeOfAnchor(anchor: Anchor | null): Place | null {
  if (anchor === null) return null;
  const { path, side, startLine, endLine } = anchor;
  return { path, side, startLine, endLine };
}

function toCandidates(
  findings: readonly Finding[],
  change: Change,
  { analysis }: JudgingContext,
): readonly FindingInJudgement[] {
  return identifyInChange(findings, change).map((identified) => ({
    ...identified,
    severity: identified.finding.severity,
    sources: [identified.finding],
    facts: identified.file === null ? null : (analysis.byPath.get(identified.file.path) ?? null),
  }));
}

/** A finding that was taken back is neither merged with another one nor matched with an earlier one. */
function withoutWithdrawn(
  candidates: readonly FindingInJudgement[],
  dropped: DroppedFinding[],
): readonly FindingInJudgement[] {
  return candidates.filter((candidate) => {
    const { withdrawnBecause } = candidate.finding;
    if (withdrawnBecause !== undefined)
      dropped.push(asDropped(candidate, "dropped:withdrawn", withdrawnBecause));
    return withdrawnBecause === undefined;
  });
}

/** Each finding, in the given order, with its file, its place in the change and its identity. */
export function identifyInChange(
  findings: readonly Finding[],
  { files }: Pick<Change, "files">,
): readonly (Identified & { readonly file: ChangedFile | null })[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const byOldPath = new Map(files.map((file) => [file.oldPath ?? file.path, file]));
  const renames = new Map(
    files.flatMap((file) => (file.oldPath === null ? [] : [[file.path, file.oldPath]])),
  );
  const fileOf = (path: string) => byPath.get(path) ?? byOldPath.get(path) ?? null;
  const placed = findings.map((finding): Placed => {
    const file = fileOf(finding.path);
    return { finding, anchor: file === null ? null : anchorFinding(finding, file) };
  });
  return identifyFindings(placed, renames).map((identified) => ({
    ...identified,
    file: fileOf(identified.finding.path),
  }));
}

/**
 * Of duplicate findings one is kept and the others become its evidence: a rule's before another tool's, a model's last, then the
 * most severe, then the most confident. A misled model can make a rule's finding more severe, but can neither reword nor remove it. A
 * finding that a comment of the change ignores doesn't come first: it would hide a model's more severe finding with it.
 */
function mergeSame(
  candidates: readonly FindingInJudgement[],
  dropped: DroppedFinding[],
): readonly FindingInJudgement[] {
  const merged = new Map<FindingInJudgement, FindingInJudgement[]>();
  const byPath = new Map<string, FindingInJudgement[]>();
  for (const candidate of candidates.toSorted(byImportance)) {
    const seen = byPath.get(candidate.finding.path) ?? [];
    byPath.set(candidate.finding.path, seen);
    const best = seen.find((other) => other.id === candidate.id || isSame(other, candidate));
    if (best === undefined) {
      seen.push(candidate);
      merged.set(candidate, []);
    } else {
      merged.get(best)?.push(candidate);
      dropped.push(asDropped(candidate, "dropped:duplicate", `duplicate of "${best.finding.title}"`));
    }
  }
  return [...merged].map(([best, rest]) => mergeInto(best, rest));
}

function byImportance(a: FindingInJudgement, b: FindingInJudgement): number {
  return (
    turnOf(a) - turnOf(b) ||
    severityRank(a.severity) - severityRank(b.severity) ||
    b.finding.confidence - a.finding.confidence
  );
}

/** Kodiai's own texts before those of other tools, and a model's last. */
const TURNS: Readonly<Record<FindingSource, number>> = { floor: 0, analyser: 1, bump: 1, sarif: 2, model: 3 };

function turnOf({ finding, severity }: FindingInJudgement): number {
  const counts = finding.ignoredBecause === null || severity === "critical" || isAlwaysReported({ finding });
  return counts ? TURNS[finding.source] : TURNS.model;
}

function mergeInto(best: FindingInJudgement, rest: readonly FindingInJudgement[]): FindingInJudgement {
  const all = [best, ...rest];
  const others = rest.map(({ finding }) => finding.rule ?? finding.source);
  const also = [...new Set(others)].map((other) => `also found by ${other}`);
  const { isExisting: _, ...own } = best.finding;
  const isExisting = all.every(({ finding }) => finding.isExisting === true);
  const isKnownNew = all.some(({ finding }) => finding.isExisting === false);
  const isOther = ({ finding }: FindingInJudgement) =>
    finding.source === "sarif" && finding.rule !== best.finding.rule;
  return {
    ...best,
    alsoFoundBy: [...new Set(rest.filter(isOther).flatMap(({ finding }) => finding.rule ?? []))],
    severity: mostSevere(all.map(({ severity }) => severity)) ?? best.severity,
    sources: all.flatMap(({ sources }) => sources),
    finding: {
      ...own,
      ...(isExisting || isKnownNew ? { isExisting } : {}),
      confidence: Math.max(...all.map(({ finding }) => finding.confidence)),
      evidence: [...best.finding.evidence, ...also],
    },
  };
}

type Kept = {
  readonly candidate: FindingInJudgement;
  readonly notes: readonly string[];
  readonly others: readonly OtherPlace[];
  /** A filter would have dropped it, but findings of this rule are always listed. */
  readonly isOnlyListed: boolean;
};

function applyRules(start: FindingInJudgement, situation: JudgingContext): Kept | DroppedFinding {
  let candidate = start;
  let isOnlyListed = false;
  const notes = (start.alsoFoundBy ?? []).map((rule) => `also found by ${rule}`);
  for (const rule of RULES) {
    const ruling = rule(candidate, situation);
    if (ruling.kind === "drop") {
      if (!isStillListed(candidate, ruling.reason, situation))
        return asDropped(candidate, ruling.reason, ruling.detail);
      isOnlyListed = true;
    }
    if (ruling.kind === "list") isOnlyListed = true;
    if (ruling.kind === "severity" || ruling.kind === "list") notes.push(ruling.note);
    if (ruling.kind === "severity") {
      candidate = { ...candidate, severity: ruling.severity };
    }
  }
  return { candidate, notes, isOnlyListed, others: [] };
}

/** One comment per rule and file. The others are dropped as duplicates; their lines stay with the one that is kept. */
function onePerRule(kept: readonly Kept[], dropped: DroppedFinding[]): readonly Kept[] {
  return groupByRule(kept, ({ isOnlyListed }) => `${isOnlyListed}`).map(({ best, others }) => {
    if (others.length === 0) return best;
    const { finding } = best.candidate;
    const detail = `its line is named by "${finding.title}"`;
    const places = others.flatMap(({ candidate: { id, anchor } }) =>
      anchor === null ? [] : [{ id, startLine: anchor.startLine, endLine: anchor.endLine }],
    );
    for (const { candidate } of others) dropped.push(asDropped(candidate, "dropped:duplicate", detail));
    return {
      ...best,
      others: places,
      candidate: {
        ...best.candidate,
        finding: { ...finding, body: withOtherLines(finding.body, places) },
      },
    };
  });
}

/** Neither the mode, the size of the change nor a comment in it hides these. A skipped review doesn't list them. */
function isStillListed(
  candidate: FindingInJudgement,
  reason: DroppedFinding["reason"],
  { analysis }: JudgingContext,
): boolean {
  const isByChange = reason.startsWith("filtered:") || reason === "suppressed:in-code";
  return isByChange && isAlwaysListed(candidate) && analysis.skippedBecause === null;
}

function asDropped(
  { id, finding, anchor, severity }: Identified & Pick<FindingInJudgement, "severity">,
  reason: DroppedFinding["reason"],
  detail: string,
): DroppedFinding {
  return { id, finding, anchor, severity, reason, detail };
}

function rank(
  kept: readonly Kept[],
  { analysis }: JudgingContext,
  { compare, texts, overLimit }: SuggestionContext,
): readonly JudgedFinding[] {
  const ranked = kept
    .map(({ candidate, ...rest }) => ({
      candidate,
      ...rest,
      priority: priorityOf({
        confidence: candidate.finding.confidence,
        fileRisk: candidate.facts?.risk ?? 0,
        isFocused: analysis.mode.focusedCategories.includes(candidate.finding.category),
      }),
    }))
    .toSorted(
      (a, b) =>
        severityRank(a.candidate.severity) - severityRank(b.candidate.severity) || b.priority - a.priority,
    );
  const isInline = chooseInline(ranked, analysis.mode.maxComments);
  const placementOf = ({ candidate, isOnlyListed }: Kept): JudgedFinding["placement"] => {
    if (candidate.anchor === null && !isOnlyListed) return "summary";
    return isInline.has(candidate) ? "inline" : "details";
  };
  return ranked.map(({ priority, ...each }) => {
    const { candidate, notes, others } = each;
    const { id, finding, anchor, severity, reopens, sources } = candidate;
    const { path } = finding;
    const placement = placementOf(each);
    const place = { anchor, text: texts.get(path) ?? null, isOverLimit: overLimit.has(path) };
    return {
      id,
      finding,
      anchor,
      severity,
      placement,
      priority,
      notes,
      sources,
      ...(others.length === 0 ? {} : { others }),
      ...(reopens === undefined ? {} : { reopens }),
      suggestion: verifySuggestion(finding.suggestion, place, (_, after) => compare(path, after)),
    };
  });
}

/** The findings that get a comment on their line. */
function chooseInline(ranked: readonly Kept[], maxComments: number): ReadonlySet<FindingInJudgement> {
  const placed = ranked
    .filter(({ candidate, isOnlyListed }) => candidate.anchor !== null && !isOnlyListed)
    .map(({ candidate }) => candidate);
  // A flood of other findings must not push these off their lines.
  const first = chooseSpread(placed.filter(isAlwaysReported), maxComments);
  const others = placed.filter((candidate) => !first.has(candidate));
  return new Set([...first, ...chooseSpread(others, maxComments - first.size)]);
}
