/** The details of a review in words, the same in every format. */
import { count, grouped } from "../../base/count.ts";
import { SEVERITY_LABELS } from "../../base/severity.ts";
import type { FullReason } from "../change/scope.ts";
import type { DroppedFinding, DropReason } from "../findings/finding.ts";
import { MAX_MODEL_FINDINGS } from "../findings/gravest-of-model.ts";
import type { CheckGap } from "../findings/check-gap.ts";
import type { EffectiveMode } from "../analysis/analysis.ts";
import type { AnalyserGap, AnalyserReport } from "../../linters/analyser-report.ts";
import type { Publication, ModelUsage, SarifSummary } from "./publication.ts";
import type { Receipt } from "./receipt.ts";
import {
  shortCommit,
  partOf,
  describeUsd,
  countReadFiles,
  type Omission,
  joinWords,
  MAX_NAMED_PATHS,
} from "./words.ts";

/** The advice as the end of a line that names paths. */
export function withAdvice({ advice }: Pick<Omission, "advice">): string {
  return advice === null ? "" : `. ${advice}`;
}

/** Why the model hasn't read lines that the rules have. */
export function whyRulesAlone({ reason, label }: Pick<Omission, "reason" | "label">): string {
  return reason === "limit:time" ? "the model ran out of time" : label;
}

const DROP_REASONS: Readonly<Record<DropReason, string>> = {
  "dropped:not-in-change": "outside the change",
  "dropped:withdrawn": "withdrawn",
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
  "filtered:below-mode": "below the reported severities",
};

function describeDrop({ reason, finding }: DroppedFinding): string {
  return reason === "suppressed:in-code" && finding.source === "sarif"
    ? "ignored by a comment or by the reporting tool"
    : DROP_REASONS[reason];
}

/** "3 below the reported severities, 2 suppressed by configuration"; empty when nothing was dropped. */
export function describeDropped(dropped: readonly DroppedFinding[]): string {
  const counts = new Map<string, number>();
  for (const each of dropped) {
    const why = describeDrop(each);
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

/** "balanced, chosen by change size; comments on medium and higher, and lists the rest". */
export function describeMode({
  mode,
  origin,
  minLevel,
  shownFrom,
  ignoredCategories,
  listedCategories,
}: EffectiveMode): string {
  const level = SEVERITY_LABELS[minLevel].toLowerCase();
  const commented = minLevel === "minor" ? "comments on all severities" : `comments on ${level} and higher`;
  const isListing = minLevel !== shownFrom || listedCategories.length > 0;
  const uncommented = [...ignoredCategories, ...listedCategories];
  const except = uncommented.length === 0 ? "" : ` except ${joinWords(uncommented)}`;
  return `${mode}, ${MODE_ORIGINS[origin]}; ${commented}${except}${isListing ? ", and lists the rest" : ""}`;
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
