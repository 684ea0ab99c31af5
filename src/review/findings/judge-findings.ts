/**
 * Judges findings: places them, merges duplicates, applies the rules in order, and ranks the findings that are kept. Every
 * finding comes out exactly once: reported, dropped with a reason, or as one of an earlier review. Findings of earlier reviews are judged
 * by the same rules.
 */
import { isAtLeast, severityRank } from "../../base/severity.ts";
import { isLive } from "../context/life-states.ts";
import type { PriorFinding } from "../context/prior-review.ts";
import type { Change, ChangedFile } from "../change/change.ts";
import type { Place } from "../change/map-places.ts";
import { anchorFinding } from "./anchor-finding.ts";
import type { CarriedAs, CarriedFinding } from "./carry-prior.ts";
import { chooseSpread } from "./choose-spread.ts";
import type { DroppedFinding, Finding, JudgedFinding, OtherPlace } from "./finding.ts";
import { beyondGravest, MAX_MODEL_FINDINGS } from "./gravest-of-model.ts";
import { byText, groupSame } from "./group-same.ts";
import { type Identified, identifyFindings, type Placed } from "./identify-findings.ts";
import { matchPrior, type PriorMatch, wordsOfFinding } from "./match-prior.ts";
import { groupByRule, withOtherLines } from "./one-per-rule.ts";
import { priorityOf } from "./priority.ts";
import { abbreviatedFiles } from "./rules/abbreviated-files.ts";
import { isAlwaysListed, isAlwaysReported } from "./rules/always-reported.ts";
import { belowMode } from "./rules/below-mode.ts";
import { configSuppressions } from "./rules/config-suppressions.ts";
import { feedbackSuppressions, isBeyondFeedback } from "./rules/feedback-suppressions.ts";
import { grounded } from "./rules/grounded.ts";
import { ignoredCategory } from "./rules/ignored-category.ts";
import { inChange } from "./rules/in-change.ts";
import { inCodeSuppression } from "./rules/in-code-suppression.ts";
import { lessSevereByPlace } from "./rules/less-severe-by-place.ts";
import { minimumConfidence } from "./rules/minimum-confidence.ts";
import { loweredByFeedback } from "./rules/lowered-by-feedback.ts";
import type { FeedbackRuling } from "../context/feedback-ruling.ts";
import type { FindingInJudgement, JudgingRule, JudgingContext } from "./rules/rule.ts";
import { provenWhenLoud } from "./rules/proven-when-loud.ts";
import { secondReading } from "./rules/second-reading.ts";
import { joinSeenAt, withSeenAt } from "./seen-at.ts";
import { isInSameWords } from "./same-defect.ts";
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
  provenWhenLoud,
  loweredByFeedback,
  secondReading,
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
  const candidates = withoutWithdrawn(toCandidates(findings, change, situation), dropped);
  const { fresh, known } = withCarried(groupSame(candidates), change, situation);
  const passed: Kept[] = [];
  for (const group of withFreeIds(fresh, situation)) {
    const ruling = judgeGroup(group, situation);
    dropped.push(...ruling.dropped);
    if (ruling.kept !== null) passed.push(ruling.kept);
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

/** Reports of one defect, the one whose text counts first. */
type Group = readonly FindingInJudgement[];

type Known = { readonly prior: PriorFinding; readonly groups: readonly KnownGroup[] };
type KnownGroup = { readonly identity: string; readonly members: Group };

/** Gives each group to the earlier finding that it repeats, together with what is carried of that one. The others are fresh. */
function withCarried(
  groups: readonly Group[],
  change: Change,
  situation: JudgingContext,
): { readonly fresh: readonly Group[]; readonly known: readonly Known[] } {
  const matches = matchPrior(groups, situation.located);
  const parts = groups.flatMap((group) => splitByPrior(group, matches));
  const fresh = parts.flatMap(({ members, match }) => {
    if (match === null) return [members];
    const { prior } = match.located;
    const isBack = !isLive(prior.state);
    return isBack ? [members.map((member) => ({ ...member, id: prior.identity, reopens: prior }))] : [];
  });
  const known = situation.located.flatMap((located): readonly Known[] => {
    const { prior, places } = located;
    if (!isLive(prior.state)) return [];
    const carried = carriedOf(prior, change, situation);
    const known = places.flatMap((place): readonly KnownGroup[] => {
      const { identity } = place;
      const own = parts
        .filter(({ match }) => match?.place === place)
        .flatMap(({ members }) => members.map((member) => ({ ...member, id: identity })));
      // A reviewer that reports it again replaces its earlier report.
      const isReplaced = ({ source, rule }: Finding): boolean =>
        own.some(({ finding }) => finding.source === source && finding.rule === rule);
      const more = carried.filter(
        ({ carried: from, finding }) => from?.identity === identity && !isReplaced(finding),
      );
      const members = [...own, ...more].map((member) => ({ ...member, isKnown: true as const }));
      return members.length === 0 ? [] : [{ identity, members: members.toSorted(byText) }];
    });
    return known.length === 0 ? [] : [{ prior, groups: known }];
  });
  return { fresh, known };
}

type Part = { readonly members: Group; readonly match: PriorMatch | null };

/** Reports that were two findings in an earlier review stay two. Those that are new join the first of them. */
function splitByPrior(group: Group, matches: ReadonlyMap<FindingInJudgement, PriorMatch>): readonly Part[] {
  const byPlace = Map.groupBy(group, (member) => matches.get(member)?.place ?? null);
  const unmatched = byPlace.get(null) ?? [];
  byPlace.delete(null);
  if (byPlace.size === 0) return [{ members: group, match: null }];
  return [...byPlace.values()].map((members, index) => {
    const [first] = members;
    const match = first === undefined ? null : (matches.get(first) ?? null);
    return { members: index === 0 ? [...members, ...unmatched].toSorted(byText) : members, match };
  });
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
function withFreeIds(fresh: readonly Group[], { located }: JudgingContext): readonly Group[] {
  const taken = new Set(located.flatMap(({ places }) => places.map(({ identity }) => identity)));
  return fresh.map((group) => {
    const [first] = group;
    if (first === undefined || first.reopens !== undefined) return group;
    let { id } = first;
    for (let ordinal = 2; taken.has(id); ordinal++) id = `${first.id}-${ordinal}`;
    taken.add(id);
    return group.map((member) => ({ ...member, id }));
  });
}

/** Judges a finding of an earlier review like a new one. */
function judgeKnown(
  { prior, groups }: Known,
  situation: JudgingContext,
  { suggestions, dropped }: { readonly suggestions: SuggestionContext; readonly dropped: DroppedFinding[] },
): KnownFinding {
  const results = groups.map((group) => ({ ...group, ...judgeGroup(group.members, situation) }));
  const hidden = results.flatMap((result) => (result.kept === null ? result.dropped : []));
  const passed = results.flatMap(({ kept }) => kept ?? []);
  dropped.push(...hidden, ...results.flatMap((result) => (result.kept === null ? [] : result.dropped)));
  const [best, ...rest] = passed.toSorted(
    (a, b) => severityRank(a.candidate.severity) - severityRank(b.candidate.severity),
  );
  const others = rest.flatMap(({ candidate: { id, anchor } }) =>
    anchor === null ? [] : [{ id, startLine: anchor.startLine, endLine: anchor.endLine }],
  );
  const [judged] = best === undefined ? [] : rank([{ ...best, others }], situation, suggestions);
  const shown = results.map(({ identity, members, kept }) => ({
    identity,
    candidates: kept === null ? members : [kept.candidate],
  }));
  return {
    prior,
    // Its comment was written when it was new.
    judged: judged === undefined ? null : { ...judged, id: prior.identity, placement: "details" },
    hidden,
    carriedAs: carriedAsOf(shown.flatMap(({ candidates }) => candidates)),
    places: new Map(shown.map(({ identity, candidates }) => [identity, placeOfAnchor(candidates)])),
    words: groups.flatMap(({ members }) => members.flatMap(wordsOfFinding)),
  };
}

/** Null when this review found one of its places. */
function carriedAsOf(candidates: Group): CarriedAs | null {
  const as = candidates.map(({ carried }) => carried?.as ?? null);
  return as.includes(null) ? null : (as[0] ?? null);
}

function placeOfAnchor(candidates: Group): Place | null {
  const found = candidates.find(({ carried }) => carried === undefined) ?? candidates[0];
  const anchor = found?.anchor ?? null;
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
    return { finding, anchor: anchorFinding(finding, file) };
  });
  return identifyFindings(placed, renames).map((identified) => ({
    ...identified,
    file: fileOf(identified.finding.path),
  }));
}

