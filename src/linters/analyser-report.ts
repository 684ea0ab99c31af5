/** The report of a linter: the files that it checked, and the ones that it left out. */
import * as z from "zod";

/** Files that an analyser should have checked, and didn't check or checked only in part. */
export const AnalyserGap = z
  .object({
    reason: z.enum([
      "off",
      "not-installed",
      "too-many",
      "too-large",
      "unread",
      "time",
      "memory",
      "failed",
      // The tool couldn't parse the file or a part of it.
      "unparsed",
      // The tool's results were over a limit, and the rest isn't known.
      "too-many-findings",
    ]),
    /** The number of paths. */
    files: z.int().min(1),
    paths: z.array(z.string()).readonly(),
    /** The failure; null for the other reasons. */
    message: z.string().nullable(),
  })
  .readonly();
export type AnalyserGap = z.infer<typeof AnalyserGap>;

/** One analyser's work on the change. */
export const AnalyserReport = z
  .object({
    name: z.string(),
    /** Null when it didn't run. */
    version: z.string().nullable(),
    /** The npm package that contains it. */
    package: z.string(),
    /** Files that it checked completely. */
    files: z.int().min(0),
    findings: z.int().min(0),
    ms: z.number(),
    gaps: z.array(AnalyserGap).readonly(),
  })
  .readonly();
export type AnalyserReport = z.infer<typeof AnalyserReport>;
