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
