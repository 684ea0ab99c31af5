/** The checks of the head that failed, with the end of what each reported. */
import type { CheckReport } from "../../context/check-report.ts";
import { textOfCheck } from "../../context/describe-check.ts";
import type { Guard } from "../../untrusted/guard.ts";
import { fitLines, fitOnLine, leftNote } from "../fit.ts";
import { NOTHING, type RenderedSection } from "../section.ts";
import type { Surroundings } from "./surroundings.ts";

const MAX_CHECKS_CHARS = 6_000;

/** Of one check: places and a summary come first, and the end of a log has the cause. */
const MAX_START_CHARS = 900;
const MAX_END_CHARS = 1_500;

/** Three logs fit together with the names of the other checks. */
const MAX_LOG_CHARS = 1_700;

const MAX_NAME_CHARS = 200;

/** The host's words for checks that haven't failed. */
const NOT_FAILED: ReadonlySet<string> = new Set([
  "success",
  "neutral",
  "skipped",
  "queued",
  "in_progress",
  "pending",
  "waiting",
  "requested",
]);

export function showFailedChecks({ known }: Surroundings, guard: Guard): RenderedSection {
  const failed = (known?.checks ?? []).filter(({ state }) => !NOT_FAILED.has(state));
  if (failed.length === 0) return NOTHING;
  const listed = failed.map((check) => describe(check, guard));
  const { lines, left, cutChars } = fitLines(listed, { budgetChars: MAX_CHECKS_CHARS });
  const fenced = guard.fence("failed checks", lines.join("\n"));
  return {
    text: `# Failed checks of the head\nci_status has the other checks.\n${fenced}${leftNote(left)}`,
    cutChars,
  };
}

function describe({ name, state, summary, log }: CheckReport, guard: Guard): string {
  const head = `- ${state}: ${fitOnLine(name, MAX_NAME_CHARS, guard)}`;
  const report = textOfCheck({
    summary: shorten(guard.code(summary.toWellFormed()).trim()),
    log: log !== undefined && "end" in log ? { end: endOfLog(guard.code(log.end)) } : log,
  });
  if (report === "") return head;
  return [
    head,
    ...report
      .toWellFormed()
      .split("\n")
      .map((line) => `  ${line}`),
  ].join("\n");
}

function shorten(report: string): string {
  const isShort = report.length <= MAX_START_CHARS + MAX_END_CHARS;
  return isShort ? report : `${report.slice(0, MAX_START_CHARS)}\n…\n${report.slice(-MAX_END_CHARS)}`;
}

/** From the start of a line. */
function endOfLog(end: string): string {
  if (end.length <= MAX_LOG_CHARS) return end;
  const cut = end.slice(-MAX_LOG_CHARS);
  return cut.slice(cut.indexOf("\n") + 1);
}
