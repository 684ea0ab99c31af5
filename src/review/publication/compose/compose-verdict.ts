/**
 * The one sentence that sums up a review. It distinguishes no findings, nothing to review, and an incomplete review, and
 * it never calls unread code clean.
 */
import { mostSevere } from "../../../base/severity.ts";
import type { Analysis } from "../../analysis/analysis.ts";
import type { Change } from "../../change/change.ts";
import type { DroppedFinding, JudgedFinding } from "../../findings/finding.ts";
import { makesIncomplete } from "./compose-receipt.ts";
import type { Conclusion, Degradation, Verdict } from "../publication.ts";
import type { Receipt } from "../receipt.ts";
import { count, grouped } from "../../../base/count.ts";
import {
  countSeverities,
  describeAmount,
  describeReaders,
  isAboutDescription,
  isComplete,
  joinWords,
  listOmissions,
  type Omission,
  partOf,
  unshownOf,
} from "../words.ts";

type VerdictInput = {
  readonly change: Change;
  readonly analysis: Analysis;
  readonly findings: readonly JudgedFinding[];
  readonly dropped: readonly DroppedFinding[];
  readonly receipt: Receipt;
  readonly degradations: readonly Degradation[];
  readonly reviewer: string;
  readonly rulesRun: number;
  readonly conclusion: Conclusion;
};

export function composeVerdict(input: VerdictInput): Verdict {
  const { change, analysis, findings, receipt } = input;
  const highest = mostSevere(findings.map(({ severity }) => severity));
  const open = countStillOpen(input.dropped);
  if (analysis.skippedBecause !== null && change.files.length > 0)
    return { outcome: "skipped", headline: describeSkipped(input, analysis.skippedBecause), highest };
  if (findings.length === 0) {
    if (change.files.length === 0) return { outcome: "empty", headline: describeEmpty(change), highest };
    if (receipt.coverage.reviewedFiles === 0 && receipt.coverage.isComplete && open === 0) {
      return {
        outcome: "empty",
        headline: `Nothing to review: ${describeUnread(receipt, () => true)}`,
        highest,
      };
    }
  }
  if (!isComplete(input)) return { outcome: "incomplete", headline: describeIncomplete(input), highest };
  if (findings.length > 0) return { outcome: "findings", headline: describeFindings(input), highest };
  const outcome = open > 0 ? "findings" : "clean";
  return { outcome, headline: describeSilence(input), highest };
}

/** Findings of an earlier review of the same pull request that are still there. */
function countStillOpen(dropped: readonly DroppedFinding[]): number {
  return dropped.filter(({ reason }) => reason === "dropped:already-told").length;
}

function describeEmpty(change: Change): string {
  const nothing: Partial<Record<Change["kind"], string>> = {
    "working-tree": "no changes in the working tree",
    staged: "no staged changes",
    diff: "the diff is empty",
  };
  const why =
    nothing[change.kind] ??
    (change.description === "" ? "no changed files" : `no changed files in ${change.description}`);
  return `Nothing to review: ${why}`;
}

/** Some rules run even when the review is skipped. */
function describeSkipped(input: VerdictInput, because: string): string {
  const skipped = `Review skipped: ${because}`;
  return input.findings.length === 0 ? skipped : `${skipped}. Reported anyway: ${describeFindings(input)}`;
}

/** "412 lines in 1 file (lock file) and 2 files (binary)". */
function describeUnread(receipt: Receipt, isWanted: (omission: Omission) => boolean): string {
  return joinWords(
    listOmissions(receipt)
      .filter(isWanted)
      .map((omission) => `${describeAmount(omission)} (${omission.label})`),
  );
}

function describeIncomplete(input: VerdictInput): string {
  const { receipt, findings } = input;
  const byModel = describeUnread(receipt, ({ isReadByRules }) => isReadByRules);
  const byAnyone = describeUnread(
    receipt,
    ({ reason, isReadByRules }) => makesIncomplete(reason) && !isReadByRules,
  );
  const unread = [
    ...(byAnyone === "" ? [] : [`${byAnyone} not reviewed`]),
    ...(byModel === "" ? [] : [`${byModel} not reviewed by a model`]),
    ...(receipt.coverage.isComplete ? ["the model didn't finish"] : []),
  ].join("; ");
  if (findings.length > 0) return `${describeFindings(input)}. Incomplete: ${unread}`;
  if (receipt.coverage.reviewedFiles > 0) return `Incomplete review: ${unread}. ${describeSilence(input)}`;
  const rest = byModel === "" ? "Nothing else to review" : describeSilence(input, "from built-in rules");
  return `Incomplete review: ${unread}. ${rest}`;
}

function describeSilence(input: VerdictInput, where = describeReading(input)): string {
  const { dropped, degradations } = input;
  const open = countStillOpen(dropped);
  const unshown = unshownOf(dropped).length - open;
  return [
    `No ${open > 0 ? "new " : ""}findings ${where}`,
    ...(open === 0 ? [] : [`${grouped(open)} still open`]),
    ...(unshown === 0 ? [] : [`${grouped(unshown)} not shown`]),
    ...(degradations.length === 0 ? [] : [`${count(degradations.length, "degradation")} (see below)`]),
  ].join("; ");
}

/** "in 3 files (40 added lines reviewed by …)". */
function describeReading(input: VerdictInput): string {
  const { coverage } = input.receipt;
  const files = partOf(coverage.reviewedFiles, coverage.files, "file");
  const lines = partOf(coverage.reviewedLines, coverage.addedLines, "added line");
  return `in ${files} (${lines} reviewed by ${describeReaders(input)})`;
}

function describeFindings({ findings, receipt, dropped }: VerdictInput): string {
  const inFiles = findings.filter((finding) => !isAboutDescription(finding));
  const paths = new Set(inFiles.map(({ finding }) => finding.path));
  const severities = countSeverities(findings.map(({ severity }) => severity));
  // A finding may name a path outside the change; "in 3 of 2 files" would be absurd.
  const files = Math.max(receipt.coverage.files, paths.size);
  const places = [
    ...(paths.size === 0 ? [] : [partOf(paths.size, files, "file")]),
    ...(inFiles.length === findings.length ? [] : ["the description"]),
  ];
  const open = countStillOpen(dropped);
  const earlier = open === 0 ? "" : `; ${grouped(open)} more still open`;
  return `${count(findings.length, open > 0 ? "new finding" : "finding")} (${severities}) in ${joinWords(places)}${earlier}`;
}
