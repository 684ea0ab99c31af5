/**
 * The review as GitHub workflow commands: lines that a workflow's log turns into annotations. Kodiai writes every command;
 * text under review can't start another.
 */
import { SEVERITY_LABELS, type Severity } from "../../../base/severity.ts";
import { workflowCommand } from "../../../base/workflow-command.ts";
import { chooseSpread } from "../../findings/choose-spread.ts";
import { describeContents } from "../describe-contents.ts";
import { describeInForce } from "../describe-memory.ts";
import type { Publication, PublishedFinding } from "../publication.ts";
import { count } from "../../../base/count.ts";
import { describeScope } from "../describe-details.ts";
import { isAboutFile } from "../group-findings.ts";
import { isAboutDescription, joinWords } from "../words.ts";

type Level = "error" | "warning" | "notice";

const LEVELS: Readonly<Record<Severity, Level>> = {
  critical: "error",
  "must-fix": "error",
  major: "warning",
  medium: "warning",
  minor: "notice",
};

/** GitHub shows ten annotations per level and step; two notices are reserved for the verdict and for the overflow. */
const MAX_PER_LEVEL: Readonly<Record<Level, number>> = { error: 10, warning: 10, notice: 8 };

export function renderWorkflowCommands(publication: Publication): string {
  const inline = publication.findings.filter(({ placement }) => placement !== "details");
  const known = publication.stillOpen.map(({ judged }) => judged);
  const more = [...publication.findings.filter(({ placement }) => placement === "details"), ...known];
  const lines: string[] = [];
  const hidden: string[] = [];
  for (const level of ["error", "warning", "notice"] as const) {
    const findings = [...inline, ...more].filter(({ severity }) => LEVELS[severity] === level);
    const kept = chooseSpread(findings, MAX_PER_LEVEL[level]);
    lines.push(
      ...findings.filter((finding) => kept.has(finding)).map((finding) => renderFinding(finding, level)),
    );
    if (findings.length > kept.size) hidden.push(count(findings.length - kept.size, `more ${level}`));
  }
  if (hidden.length > 0) {
    const message = `GitHub shows at most 10 annotations per level and step; ${joinWords(hidden)} not shown. The JSON output lists all findings.`;
    lines.push(workflowCommand("notice", { title: "Kodiai" }, message));
  }
  const { verdict, change, details, overview } = publication;
  const described = overview.length > 0 ? [] : describeContents(change.contents, details.riskSignals);
  const contents = described.length === 0 ? [] : [described.join("\n")];
  const read = describeScope(publication);
  const scope = read === null ? [] : [`Read: ${read}`];
  const hiding = publication.memory.suppressions
    .filter((each) => each.hidden > 0)
    .map((each) => `Suppressed by feedback: ${describeInForce(each)}`);
  const texts = [verdict.headline, ...scope, ...contents, ...hiding];
  lines.push(workflowCommand("notice", { title: "Kodiai" }, texts.join("\n\n")));
  return `${lines.join("\n")}\n`;
}

function renderFinding(published: PublishedFinding, level: Level): string {
  const { finding, anchor, headLine, suggestion } = published;
  const endLine = anchor?.side === "new" ? anchor.endLine : headLine;
  const place = headLine === null ? {} : { line: String(headLine), endLine: String(endLine ?? headLine) };
  const isOfTool = finding.source === "sarif" && finding.rule !== null;
  const advice = suggestion.kind === "verified" ? `\n\nSuggested change:\n${suggestion.replacement}` : "";
  return workflowCommand(
    level,
    {
      ...(isAboutDescription(published) ? {} : { file: anchor?.path ?? finding.path }),
      ...place,
      title: `${SEVERITY_LABELS[published.severity]}: ${finding.title}`,
    },
    `${placeNote(published)}${finding.body}${advice}${isOfTool ? `\n\nFound by ${finding.rule}.` : ""}`,
  );
}

function placeNote(published: PublishedFinding): string {
  const { anchor } = published;
  if (anchor?.side === "old") return `About removed code (line ${anchor.startLine} before the change). `;
  return anchor === null && !isAboutFile(published) ? "Couldn't be placed on a line. " : "";
}
