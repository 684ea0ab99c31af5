/** A report about an evaluation as plain text for a terminal, and as Markdown. Texts of sets and models stay text. */
import { printable } from "../../base/printable.ts";
import { neutraliseInline } from "../../review/publication/render/safe-markdown.ts";
import type { EvalReport, ReportSection } from "./eval-report.ts";

export function renderEvalTerminal({ title, subtitle, warnings, sections }: EvalReport): string {
  const blocks = [
    [title, subtitle],
    ...(warnings.length === 0 ? [] : [["INCOMPLETE", ...warnings]]),
    ...sections.map(({ title: name, note, columns, rows }) => [
      name,
      ...alignTable([columns, ...rows.map((row) => row.map(printable))]).map((line) => `  ${line}`),
      `  ${note}`,
    ]),
  ];
  return `${blocks.map((lines) => lines.map(printable).join("\n")).join("\n\n")}\n`;
}

/** The first column to the left, figures to the right; a table of two columns is a list. */
function alignTable(rows: readonly (readonly string[])[]): readonly string[] {
  const isList = rows[0]?.length === 2;
  const body = isList ? rows.slice(1) : rows;
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(0, ...body.map((row) => row[column]?.length ?? 0)),
  );
  return body.map((row) =>
    row
      .map((cell, column) =>
        column === 0 || isList ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

export function renderEvalMarkdown({ title, subtitle, warnings, sections }: EvalReport): string {
  const safe = neutraliseInline;
  const lines = [
    `# ${safe(title)}`,
    "",
    safe(subtitle),
    "",
    ...(warnings.length === 0
      ? []
      : [
          "**Incomplete**",
          "",
          ...warnings.map((line) => `${line.startsWith("  ") ? "  " : ""}- ${safe(line.trim())}`),
          "",
        ]),
    ...sections.flatMap((section) => [
      "",
      `## ${safe(section.title)}`,
      "",
      ...tableLines(section),
      "",
      safe(section.note),
      "",
    ]),
  ];
  return `${lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trimEnd()}\n`;
}

function tableLines({ columns, rows }: ReportSection): readonly string[] {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => neutraliseInline(cell).replaceAll("|", "&#124;")).join(" | ")} |`;
  return [
    row(columns),
    `|${columns.map((_, at) => (at === 0 ? "---|" : "---:|")).join("")}`,
    ...rows.map(row),
  ];
}
