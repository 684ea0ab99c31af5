/** Numbers and reasons in words, the same in every format. */
import { count, grouped } from "../../base/count.ts";
import { SEVERITIES, SEVERITY_LABELS, type Severity, severityRank } from "../../base/severity.ts";
import { MAX_LINE_CHARS } from "../change/change-limits.ts";
import type { FullReason } from "../change/scope.ts";
import { DESCRIPTION_PATH } from "../findings/description-path.ts";
import type { DroppedFinding, DropReason } from "../findings/finding.ts";
import { MAX_MODEL_FINDINGS } from "../findings/gravest-of-model.ts";
import type { CheckGap } from "../findings/check-gap.ts";
import type { EffectiveMode } from "../analysis/analysis.ts";
import type { AnalyserGap, AnalyserReport } from "../../linters/analyser-report.ts";
import type {
  OpenFinding,
  PassReport,
  Publication,
  PublishedFinding,
  ModelUsage,
  SarifSummary,
} from "./publication.ts";
import type { Receipt, ReceiptEntry, ReceiptReason } from "./receipt.ts";

/** Paths named per reason; the rest is counted. */
const MAX_NAMED_PATHS = 5;

/** "a", "a and b", "a, b and c". */
export function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** "1 critical, 2 medium", most severe first. */
export function countSeverities(severities: readonly Severity[]): string {
  return SEVERITIES.map((severity) => ({
    severity,
    number: severities.filter((other) => other === severity).length,
  }))
    .filter(({ number }) => number > 0)
    .map(({ severity, number }) => `${grouped(number)} ${SEVERITY_LABELS[severity].toLowerCase()}`)
    .join(", ");
}

const RECEIPT_REASONS: Readonly<Record<ReceiptReason, string>> = {
  "filtered:lockfile": "lock file",
  "filtered:generated": "generated file",
  "filtered:vendored": "vendored code",
  "filtered:minified": "minified file",
  "filtered:skip-paths": "excluded by review.skipPaths",
  "limit:line-too-long": `longer than ${grouped(MAX_LINE_CHARS)} characters`,
  "data-line": `data, longer than ${grouped(MAX_LINE_CHARS)} characters`,
  "data-file": "data, too large to be read",
  "limit:too-large": "file too large",
  "limit:too-many-files": "folder with too many changed files",
  "limit:git-filter": "stored through a Git filter, which Kodiai doesn't run",
  "limit:time": "time ran out",
  "limit:file-cost": "over the time or memory limit for one file",
  "limit:context": "too large for the model's prompt",
  "limit:budget": "budget reached",
  "limit:requests": "hourly limit for model reviews reached",
  "limit:stopped": "the review was stopped",
  "limit:unmarked": "the model didn't mark it as read",
  "limit:large-change": "only listed for the model in a change this large",
  "failed:model": "the model failed",
  "failed:rule-error": "a rule failed",
  binary: "binary",
  submodule: "submodule",
  symlink: "symbolic link",
  "lfs-pointer": "Git LFS pointer",
  unreadable: "couldn't be read",
  "mode-only": "only the file mode changed",
  "skipped:no-review": "review skipped",
  "floor-off": "built-in rules are turned off",
};

const SEARCHED = "Kodiai searched only the beginning, for secrets and hidden characters.";

/** Advice about lines that weren't read. */
const RECEIPT_ADVICE: Readonly<Partial<Record<ReceiptReason, string>>> = {
  "limit:line-too-long": `${SEARCHED} Break the line, or mark a generated file with linguist-generated in .gitattributes.`,
  "data-line": `${SEARCHED} If it is source, break the line.`,
  "data-file": "Kodiai didn't read it, not even for secrets.",
};

export type Omission = {
  readonly reason: ReceiptReason;
  readonly label: string;
  /** Sentences; null when there is nothing to do. */
  readonly advice: string | null;
  /** The built-in rules have read it, and only the model hasn't. */
  readonly isReadByRules: boolean;
  readonly lines: number;
  readonly files: number;
  /** Up to five, those with most lines first. `part` is " (2 of 5 hunks)" when the others were read, or empty. */
  readonly paths: readonly { readonly path: string; readonly part: string }[];
};

