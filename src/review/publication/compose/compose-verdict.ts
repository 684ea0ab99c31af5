/**
 * The one sentence that sums up a review. It distinguishes no findings, nothing to review, and an incomplete review, and
 * it never calls unread code clean.
 */
import { mostSevere } from "../../../base/severity.ts";
import type { Change } from "../../change/change.ts";
import type { Scope } from "../../change/scope.ts";
import type { DroppedFinding, JudgedFinding } from "../../findings/finding.ts";
import { makesIncomplete } from "./compose-receipt.ts";
import type { Conclusion, Degradation, OpenFinding, Verdict } from "../publication.ts";
import type { HiddenFinding, ResolvedFinding } from "../../findings/settle-prior.ts";
import { isGapIncomplete } from "../../findings/checks.ts";
import type { Receipt } from "../receipt.ts";
import { count, grouped } from "../../../base/count.ts";
import {
  countReadFiles,
  countSeverities,
  describeAmount,
  describeGap,
  describeReaders,
  isAboutDescription,
  isComplete,
  joinWords,
  listOmissions,
  listSkimmed,
  type Omission,
  partOf,
  shortCommit,
  unshownOf,
} from "../words.ts";

type VerdictInput = {
  readonly change: Pick<Change, "kind" | "description"> & { readonly isEmpty: boolean };
  /** Why nothing was reviewed; null for a review. */
  readonly skippedBecause: string | null;
  readonly findings: readonly JudgedFinding[];
  readonly dropped: readonly DroppedFinding[];
  readonly stillOpen: readonly OpenFinding[];
  readonly answered: readonly OpenFinding[];
  readonly hidden: readonly HiddenFinding[];
  readonly resolved: readonly ResolvedFinding[];
  readonly scope: Pick<Scope, "full" | "since">;
  readonly receipt: Receipt;
  readonly degradations: readonly Degradation[];
  readonly reviewer: string;
  readonly rulesRun: number;
  readonly conclusion: Conclusion;
};