type Kept = {
  readonly candidate: FindingInJudgement;
  readonly notes: readonly string[];
  readonly others: readonly OtherPlace[];
  /** A filter would have dropped it, but findings of this rule are always listed. */
  readonly isOnlyListed: boolean;
  /** Omitted: feedback changed nothing. */
  readonly taught?: FeedbackRuling;
};

function applyRules(start: FindingInJudgement, situation: JudgingContext): Kept | DroppedFinding {
  let candidate = start;
  let isOnlyListed = false;
  let taught: FeedbackRuling | undefined;
  const notes: string[] = [];
  for (const rule of RULES) {
    const ruling = rule(candidate, situation);
    if (ruling.kind === "drop") {
      if (!isStillListed(candidate, ruling.reason, situation))
        return asDropped(candidate, ruling.reason, ruling.detail);
      isOnlyListed = true;
    }
    if (ruling.kind === "list") isOnlyListed = true;
    if (ruling.kind === "severity" || ruling.kind === "list") notes.push(ruling.note);
    if ((ruling.kind === "severity" || ruling.kind === "list") && ruling.severity !== undefined)
      candidate = { ...candidate, severity: ruling.severity };
    if ("taught" in ruling) taught = ruling.taught;
  }
  return { candidate, notes, isOnlyListed, others: [], ...(taught === undefined ? {} : { taught }) };
}