/** Lines that weren't fully reviewed, grouped by reason, most lines first: those only rules have read, then the rest. */
export function listOmissions({ entries }: Receipt): readonly Omission[] {
  const isReadByRules = ({ readBy }: ReceiptEntry): boolean => readBy === "rules";
  return [
    ...groupOmissions(entries.filter(isReadByRules), true),
    ...groupOmissions(
      entries.filter((entry) => !isReadByRules(entry)),
      false,
    ),
  ];
}

function groupOmissions(all: readonly ReceiptEntry[], isReadByRules: boolean): readonly Omission[] {
  const byReason = new Map<ReceiptReason, ReceiptEntry[]>();
  for (const entry of all) {
    if (entry.reason === null) continue;
    const known = byReason.get(entry.reason);
    if (known === undefined) byReason.set(entry.reason, [entry]);
    else known.push(entry);
  }
  return [...byReason]
    .map(([reason, entries]) => ({
      reason,
      label: RECEIPT_REASONS[reason],
      advice: RECEIPT_ADVICE[reason] ?? null,
      isReadByRules,
      lines: entries.reduce((sum, { lines }) => sum + lines, 0),
      files: entries.length,
      paths: entries
        .toSorted((a, b) => b.lines - a.lines)
        .slice(0, MAX_NAMED_PATHS)
        .map(({ path, hunks }) => ({
          path,
          part: hunks === undefined ? "" : ` (${partOf(hunks.unread, hunks.total, "hunk")})`,
        })),
    }))
    .toSorted((a, b) => b.lines - a.lines || b.files - a.files);
}

/** The advice as the end of a line that names paths. */
export function withAdvice({ advice }: Pick<Omission, "advice">): string {
  return advice === null ? "" : `. ${advice}`;
}

/** Why the model hasn't read lines that the rules have. */
export function whyRulesAlone({ reason, label }: Pick<Omission, "reason" | "label">): string {
  return reason === "limit:time" ? "the model ran out of time" : label;
}

/** "412 lines in 3 files", or "2 files" where no line was added. */
export function describeAmount({ lines, files }: Pick<Omission, "lines" | "files">): string {
  return lines === 0 ? count(files, "file") : `${count(lines, "line")} in ${count(files, "file")}`;
}

const DROP_REASONS: Readonly<Record<DropReason, string>> = {
  "dropped:not-in-change": "outside the change",
  "dropped:duplicate": "merged with another finding",
  "dropped:was-there-before": "in code that was there before",
  "dropped:unchanged-code": "about code that was reviewed before",
  "dropped:below-confidence": "below the minimum confidence",
  "dropped:too-many": `beyond the model's ${MAX_MODEL_FINDINGS} most severe`,
  "suppressed:config": "suppressed by configuration",
  "suppressed:in-code": "ignored by a code comment",
  "suppressed:feedback": "suppressed by feedback",
  "filtered:tooling": "left to the repository's linter or formatter",
  "filtered:category": "in ignored categories",
  "filtered:abbreviated-file": "below major in files that were only skimmed",
  "filtered:below-mode": "below the mode's threshold",
};

function describeDrop({ reason, finding }: DroppedFinding, mode: EffectiveMode): string {
  if (reason === "suppressed:in-code" && finding.source === "sarif")
    return "ignored by a comment or by the reporting tool";
  return reason === "filtered:below-mode" ? `below the ${mode.mode} threshold` : DROP_REASONS[reason];
}

/** Dropped findings that the output doesn't show in another form. A finding that was merged is part of another one. */
export function unshownOf(dropped: readonly DroppedFinding[]): readonly DroppedFinding[] {
  return dropped.filter(({ reason }) => reason !== "dropped:duplicate");
}

/** "3 below the balanced threshold, 2 suppressed by configuration"; empty when nothing was dropped. */
export function describeDropped(dropped: readonly DroppedFinding[], mode: EffectiveMode): string {
  const counts = new Map<string, number>();
  for (const each of dropped) {
    const why = describeDrop(each, mode);
    counts.set(why, (counts.get(why) ?? 0) + 1);
  }
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([why, number]) => `${grouped(number)} ${why}`)
    .join(", ");
}

const MODE_ORIGINS: Readonly<Record<EffectiveMode["origin"], string>> = {
  keyword: "requested in the title or a commit",
  config: "set in the configuration",
  size: "chosen by change size",
};

