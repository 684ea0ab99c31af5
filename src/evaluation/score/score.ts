/**
 * A score: what a run found of what is known, as data. Every report shows this value; `eval compare` and `--baseline` read it again.
 *
 * A schema and its type share one name.
 */
import * as z from "zod";
import { RunSettings } from "../run/run-file.ts";

export const SCORE_KIND = "kodiai-score";

/** Raised with every change after which an older version couldn't read a score. */
export const SCORE_FORMAT = 1;

const count = z.int().min(0);

/** A figure with the interval that 95 of 100 samples of pull requests give. Null where there is nothing to divide by. */
export const Estimate = z
  .object({ value: z.number().nullable(), low: z.number().nullable(), high: z.number().nullable() })
  .readonly();
export type Estimate = z.infer<typeof Estimate>;

/** `found`: known answers that a shown finding says. `right`: shown findings that say a known answer. */
const tally = { answers: count, found: count, shown: count, right: count };

export const Figures = z
  .object({ ...tally, recall: Estimate, precision: Estimate, f1: Estimate, f05: Estimate })
  .readonly();
export type Figures = z.infer<typeof Figures>;

export const Slice = z.object({ name: z.string(), cases: count, figures: Figures }).readonly();
export type Slice = z.infer<typeof Slice>;

/** How many findings ended so; `reason` tells dropped ones apart. */
export const LossRow = z.object({ fate: z.string(), reason: z.string().nullable(), count }).readonly();
export type LossRow = z.infer<typeof LossRow>;

export const Band = z
  .object({
    from: z.number(),
    to: z.number(),
    findings: count,
    right: count,
    meanConfidence: z.number().nullable(),
  })
  .readonly();
export type Band = z.infer<typeof Band>;

const rightAndWrong = z.object({ right: count, wrong: count }).readonly();

export const CaseScore = z
  .object({
    id: z.string(),
    isSound: z.boolean(),
    /** Reviews with a result; 0 when all failed or none ran. */
    reviews: count,
    ...tally,
    costUsd: z.number().nullable(),
  })
  .readonly();
export type CaseScore = z.infer<typeof CaseScore>;

/** The same figures with a model's judgement of meaning, and how far both agree about each pair of an answer and a finding. */
export const JudgeScore = z
  .object({
    model: z.string(),
    /** Reviews that it judged, and those for which it gave no answer. */
    judged: count,
    failed: count,
    figures: Figures,
    pairs: z.object({ both: count, onlyPlaceAndWords: count, onlyModel: count, neither: count }).readonly(),
    /** Cohen's kappa; null when there are no pairs, or no variation. */
    kappa: z.number().nullable(),
    costUsd: z.number().nullable(),
  })
  .readonly();
export type JudgeScore = z.infer<typeof JudgeScore>;

export const Score = z
  .object({
    kind: z.literal(SCORE_KIND),
    format: z.literal(SCORE_FORMAT),
    reviewer: z.string(),
    set: z.object({ name: z.string(), version: z.string() }).readonly(),
    settings: RunSettings,
    reviews: z
      .object({ wanted: count, done: count, failed: count, notRun: count, partial: count })
      .readonly(),
    failures: z
      .array(z.object({ case: z.string(), repeat: count, failure: z.string() }).readonly())
      .readonly(),
    partial: z
      .array(z.object({ case: z.string(), repeat: count, conclusion: z.string() }).readonly())
      .readonly(),
    /** Cases of which at least one review is missing. */
    notRun: z.array(z.string()).readonly(),
    /** Parts of the set or of the run that couldn't be read. */
    problems: z.array(z.object({ where: z.string(), problem: z.string() }).readonly()).readonly(),
    total: Figures,
    byLanguage: z.array(Slice).readonly(),
    bySeverity: z.array(Slice).readonly(),
    byCategory: z.array(Slice).readonly(),
    bySize: z.array(Slice).readonly(),
    sound: z.object({ reviews: count, findings: count, perReview: Estimate }).readonly(),
    cost: z
      .object({
        /** Of the reviews with a known price. */
        usd: z.number(),
        unpricedReviews: count,
        perReviewUsd: z.number().nullable(),
        tokens: z.object({ input: count, cachedInput: count, output: count }).readonly(),
        firstCallTokens: z.number().nullable(),
        ms: z.object({ median: z.number(), p95: z.number() }).readonly().nullable(),
      })
      .readonly(),
    /** `known`: known answers, by what became of the finding that said them. `all`: all findings. */
    losses: z
      .object({ known: z.array(LossRow).readonly(), neverReported: count, all: z.array(LossRow).readonly() })
      .readonly(),
    calibration: z.object({ of: z.enum(["model", "all"]), bands: z.array(Band).readonly() }).readonly(),
    /** By the verdict of a second reading; null when none was given. */
    verification: z
      .object({ confirmed: rightAndWrong, refuted: rightAndWrong, unsure: rightAndWrong })
      .readonly()
      .nullable(),
    judge: JudgeScore.nullable(),
    cases: z.array(CaseScore).readonly(),
  })
  .readonly();
export type Score = z.infer<typeof Score>;
