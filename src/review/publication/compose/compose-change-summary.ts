/** Summarizes a change for people from the diff and the ledger, without a model. */
import { count, grouped } from "../../../base/count.ts";
import { type Severity, SEVERITIES, SEVERITY_LABELS } from "../../../base/severity.ts";
import type { Analysis } from "../../analysis/analysis.ts";
import type { Change } from "../../change/change.ts";
import { isLive, type LifeState } from "../../context/life-states.ts";
import { describeContents } from "../describe-contents.ts";
import { renderContents } from "../render/markdown-blocks.ts";
import { codeSpan } from "../render/safe-markdown.ts";
import { composeContents } from "./compose-contents.ts";

/** More is the diff itself. */
const MAX_FILES = 10;

export type SummarizedFinding = { readonly severity: string; readonly state: string };

export type ChangeSummaryInput = {
  readonly change: Pick<Change, "files" | "commits">;
  readonly analysis: Pick<Analysis, "byPath" | "riskSignals" | "intent">;
  readonly findings: readonly SummarizedFinding[];
};

export function composeChangeSummary({ change, analysis, findings }: ChangeSummaryInput): string {
  const { files, commits } = change;
  if (files.length === 0) return "There is no change to summarize: the diff is empty.";
  const size = [
    count(files.length, "file"),
    `+${grouped(sum(files.map(({ addedLines }) => addedLines)))} −${grouped(sum(files.map(({ removedLines }) => removedLines)))} lines`,
    ...(commits.length === 0 ? [] : [count(commits.length, "commit")]),
  ].join(", ");
  const { riskSignals, intent } = analysis;
  const breaking = intent.isBreaking ? "- Announced as a breaking change\n" : "";
  return [
    `**${size}.**`,
    [
      `${renderContents(describeContents(composeContents(files, analysis), riskSignals))}${breaking}`,
      `- Findings: ${describeFindings(findings)}`,
    ].join(""),
    listLargest(change.files),
  ].join("\n\n");
}

function describeFindings(findings: readonly SummarizedFinding[]): string {
  const answered = findings.filter(({ state }) => state === "contested" || state === "waived");
  const open = findings.filter((each) => isLive(each.state as LifeState) && !answered.includes(each));
  const settled = findings.length - open.length - answered.length;
  const bySeverity = SEVERITIES.flatMap((severity: Severity) => {
    const own = open.filter((finding) => finding.severity === severity);
    return own.length === 0 ? [] : [`${grouped(own.length)} ${SEVERITY_LABELS[severity].toLowerCase()}`];
  });
  const words =
    bySeverity.length === 0 ? "none open" : `${grouped(open.length)} open (${bySeverity.join(", ")})`;
  return [
    words,
    ...(answered.length === 0 ? [] : [`${grouped(answered.length)} dismissed or accepted`]),
    ...(settled === 0 ? [] : [`${grouped(settled)} settled`]),
  ].join(", ");
}

/** The files with the most changed lines. */
function listLargest(files: Change["files"]): string {
  const byLines = files.toSorted(
    (a, b) => b.addedLines + b.removedLines - (a.addedLines + a.removedLines) || (a.path < b.path ? -1 : 1),
  );
  const shown = byLines
    .slice(0, MAX_FILES)
    .map(
      ({ path, status, addedLines, removedLines }) =>
        `- ${codeSpan(path)} (${status}, +${grouped(addedLines)} −${grouped(removedLines)})`,
    );
  const rest = files.length - shown.length;
  return [...shown, ...(rest > 0 ? [`- … and ${count(rest, "more file")}`] : [])].join("\n");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
