/** Numbers and reasons in words, the same in every format. */
import { count, grouped } from "../../base/count.ts";
import { SEVERITIES, SEVERITY_LABELS, type Severity, severityRank } from "../../base/severity.ts";
import { MAX_LINE_CHARS } from "../change/change-limits.ts";
import { DESCRIPTION_PATH } from "../findings/description-path.ts";
import type { DroppedFinding } from "../findings/finding.ts";
import type { CheckGap } from "../findings/check-gap.ts";
import type { OpenFinding, PassReport, Publication } from "./publication.ts";
import type { Receipt, ReceiptEntry, ReceiptReason } from "./receipt.ts";

/** Paths named per reason; the rest is counted. */
export const MAX_NAMED_PATHS = 5;

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
  "limit:triage": "skipped by the triage model",
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

/** Lines of a receipt that are alike. */
export type ReceiptLines = {
  readonly lines: number;
  readonly files: number;
  /** Up to five, those with most lines first. `part` is " (2 of 5 hunks)" when the others were read, or empty. */
  readonly paths: readonly { readonly path: string; readonly part: string }[];
};

export type Omission = ReceiptLines & {
  readonly reason: ReceiptReason;
  readonly label: string;
  /** Sentences; null when there is nothing to do. */
  readonly advice: string | null;
  /** The built-in rules have read it, and only the model hasn't. */
  readonly isReadByRules: boolean;
};

/** Lines that the model was asked to skim; null for none. */
export function listSkimmed({ entries }: Receipt): ReceiptLines | null {
  const skimmed = entries.filter(({ isSkimmed }) => isSkimmed === true);
  return skimmed.length === 0 ? null : addUp(skimmed);
}

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
      ...addUp(entries),
    }))
    .toSorted((a, b) => b.lines - a.lines || b.files - a.files);
}

function addUp(entries: readonly ReceiptEntry[]): ReceiptLines {
  return {
    lines: entries.reduce((sum, { lines }) => sum + lines, 0),
    files: entries.length,
    paths: entries
      .toSorted((a, b) => b.lines - a.lines)
      .slice(0, MAX_NAMED_PATHS)
      .map(({ path, hunks }) => ({
        path,
        part: hunks === undefined ? "" : ` (${partOf(hunks.unread, hunks.total, "hunk")})`,
      })),
  };
}

/** "412 lines in 3 files", or "2 files" where no line was added. */
export function describeAmount({ lines, files }: Pick<Omission, "lines" | "files">): string {
  return lines === 0 ? count(files, "file") : `${count(lines, "line")} in ${count(files, "file")}`;
}

/** Dropped findings that the output doesn't show in another form. A finding that was merged is part of another one. */
export function unshownOf(dropped: readonly DroppedFinding[]): readonly DroppedFinding[] {
  return dropped.filter(({ reason }) => reason !== "dropped:duplicate" && reason !== "dropped:withdrawn");
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

/** True when every line was read and every reviewer finished. */
export function isComplete({ conclusion, receipt }: Pick<Publication, "conclusion" | "receipt">): boolean {
  return conclusion === "complete" && receipt.coverage.isComplete;
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

/** A person's verdict on a finding, as people say it. */
export const ANSWER_WORDS = { contested: "dismissed", waived: "accepted" } as const;

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

/** "3 of 12 files", or "12 files" when it is all of them. */
export function partOf(part: number, whole: number, noun: string): string {
  return part === whole ? count(whole, noun) : `${grouped(part)} of ${count(whole, noun)}`;
}

/** True for findings about the title, the description or commit messages, which aren't files. */
export function isAboutDescription({ finding }: { readonly finding: { readonly path: string } }): boolean {
  return finding.path === DESCRIPTION_PATH;
}
