/** A CI check of the head commit as its host reports it. All of its text comes from outside. */
import * as z from "zod";

export const CheckReport = z
  .object({
    name: z.string(),
    /** The host's own word: "failure", "success", "in_progress", … */
    state: z.string(),
    /** Where it failed and its own summary, cut to a few screens; "" for nothing. */
    summary: z.string(),
  })
  .readonly();
export type CheckReport = z.infer<typeof CheckReport>;