type GroupRuling = { readonly kept: Kept | null; readonly dropped: readonly DroppedFinding[] };

/**
 * Judges each report of a defect on its own, so that a setting against one doesn't hide the others, and merges those that are left. The
 * first of them gives its text. Feedback on one report has no power over a merged finding that is beyond feedback. A comment that ignores a rule's report also ignores what models report about it, unless that is more severe.
 */
function judgeGroup(group: Group, situation: JudgingContext): GroupRuling {
  if (group.length === 1) return mergeRuled(group, situation);
  const withoutFeedback = mergeRuled(group, { ...situation, feedbackOn: () => null });
  const { kept } = withoutFeedback;
  return kept !== null && isBeyondFeedback(kept.candidate) ? withoutFeedback : mergeRuled(group, situation);
}

function mergeRuled(group: Group, situation: JudgingContext): GroupRuling {
  const rulings = group.map((member) => applyRules(member, situation));
  const dropped = rulings.filter((ruling): ruling is DroppedFinding => "reason" in ruling);
  const passed = rulings.filter((ruling): ruling is Kept => !("reason" in ruling));
  const isByRule = passed.some(({ candidate }) => candidate.finding.rule !== null);
  const reasonToIgnore = ({ finding }: FindingInJudgement): string | undefined =>
    dropped.find(
      ({ reason, finding: ignored }) =>
        !isByRule && reason === "suppressed:in-code" && isAtLeast(ignored.severity, finding.severity),
    )?.detail;
  const [best, ...rest] = passed.filter(({ candidate }) => reasonToIgnore(candidate) === undefined);
  for (const { candidate } of passed) {
    const reason = reasonToIgnore(candidate);
    if (reason !== undefined) dropped.push(asDropped(candidate, "suppressed:in-code", reason));
  }
  if (best === undefined) return { kept: null, dropped };
  for (const { candidate } of rest)
    if (candidate.carried === undefined)
      dropped.push(
        asDropped(candidate, "dropped:duplicate", `duplicate of "${best.candidate.finding.title}"`),
      );
  return { kept: mergeKept(best, rest), dropped };
}

/**
 * The text, the code and the severity are those of the best report, unless a rule or a report in other words is graver: that can be another
 * defect, and no model makes a rule's finding less severe. That is for a verification that doesn't read what misled the model.
 */
function mergeKept(best: Kept, rest: readonly Kept[]): Kept {
  if (rest.length === 0) return best;
  const all = [best, ...rest].map(({ candidate }) => candidate);
  const rated = all.filter(
    ({ finding }, index) =>
      index === 0 || finding.rule !== null || !isInSameWords(finding, best.candidate.finding),
  );
  const gravest =
    rated.toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity))[0] ?? best.candidate;
  const { carried: _, ...own } = best.candidate;
  // A finding of this review is not a carried one, whatever is merged with it.
  const found = all.find(({ carried }) => carried === undefined);
  const isRaised = gravest.severity !== best.candidate.severity;
  const note = `raised from ${best.candidate.severity} to ${gravest.severity}: the severity of ${gravest.finding.rule ?? "another report"}`;
  return {
    ...best,
    notes: isRaised ? [...best.notes, note] : best.notes,
    isOnlyListed: best.isOnlyListed && rest.every(({ isOnlyListed }) => isOnlyListed),
    candidate: {
      ...(found === undefined
        ? best.candidate
        : { ...own, anchor: found.anchor, file: found.file, facts: found.facts }),
      severity: gravest.severity,
      sources: all.flatMap(({ sources }) => sources),
      finding: {
        ...best.candidate.finding,
        ...joinSeenAt(all.map(({ finding }) => finding)),
        suggestion: suggestionOf(all),
        confidence: Math.max(...all.map(({ finding }) => finding.confidence)),
      },
    },
  };
}

/** The best report's, or another one's for exactly the same lines. */
function suggestionOf([best, ...rest]: Group): string | null {
  const isSameLines = ({ anchor }: FindingInJudgement): boolean =>
    anchor?.startLine === best?.anchor?.startLine && anchor?.endLine === best?.anchor?.endLine;
  const others = rest.filter(isSameLines).flatMap(({ finding }) => finding.suggestion ?? []);
  return best?.finding.suggestion ?? others[0] ?? null;
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
    const { candidate, notes, others, taught } = each;
    const { id, finding, anchor, severity, reopens, sources } = candidate;
    const { path } = finding;
    const placement = placementOf(each);
    const place = { anchor, text: texts.get(path) ?? null, isOverLimit: overLimit.has(path) };
    return {
      id,
      finding: withSeenAt(finding, anchor),
      anchor,
      severity,
      placement,
      priority,
      notes,
      sources,
      ...(others.length === 0 ? {} : { others }),
      ...(taught === undefined ? {} : { taught }),
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
