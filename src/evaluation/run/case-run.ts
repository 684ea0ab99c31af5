/**
 * One review of one case, as a run keeps it: everything that scoring needs, without the recording. A run folder has
 * `run.json`, `cases/<case>.<repeat>.json` with one CaseRun each, and `recordings/<case>.<repeat>.json.gz`.
 *
 * A schema and its type share one name.
 */
import * as z from "zod";
import { CATEGORIES, SEVERITIES } from "../../base/severity.ts";
import { FINDING_SOURCES } from "../../review/context/finding-sources.ts";

/** Raised with every change after which an older version couldn't read a run. */
export const RUN_FORMAT = 1;

/**
 * Something a reviewer reported, and what became of it. `fate` is "shown" for what a reader sees as a comment or in a list; every other
 * one is a way to lose it. A merged finding has the index of the other one in `mergedInto`.
 */
export const EvaluatedFinding = z
  .object({
    title: z.string(),
    body: z.string(),
    path: z.string(),
    side: z.enum(["new", "old"]),
    /** Null when it has no place. */
    lines: z.tuple([z.int(), z.int()]).readonly().nullable(),
    severity: z.enum(SEVERITIES),
    category: z.enum(CATEGORIES),
    confidence: z.number(),
    source: z.enum(FINDING_SOURCES),
    rule: z.string().nullable(),
    pass: z.string(),
    fate: z.enum([
      "shown",
      "not-placed",
      "merged",
      "below-threshold",
      "over-limit",
      "withdrawn",
      "refuted",
      "dropped",
    ]),
    /** Where a shown one is shown; null for the others. */
    placement: z.enum(["inline", "summary", "details"]).nullable(),
    /** The exact reason of a dropped one, such as "dropped:not-in-change"; null for the others. */
    reason: z.string().nullable(),
    mergedInto: z.int().nullable(),
    verdict: z.enum(["confirmed", "refuted", "unsure"]).nullable(),
  })
  .readonly();
export type EvaluatedFinding = z.infer<typeof EvaluatedFinding>;

export const CaseRun = z
  .object({
    format: z.literal(RUN_FORMAT),
    case: z.string(),
    /** 1 for the first. */
    repeat: z.int().min(1),
    /** Why the review has no result; null when it has one. A failed case never counts as one without findings. */
    failure: z.string().nullable(),
    /** "complete", or how it ended early; null when it failed. */
    conclusion: z.string().nullable(),
    findings: z.array(EvaluatedFinding).readonly(),
    /** Of the change: lines added and removed, and files. */
    size: z.object({ lines: z.int(), files: z.int() }).readonly(),
    /** Null when a model's price is unknown. Upper bounds of interrupted calls are included. */
    costUsd: z.number().nullable(),
    tokens: z.object({ input: z.int(), cachedInput: z.int(), output: z.int() }).readonly(),
    /** Input tokens of the first call of a model; null without one. */
    firstCallTokens: z.int().nullable(),
    ms: z.number(),
  })
  .readonly();
export type CaseRun = z.infer<typeof CaseRun>;