export function composeVerdict(input: VerdictInput): Verdict {
  const { change, skippedBecause, findings, receipt } = input;
  const known = input.stillOpen.map(({ judged }) => judged);
  const highest = mostSevere([...findings, ...known].map(({ severity }) => severity));
  const open = input.stillOpen.length;
  if (skippedBecause !== null && !change.isEmpty)
    return { outcome: "skipped", headline: describeSkipped(input, skippedBecause), highest };
  if (findings.length === 0) {
    if (change.isEmpty) return { outcome: "empty", headline: describeEmpty(change), highest };
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
  return { outcome, headline: describeNothingNew(input) ?? describeSilence(input), highest };
}

function describeEmpty(change: VerdictInput["change"]): string {
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

/** The details list all of them. */
const MAX_NAMED_GAPS = 3;

function describeIncomplete(input: VerdictInput): string {
  const { receipt, findings } = input;
  const byModel = describeUnread(receipt, ({ isReadByRules }) => isReadByRules);
  const byAnyone = describeUnread(
    receipt,
    ({ reason, isReadByRules }) => makesIncomplete(reason) && !isReadByRules,
  );
  const missed = receipt.gaps.filter(isGapIncomplete).slice(0, MAX_NAMED_GAPS).map(describeGap);
  const unread = [
    ...(byAnyone === "" ? [] : [`${byAnyone} not reviewed`]),
    ...(byModel === "" ? [] : [`${byModel} not reviewed by a model`]),
    ...(missed.length === 0 ? [] : [`not checked: ${missed.join(", ")}`]),
    ...(receipt.coverage.isComplete ? ["the model didn't finish"] : []),
  ].join("; ");
  if (findings.length > 0) return `${describeFindings(input)}. Incomplete: ${unread}`;
  if (receipt.coverage.reviewedFiles > 0) return `Incomplete review: ${unread}. ${describeSilence(input)}`;
  const rest = byModel === "" ? "Nothing else to review" : describeSilence(input, "from built-in rules");
  return `Incomplete review: ${unread}. ${rest}`;
}

function describeSilence(input: VerdictInput, where = describeReading(input)): string {
  const isOpen = input.stillOpen.length > 0;
  return [`No ${isOpen ? "new " : ""}findings ${where}`, ...listOthers(input)].join("; ");
}

/** Null when this review has read something. */
function describeNothingNew(input: VerdictInput): string | null {
  const { scope, receipt, stillOpen } = input;
  const { now, before } = countReadFiles(receipt);
  if (scope.full !== null || now > 0 || before === 0) return null;
  const none = stillOpen.length === 0 ? ["no open findings"] : [];
  return [`Nothing new to review since ${shortCommit(scope.since)}`, ...none, ...listOthers(input)].join(
    "; ",
  );
}

function listOthers({
  dropped,
  degradations,
  stillOpen,
  answered,
  hidden,
  resolved,
}: VerdictInput): readonly string[] {
  const ids = new Set(hidden.map(({ prior }) => prior.identity));
  const unshown = unshownOf(dropped).filter(({ id }) => !ids.has(id)).length;
  return [
    ...(stillOpen.length === 0 ? [] : [`${grouped(stillOpen.length)} still open`]),
    ...(answered.length === 0 ? [] : [`${grouped(answered.length)} dismissed or accepted`]),
    ...(hidden.length === 0 ? [] : [`${grouped(hidden.length)} ignored or suppressed`]),
    ...(resolved.length === 0 ? [] : [`${grouped(resolved.length)} resolved`]),
    ...(unshown === 0 ? [] : [`${grouped(unshown)} not shown`]),
    ...(degradations.length === 0 ? [] : [`${count(degradations.length, "degradation")} (see below)`]),
  ];
}

/**
 * "in 3 files (40 added lines reviewed by …)", "in 3 files (40 added lines: 5 reviewed by …, 35 reviewed before)". Lines that a model
 * should have read, and only the built-in rules did, count for the rules.
 */
function describeReading(input: VerdictInput): string {
  const { coverage, entries } = input.receipt;
  const { files, reviewedLines, carriedLines, addedLines } = coverage;
  const { now, before } = countReadFiles(input.receipt);
  const byRules = entries.reduce((sum, { readBy, lines }) => (readBy === "rules" ? sum + lines : sum), 0);
  const isModelSilent = input.reviewer === "floor";
  const skimmed = listSkimmed(input.receipt)?.lines ?? 0;
  const read = (isModelSilent ? reviewedLines + byRules : reviewedLines) - skimmed;
  const others = [
    ...(skimmed === 0 ? [] : [`${grouped(skimmed)} skimmed`]),
    ...(isModelSilent || byRules === 0 ? [] : [`${grouped(byRules)} by built-in rules only`]),
    ...(carriedLines === 0 ? [] : [`${grouped(carriedLines)} reviewed before`]),
  ];
  const by = `reviewed by ${describeReaders(input)}`;
  const lines =
    others.length === 0
      ? `${partOf(read, addedLines, "added line")} ${by}`
      : `${count(addedLines, "added line")}: ${[`${grouped(read)} ${by}`, ...others].join(", ")}`;
  return `in ${partOf(now + before, files, "file")} (${lines})`;
}

function describeFindings({
  findings,
  receipt,
  stillOpen,
  answered,
  hidden,
  resolved,
}: VerdictInput): string {
  const inFiles = findings.filter((finding) => !isAboutDescription(finding));
  const paths = new Set(inFiles.map(({ finding }) => finding.path));
  const severities = countSeverities(findings.map(({ severity }) => severity));
  // A finding may name a path outside the change; "in 3 of 2 files" would be absurd.
  const files = Math.max(receipt.coverage.files, paths.size);
  const places = [
    ...(paths.size === 0 ? [] : [partOf(paths.size, files, "file")]),
    ...(inFiles.length === findings.length ? [] : ["the description"]),
  ];
  const open = stillOpen.length;
  const earlier = [
    ...(open === 0 ? [] : [`; ${grouped(open)} more still open`]),
    ...(answered.length === 0 ? [] : [`; ${grouped(answered.length)} dismissed or accepted`]),
    ...(hidden.length === 0 ? [] : [`; ${grouped(hidden.length)} ignored or suppressed`]),
    ...(resolved.length === 0 ? [] : [`; ${grouped(resolved.length)} resolved`]),
  ].join("");
  return `${count(findings.length, open > 0 ? "new finding" : "finding")} (${severities}) in ${joinWords(places)}${earlier}`;
}
