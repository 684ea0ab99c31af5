/** A CI check of the head commit as its host reports it. All of its text comes from outside. */
import * as z from "zod";

/** The end of a log, masked and without colors and times, or why it couldn't be read. */
const CheckLog = z
  .union([
    z.object({ end: z.string() }),
    z.object({ problem: z.enum(["no-permission", "gone", "too-large", "failed"]) }),
  ])
  .readonly();
export type CheckLog = z.infer<typeof CheckLog>;

export type LogProblem = Extract<CheckLog, { readonly problem: unknown }>["problem"];

export const CheckReport = z
  .object({
    name: z.string(),
    /** The host's own word: "failure", "success", "in_progress", … */
    state: z.string(),
    /** Where it failed and its own summary, cut to a few screens; "" for nothing. */
    summary: z.string(),
    /** Left out for checks without a log at the host, and for those that didn't fail. */
    log: CheckLog.optional(),
  })
  .readonly();
export type CheckReport = z.infer<typeof CheckReport>;

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
