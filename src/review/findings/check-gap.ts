/**
 * A gap: something that a check applies to and didn't check. Every check (a rule, a parser, a linter, a comparison, a look-up) either
 * runs on what it applies to or leaves a gap. Import the types with `import type`: the schema loads zod.
 */
import * as z from "zod";

export const CheckGap = z
  .object({
    /** The check, as text for people: "ruff", "Python parser", "advisories". */
    check: z.string(),
    /**
     * off: a person switched it off, or gave only a diff. not-installed: it is missing from the installation. limit: a limit of ours
     * stopped it. failed: it failed, or what it needs didn't answer.
     */
    reason: z.enum(["off", "not-installed", "limit", "failed"]),
    /** The event or the advice, as the rest of a sentence; null when the reason says it. */
    detail: z.string().nullable(),
    /** The files that it didn't check; null for the whole change. */
    paths: z.array(z.string()).readonly().nullable(),
    /** The rules that lacked it. "ruff/" stands for all rules of that tool. */
    rules: z.array(z.string()).readonly(),
  })
  .readonly();
export type CheckGap = z.infer<typeof CheckGap>;
