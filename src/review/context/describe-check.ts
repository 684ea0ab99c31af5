/** The words for a CI check. They are apart from its schema, which a review without a model doesn't load. */
import type { CheckReport, LogProblem } from "./check-report.ts";

const LOG_PROBLEMS: Readonly<Record<LogProblem, string>> = {
  "no-permission": "the permission Actions: read is missing",
  gone: "the host has it no longer, or not yet",
  "too-large": "it is too large",
  failed: "the download failed",
};

export function describeLogProblem(problem: LogProblem): string {
  return LOG_PROBLEMS[problem];
}

/** Everything that a check reported, with the end of its log last. */
export function textOfCheck({ summary, log }: Pick<CheckReport, "summary" | "log">): string {
  const lines = summary === "" ? [] : [summary];
  if (log !== undefined)
    lines.push(
      "end" in log
        ? `The end of its log:\n${log.end}`
        : `Its log couldn't be read: ${describeLogProblem(log.problem)}.`,
    );
  return lines.join("\n");
}