/** "balanced, chosen by change size; reports medium and higher". */
export function describeMode(mode: EffectiveMode): string {
  const level = SEVERITY_LABELS[mode.minLevel].toLowerCase();
  const reported = mode.minLevel === "minor" ? "reports all severities" : `reports ${level} and higher`;
  const ignored = mode.ignoredCategories.length === 0 ? "" : `, except ${joinWords(mode.ignoredCategories)}`;
  return `${mode.mode}, ${MODE_ORIGINS[mode.origin]}; ${reported}${ignored}`;
}

const SARIF_SKIPS: Readonly<Record<keyof SarifSummary["skipped"], string>> = {
  unchanged: "on unchanged lines",
  unmapped: "outside the repository",
  withoutLine: "without a line number",
  passed: "not problems",
  known: "known from an earlier run",
  repeated: "repeated",
  overLimit: "less severe than those kept",
};

/** "semgrep.sarif: Semgrep OSS 1.99.0, 12 results, 3 kept, 9 on unchanged lines". */
export function describeSarif({ file, tools, results, kept, skipped }: SarifSummary): string {
  const names = tools.map(({ name, version }) => (version === null ? name : `${name} ${version}`));
  const skips = Object.entries(SARIF_SKIPS)
    .map(([reason, label]) => ({ number: skipped[reason as keyof typeof SARIF_SKIPS], label }))
    .filter(({ number }) => number > 0)
    .map(({ number, label }) => `${grouped(number)} ${label}`);
  const counts = [count(results, "result"), ...(results === 0 ? [] : [`${grouped(kept)} kept`]), ...skips];
  return `${file}: ${[joinWords(names), ...counts].filter((part) => part !== "").join(", ")}`;
}

type Reviewers = Pick<Publication["details"], "reviewer" | "rulesRun">;

/** "anthropic:x and 42 built-in rules". */
export function describeReviewer(details: Reviewers): string {
  return withRules(details, count(details.rulesRun, "built-in rule"));
}

/** The same without the number of rules. */
export function describeReaders(details: Reviewers): string {
  return withRules(details, "built-in rules");
}

function withRules({ reviewer, rulesRun }: Reviewers, rules: string): string {
  if (reviewer === "floor") return rules;
  return rulesRun === 0 ? reviewer : `${reviewer} and ${rules}`;
}

/** "oxlint 1.89.0: 3 files, 1 finding"; "ruff: 2 files not checked (not installed; to install it: npm install …)". */
export function describeAnalyser(report: AnalyserReport): string {
  const { name, version, files, findings, gaps } = report;
  const checked = files === 0 && findings === 0 ? [] : [count(files, "file"), count(findings, "finding")];
  const missed = gaps.map(
    (gap) => `${count(gap.files, "file")} not ${howFar(gap)} (${describeAnalyserGap(gap, report.package)})`,
  );
  return `${version === null ? name : `${name} ${version}`}: ${[...checked, ...missed].join(", ")}`;
}

/** A tool may have checked a part of a file. */
function howFar({ reason }: AnalyserGap): string {
  return reason === "unparsed" || reason === "too-many-findings" ? "completely checked" : "checked";
}

/** The reason, in words. */
export function describeAnalyserGap({ reason, message }: AnalyserGap, fromPackage: string): string {
  if (reason === "failed") return message ?? "it failed";
  if (reason === "not-installed") return `not installed; to install it, run npm install ${fromPackage}`;
  return GAP_REASONS[reason];
}

const GAP_REASONS: Readonly<Record<Exclude<AnalyserGap["reason"], "failed" | "not-installed">, string>> = {
  off: "turned off by configuration",
  "too-many": "over its limit for one review",
  "too-large": "too large for it",
  unread: "too large or not available",
  time: "time ran out",
  memory: "over the memory limit",
  unparsed: "it couldn't parse all of the code",
  "too-many-findings": "too many findings",
};

/** True when every line was read and every reviewer finished. */
export function isComplete({ conclusion, receipt }: Pick<Publication, "conclusion" | "receipt">): boolean {
  return conclusion === "complete" && receipt.coverage.isComplete;
}

