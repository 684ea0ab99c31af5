/** Numbers and reasons in words, the same in every format. */
import { count, grouped } from "../../base/count.ts";
import { SEVERITIES, SEVERITY_LABELS, type Severity } from "../../base/severity.ts";
import { DESCRIPTION_PATH } from "../findings/description-path.ts";
import type { DroppedFinding, DropReason } from "../findings/finding.ts";
import type { EffectiveMode } from "../analysis/analysis.ts";
import type { PassReport, Publication, PublishedFinding, ModelUsage } from "./publication.ts";
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
  "filtered:skip-paths": "left out by review.skipPaths",
  "limit:line-too-long": "line too long to read",
  "limit:too-large": "file too large to read",
  "limit:too-many-files": "folder with too many changed files",
  "limit:git-filter": "goes through a Git filter, which Kodiai doesn't run",
  "limit:time": "time ran out",
  "limit:file-cost": "takes too much time or memory to read",
  "limit:context": "not shown to the model for its size",
  "limit:budget": "the budget did not allow it",
  "limit:requests": "the hourly limit of model reviews was reached",
  "limit:stopped": "the review was stopped",
  "limit:large-change": "only mentioned to the model in a change of this size",
  "failed:model": "the model failed",
  "failed:rule-error": "a rule failed",
  binary: "binary",
  submodule: "submodule",
  symlink: "symbolic link",
  "lfs-pointer": "Git LFS pointer",
  unreadable: "could not be read",
  "mode-only": "only its mode changed",
  "skipped:no-review": "review skipped",
  "floor-off": "the floor is switched off",
};

export type Omission = {
  readonly reason: ReceiptReason;
  readonly label: string;
  /** The deterministic rules have read it, and only the model has not. */
  readonly isReadByRules: boolean;
  readonly lines: number;
  readonly files: number;
  /** Up to five, those with most lines first. */
  readonly paths: readonly string[];
};

/** What not everybody has read, by reason, most lines first: what the rules have read alone, then what nobody has. */
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
      isReadByRules,
      lines: entries.reduce((sum, { lines }) => sum + lines, 0),
      files: entries.length,
      paths: entries
        .toSorted((a, b) => b.lines - a.lines)
        .slice(0, MAX_NAMED_PATHS)
        .map(({ path }) => path),
    }))
    .toSorted((a, b) => b.lines - a.lines || b.files - a.files);
}

/** Why the model has not read it, beside the word that the rules have. */
export function whyRulesAlone({ reason, label }: Pick<Omission, "reason" | "label">): string {
  return reason === "limit:time" ? "the model had no time left for it" : label;
}

/** "412 lines in 3 files", or "2 files" where no line was added. */
export function describeAmount({ lines, files }: Pick<Omission, "lines" | "files">): string {
  return lines === 0 ? count(files, "file") : `${count(lines, "line")} in ${count(files, "file")}`;
}

const DROP_REASONS: Readonly<Record<DropReason, string>> = {
  "dropped:not-in-change": "outside the change",
  "dropped:duplicate": "said by another finding",
  "dropped:already-told": "already told",
  "dropped:below-confidence": "below the minimum confidence",
  "dropped:too-many": "beyond the gravest of the model",
  "suppressed:config": "suppressed by configuration",
  "suppressed:in-code": "ignored by a comment in the code",
  "suppressed:feedback": "suppressed by feedback",
  "filtered:tooling": "left to the repository's own tools",
  "filtered:category": "in ignored categories",
  "filtered:abbreviated-file": "below major in files that were only skimmed",
  "filtered:below-mode": "below the mode",
};

function describeDrop(reason: DropReason, mode: EffectiveMode): string {
  return reason === "filtered:below-mode" ? `below ${mode.mode} mode` : DROP_REASONS[reason];
}

/** "3 below balanced mode, 2 suppressed by configuration"; empty when nothing was dropped. */
export function describeDropped(dropped: readonly DroppedFinding[], mode: EffectiveMode): string {
  const counts = new Map<DropReason, number>();
  for (const { reason } of dropped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([reason, number]) => `${grouped(number)} ${describeDrop(reason, mode)}`)
    .join(", ");
}

const MODE_ORIGINS: Readonly<Record<EffectiveMode["origin"], string>> = {
  keyword: "asked for in the title or a commit",
  config: "set in the configuration",
  size: "chosen by the size of the change",
};

/** "balanced, chosen by the size of the change; tells medium and up". */
export function describeMode(mode: EffectiveMode): string {
  const level = SEVERITY_LABELS[mode.minLevel].toLowerCase();
  const told = mode.minLevel === "minor" ? "tells everything" : `tells ${level} and up`;
  const ignored =
    mode.ignoredCategories.length === 0 ? "" : `, leaves out ${joinWords(mode.ignoredCategories)}`;
  return `${mode.mode}, ${MODE_ORIGINS[mode.origin]}; ${told}${ignored}`;
}

