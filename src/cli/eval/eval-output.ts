/** Writes a report about an evaluation in the wanted format, to standard output or a file. */
import { printable } from "../../base/printable.ts";
import type { EvalReport } from "../../evaluation/report/eval-report.ts";
import type { CliDeps, OptionSpec, ParsedArguments } from "../command.ts";

export const EVAL_FORMATS = ["terminal", "markdown", "json", "html"] as const;
export type EvalFormat = (typeof EVAL_FORMATS)[number];

export const EVAL_OUTPUT = {
  format: { type: "string", short: "f", value: "FORMAT", choices: EVAL_FORMATS, help: "output format" },
  output: { type: "string", short: "o", value: "FILE", help: "write to a file instead of standard output" },
} as const satisfies Record<string, OptionSpec>;

/** `data`: what JSON has. The same value gives the same bytes. */
export async function renderEval(format: EvalFormat, report: EvalReport, data: unknown): Promise<string> {
  if (format === "json") return `${JSON.stringify(data, null, 1)}\n`;
  if (format === "html")
    return (await import("../../evaluation/report/render-eval-html.ts")).renderEvalHtml(report);
  const { renderEvalMarkdown, renderEvalTerminal } =
    await import("../../evaluation/report/render-eval-text.ts");
  return format === "markdown" ? renderEvalMarkdown(report) : renderEvalTerminal(report);
}

export async function writeEval(
  report: EvalReport,
  data: unknown,
  { options, deps }: Pick<ParsedArguments, "options"> & { readonly deps: CliDeps },
): Promise<void> {
  const { output } = options;
  // The option's choices are the formats.
  const text = await renderEval((options["format"] ?? "terminal") as EvalFormat, report, data);
  if (typeof output !== "string") return deps.stdout.write(text);
  await deps.files.writeFile(output, text, { overwrite: true });
  deps.stderr.write(`kodiai: wrote ${printable(output)}\n`);
}