/** "anthropic:x, 3 turns, 12,000 input tokens (8,000 cached), 900 output tokens, USD 0.05, plus up to USD 0.12 for interrupted calls". */
export function describeUsage({ model, turns, costUsd, cutOffUsd, ...tokens }: ModelUsage): string {
  const cached = tokens.cachedInputTokens === 0 ? "" : ` (${grouped(tokens.cachedInputTokens)} cached)`;
  return [
    model,
    count(turns, "turn"),
    `${count(tokens.inputTokens, "input token")}${cached}`,
    count(tokens.outputTokens, "output token"),
    costUsd === null ? "price unknown, so US dollar budgets don't apply" : describeUsd(costUsd),
    ...(cutOffUsd === 0 ? [] : [`plus up to ${describeUsd(cutOffUsd)} for interrupted calls`]),
  ].join(", ");
}

/** Why no model took part, and how to get one; null when one did. */
export function describeModelNote({ modelNote, modelHint }: Publication["details"]): string | null {
  return modelNote === null || modelHint === null ? modelNote : `${modelNote}; ${modelHint}`;
}

export function describeCost(costUsd: number | null): string {
  return costUsd === null ? "price unknown" : describeUsd(costUsd);
}

/** Cents are too coarse for small models and small budgets. */
export function describeUsd(usd: number): string {
  return `USD ${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`;
}

/** The attempts of models; the built-in rules are shown with the reviewer. */
export function modelPasses({ passes }: Pick<Publication, "passes">): readonly PassReport[] {
  return passes.filter(({ step }) => step !== "floor");
}

/** The part of the change that a text is about: "part 2 of 3: ", or nothing when there is only one. */
export function partPrefix(pass: string): string {
  return pass === "review" ? "" : `${pass}: `;
}

/** "340 of 412 added lines in 10 of 12 files"; "30 of 412 added lines (382 reviewed before) in 12 files". */
export function describeCoverage({ coverage }: Receipt): string {
  const { reviewedLines, carriedLines, addedLines, reviewedFiles, files } = coverage;
  const before = carriedLines === 0 ? "" : ` (${grouped(carriedLines)} reviewed before)`;
  return `${partOf(reviewedLines, addedLines, "added line")}${before} in ${partOf(reviewedFiles, files, "file")}`;
}

const FULL_REASONS: Readonly<Record<Exclude<FullReason, "first">, string>> = {
  requested: "a full review was requested",
  "config-changed": "the configuration changed",
  "prior-unreachable": "the last reviewed commit is no longer available",
  "model-changed": "only built-in rules had reviewed it",
};

/** Files that this review read, at least partly, and the others that earlier reviews have read. */
export function countReadFiles({ entries }: Receipt): { readonly now: number; readonly before: number } {
  const now = new Set(
    entries.flatMap(({ path, status, readBy }) =>
      status === "reviewed" || readBy === "rules" ? [path] : [],
    ),
  );
  const carried = new Set(entries.flatMap(({ path, status }) => (status === "carried" ? [path] : [])));
  return { now: now.size, before: carried.difference(now).size };
}

/**
 * The part that the model read. Completes "Read: …": "2 of 60 files since 1a2b3c4 (58 read before)", or "everything, because the configuration changed".
 * Null for a first review, without a model, and when there is nothing to read.
 */
export function describeScope({
  scope,
  receipt,
  details,
}: Pick<Publication, "scope" | "receipt" | "details">): string | null {
  const { full, since } = scope;
  const { now, before } = countReadFiles(receipt);
  // Rules read everything every time.
  if (full === "first" || now + before === 0 || details.reviewer === "floor") return null;
  if (full !== null) return `everything, because ${FULL_REASONS[full]}`;
  const read = now === 0 ? "nothing new" : partOf(now, receipt.coverage.files, "file");
  return `${read} since ${shortCommit(since)}${before === 0 ? "" : ` (${grouped(before)} read before)`}`;
}

/** "1a2b3c4". A review of uncommitted work alone has no commit. */
export function shortCommit(id: string | null): string {
  return id !== null && /^[0-9a-f]{40,64}$/.test(id) ? id.slice(0, 7) : "the last review";
}

/** Most severe first, then by number. */
export function compareOpen({ judged: a }: OpenFinding, { judged: b }: OpenFinding): number {
  return severityRank(a.severity) - severityRank(b.severity) || a.number - b.number;
}

