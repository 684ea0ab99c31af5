/**
 * The contribution of another tool's SARIF file to a review. `analysers/sarif` creates it. Import the type with `import type`: the
 * schema loads zod, which only a recording needs.
 */
import * as z from "zod";
import { Finding } from "./finding.ts";

const count = z.int().min(0);

export const SarifReport = z
  .object({
    /** The file as the user named it. */
    file: z.string(),
    tools: z.array(z.object({ name: z.string(), version: z.string().nullable() }).readonly()).readonly(),
    /** All results in the file: those in `findings` and those counted in `skipped`. */
    results: count,
    findings: z.array(Finding).readonly(),
    skipped: z
      .object({
        /** On lines or in files that the change doesn't touch. */
        unchanged: count,
        /** In files outside the repository. */
        unmapped: count,
        /** Without a line number. */
        withoutLine: count,
        /** Not a problem: the check passed, or doesn't apply. */
        passed: count,
        /** Known from an earlier run, as `baselineState` says. */
        known: count,
        /** The same result again, by its fingerprint. */
        repeated: count,
        /** Beyond the most severe ones. */
        overLimit: count,
      })
      .readonly(),
  })
  .readonly();
export type SarifReport = z.infer<typeof SarifReport>;
