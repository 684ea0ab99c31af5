/** Dependency changes in Markdown: the table, the confidence, the facts of each package, excerpts of release notes. */
import { ECOSYSTEM_LABELS } from "../../../ecosystems/ecosystem.ts";
import { count, grouped } from "../../../base/count.ts";
import type { DependencyReport, ReportedPackage } from "../../../ecosystems/dependency-report.ts";
import {
  describeAdvisorySource,
  describeConfidence,
  describeDisagreement,
  describeHeading,
  describeKind,
  describeRelation,
  describeUnread,
  describeVersion,
  listFacts,
  listGaps,
} from "../../../ecosystems/describe-dependencies.ts";
import { type FoldedPackage, foldPlatforms } from "../../../ecosystems/fold-platforms.ts";
import { item } from "./list-item.ts";
import { collapse, fitBlocks } from "./markdown-blocks.ts";
import { codeSpan, neutralise } from "./safe-markdown.ts";

/** The rest is counted: a regenerated lockfile changes hundreds. */
const MAX_ROWS = 40;
const MAX_CHARS = 16_000;
const MAX_NOTES_CHARS = 8_000;

export function renderDependencies(report: DependencyReport | null): string {
  if (report === null) return "";
  const { packages, disagreements, unread, confidence } = report;
  const folded = foldPlatforms(packages);
  const shown = folded.slice(0, MAX_ROWS);
  const rest = folded.slice(MAX_ROWS).flatMap(({ reported, platforms }) => [reported, ...platforms]);
  const source = describeAdvisorySource(report);
  const lines = [
    `### ${describeHeading(report)} (${grouped(packages.length)})`,
    "",
    `Merge confidence: ${item(describeConfidence(confidence))}`,
    "",
    ...(shown.length === 0 ? [] : renderTable(shown)),
    ...(rest.length > 0
      ? ["", `${count(rest.length, "more package")} changed, of which ${countDirect(rest)} direct.`]
      : []),
    "",
    ...shown.flatMap(renderFacts),
    ...disagreements.map((each) => `- ${item(describeDisagreement(each))}`),
    ...unread.map((each) => `- ${item(describeUnread(each))}`),
    ...listGaps(packages).map((gap) => `- ${item(gap)}`),
    ...(source === null ? [] : [`- ${item(source)}`]),
    "",
  ];
  const { kept, left } = fitBlocks(lines, MAX_CHARS);
  const cut = left === 0 ? [] : [`_${count(left, "more line")} didn't fit._`, ""];
  return [...kept, ...cut, ...renderNotes(shown)].join("\n");
}

const countDirect = (packages: readonly ReportedPackage[]): string =>
  grouped(packages.filter(({ change }) => change.isDirect === true).length);

function renderTable(packages: readonly FoldedPackage[]): readonly string[] {
  return [
    "| package | from | to | kind | relation | confidence |",
    "|---|---|---|---|---|---|",
    ...packages.map(({ reported: { change, confidence } }) => {
      const cells = [
        `${cell(change.name)} (${ECOSYSTEM_LABELS[change.ecosystem]})`,
        cell(describeVersion(change.from, change)),
        cell(describeVersion(change.to, change)),
        describeKind(change),
        item(describeRelation(change)),
        confidence.level,
      ];
      return `| ${cells.join(" | ")} |`;
    }),
  ];
}

/** A pipe would end the cell, even in a code span. */
const cell = (text: string): string => codeSpan(text.replaceAll("|", "¦"));

function renderFacts(folded: FoldedPackage): readonly string[] {
  const facts = listFacts(folded);
  if (facts.length === 0) return [];
  return [`- ${codeSpan(folded.reported.change.name)}`, ...facts.map((fact) => `  - ${item(fact)}`)];
}

function renderNotes(packages: readonly FoldedPackage[]): readonly string[] {
  const noted = packages.flatMap(({ reported: { change, changelog, compareUrl } }) => {
    if (changelog.kind !== "found")
      return compareUrl === null ? [] : [`${codeSpan(change.name)}: ${codeSpan(compareUrl)}`];
    const notes = changelog.value.notes.map(
      ({ version, text }) => `**${item(version)}**\n\n${neutralise(text)}`,
    );
    return [`${codeSpan(change.name)}\n\n${notes.join("\n\n")}\n`];
  });
  return noted.length === 0 ? [] : [collapse("Release notes", noted, MAX_NOTES_CHARS), ""];
}