/** Findings of earlier reviews that are still there, with those that a person has settled. */
export function unresolvedOf({
  stillOpen,
  answered,
}: Pick<Publication, "stillOpen" | "answered">): readonly OpenFinding[] {
  return [...stillOpen, ...answered].toSorted(compareOpen);
}

/** A note on a finding that is still open; null when there is nothing to add. */
export function noteOpen({ state, carriedAs }: Pick<OpenFinding, "state" | "carriedAs">): string | null {
  if (state === "contested" || state === "waived") return state;
  if (state === "addressed") return "its code changed; the fix isn't confirmed";
  return carriedAs === "unchecked" ? "not checked again" : null;
}

const GAP_LABELS: Readonly<Record<CheckGap["reason"], string>> = {
  off: "turned off",
  "not-installed": "not installed",
  limit: "over a limit",
  failed: "failed",
};

/** Completes "Not checked: …": "ruff, 2 files (not installed; to install it, run npm install …)". */
export function describeGap({ check, reason, detail, paths }: CheckGap): string {
  const files = paths === null ? "" : `, ${count(paths.length, "file")}`;
  return `${check}${files} (${detail ?? GAP_LABELS[reason]})`;
}

/** The first paths of a gap, and how many more there are. */
export function pathsOfGap({ paths }: CheckGap): {
  readonly paths: readonly string[];
  readonly more: number;
} {
  const all = paths ?? [];
  return { paths: all.slice(0, MAX_NAMED_PATHS), more: Math.max(0, all.length - MAX_NAMED_PATHS) };
}

/** True when only rules have read lines: "0 of 7 added lines" would contradict the entry that follows. */
export function isReadByRulesAlone({ coverage, entries }: Receipt): boolean {
  return coverage.reviewedLines === 0 && entries.some(({ readBy }) => readBy === "rules");
}

/** "3 of 12 files", or "12 files" when it is all of them. */
export function partOf(part: number, whole: number, noun: string): string {
  return part === whole ? count(whole, noun) : `${grouped(part)} of ${count(whole, noun)}`;
}

/** The sections of every human-readable format; a finding is in exactly one. */
type FindingGroups = {
  /** Shown on their lines. */
  readonly placed: readonly PublishedFinding[];
  /** Findings whose code isn't in the change, and findings about a whole file. */
  readonly unplaced: readonly PublishedFinding[];
  /** "More findings". */
  readonly more: readonly PublishedFinding[];
};

export function groupFindings(findings: readonly PublishedFinding[]): FindingGroups {
  const shown = findings.filter(({ placement }) => placement !== "details");
  return {
    placed: shown.filter(({ anchor }) => anchor !== null),
    unplaced: shown.filter(({ anchor }) => anchor === null),
    more: findings.filter(({ placement }) => placement === "details"),
  };
}

/** True when the finding quotes no code: it is about the whole file, not misplaced. */
export function isAboutFile({ finding }: Pick<PublishedFinding, "finding">): boolean {
  return finding.quote === "";
}

/** True for findings about the title, the description or commit messages, which aren't files. */
export function isAboutDescription({ finding }: { readonly finding: { readonly path: string } }): boolean {
  return finding.path === DESCRIPTION_PATH;
}

/** The sections of findings without a line, in order, including empty ones. */
export function sectionUnplaced(
  unplaced: readonly PublishedFinding[],
): readonly { readonly title: string; readonly findings: readonly PublishedFinding[] }[] {
  const [described, inFiles] = [
    unplaced.filter(isAboutDescription),
    unplaced.filter((finding) => !isAboutDescription(finding)),
  ];
  return [
    { title: "About the whole change", findings: described },
    { title: "About whole files", findings: inFiles.filter(isAboutFile) },
    { title: "Couldn't be placed on a line", findings: inFiles.filter((finding) => !isAboutFile(finding)) },
  ];
}

/** "src/a.ts:3", or the path alone without an anchor. Not yet safe to print. */
export function placeOf({ finding, anchor }: Pick<PublishedFinding, "finding" | "anchor">): string {
  return anchor === null ? finding.path : `${anchor.path}:${anchor.startLine}`;
}