/** Who read the change: "the deterministic floor (42 rules)". */
export function describeReviewer(details: Publication["details"]): string {
  const isFloorOff = details.rulesRun === 0 && details.reviewer !== "floor";
  return isFloorOff ? details.reviewer : `${describeReaders(details)} (${count(details.rulesRun, "rule")})`;
}

/** The same without the number of rules. */
export function describeReaders({
  reviewer,
  rulesRun,
}: Pick<Publication["details"], "reviewer" | "rulesRun">): string {
  if (reviewer === "floor") return "the deterministic floor";
  return rulesRun === 0 ? reviewer : `${reviewer} and the deterministic floor`;
}

/** True when everything was read, and everybody who read came to the end of it. */
export function isComplete({ conclusion, receipt }: Pick<Publication, "conclusion" | "receipt">): boolean {
  return conclusion === "complete" && receipt.coverage.isComplete;
}

/** "anthropic:x, 3 turns, 12,000 tokens in (8,000 cached), 900 out, USD 0.05, and up to USD 0.12 for work that was cut off". */
export function describeUsage({ model, turns, costUsd, cutOffUsd, ...tokens }: ModelUsage): string {
  const cached = tokens.cachedInputTokens === 0 ? "" : ` (${grouped(tokens.cachedInputTokens)} cached)`;
  return [
    model,
    count(turns, "turn"),
    `${count(tokens.inputTokens, "token")} in${cached}`,
    `${grouped(tokens.outputTokens)} out`,
    costUsd === null ? "price not known, so no budget in US dollars holds" : describeUsd(costUsd),
    ...(cutOffUsd === 0 ? [] : [`and up to ${describeUsd(cutOffUsd)} for work that was cut off`]),
  ].join(", ");
}

export function describeCost(costUsd: number | null): string {
  return costUsd === null ? "price not known" : describeUsd(costUsd);
}

/** Cents are too coarse for small models and small budgets. */
export function describeUsd(usd: number): string {
  return `USD ${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`;
}

/** The attempts of models; the floor's is told with the reviewer. */
export function modelPasses({ passes }: Pick<Publication, "passes">): readonly PassReport[] {
  return passes.filter(({ step }) => step !== "floor");
}

/** Which part of the change somebody says something about: "part 2 of 3: ", or nothing where there is only one. */
export function partPrefix(pass: string): string {
  return pass === "review" ? "" : `${pass}: `;
}

/** "340 of 412 added lines in 10 of 12 files". */
export function describeCoverage({ coverage }: Receipt): string {
  return `${partOf(coverage.reviewedLines, coverage.addedLines, "added line")} in ${partOf(coverage.reviewedFiles, coverage.files, "file")}`;
}

/** "0 of 7 added lines" would deny what is said next; files without lines beside them are not worth a word. */
export function isReadByRulesAlone({ coverage, entries }: Receipt): boolean {
  return coverage.reviewedLines === 0 && entries.some(({ readBy }) => readBy === "rules");
}

/** "3 of 12 files", or "12 files" when it is all of them. */
export function partOf(part: number, whole: number, noun: string): string {
  return part === whole ? count(whole, noun) : `${grouped(part)} of ${count(whole, noun)}`;
}

/** The sections every format for people has; a finding is in exactly one. */
type FindingGroups = {
  /** Told on their lines. */
  readonly placed: readonly PublishedFinding[];
  /** Those whose code was not found in the change, and those about a file as a whole. */
  readonly unplaced: readonly PublishedFinding[];
  /** "More findings". */
  readonly more: readonly PublishedFinding[];
};

export function groupFindings(findings: readonly PublishedFinding[]): FindingGroups {
  const told = findings.filter(({ placement }) => placement !== "details");
  return {
    placed: told.filter(({ anchor }) => anchor !== null),
    unplaced: told.filter(({ anchor }) => anchor === null),
    more: findings.filter(({ placement }) => placement === "details"),
  };
}

/** True when the finding names no code: it is about the file, not lost. */
export function isAboutFile({ finding }: Pick<PublishedFinding, "finding">): boolean {
  return finding.quote === "";
}

/** True for the title, the description and the messages of the commits: they are no file. */
export function isAboutDescription({ finding }: Pick<PublishedFinding, "finding">): boolean {
  return finding.path === DESCRIPTION_PATH;
}

/** The sections of findings without a line, in order; empty ones too. */
export function sectionUnplaced(
  unplaced: readonly PublishedFinding[],
): readonly { readonly title: string; readonly findings: readonly PublishedFinding[] }[] {
  const [described, inFiles] = [
    unplaced.filter(isAboutDescription),
    unplaced.filter((finding) => !isAboutDescription(finding)),
  ];
  return [
    { title: "About the change as a whole", findings: described },
    { title: "About a file as a whole", findings: inFiles.filter(isAboutFile) },
    { title: "Could not be placed", findings: inFiles.filter((finding) => !isAboutFile(finding)) },
  ];
}

/** "src/a.ts:3", or the path alone without an anchor. Not yet safe to print. */
export function placeOf({ finding, anchor }: Pick<PublishedFinding, "finding" | "anchor">): string {
  return anchor === null ? finding.path : `${anchor.path}:${anchor.startLine}`;
}
