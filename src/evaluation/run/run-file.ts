/**
 * `run.json` of a run folder: the settings, and the cases with their known answers, so that a run can be scored without its set. It is
 * written once; a run is continued only with the same.
 *
 * A schema and its type share one name.
 */
import * as z from "zod";
import { KnownAnswer } from "../set/evaluation-set.ts";
import { RUN_FORMAT } from "./case-run.ts";

export const RUN_KIND = "kodiai-evaluation";

/** Settings that all reviews of a run share. */
export const RunSettings = z
  .object({
    /** `provider:name`, or "floor". */
    model: z.string(),
    verify: z.string().nullable(),
    passes: z.int().nullable(),
    /** Hash of the file of `--config`; null for the configuration of each repository. */
    config: z.string().nullable(),
    repeat: z.int().min(1),
    limit: z.int().min(1).nullable(),
  })
  .readonly();
export type RunSettings = z.infer<typeof RunSettings>;

export const RunCase = z
  .object({
    id: z.string(),
    title: z.string(),
    language: z.string(),
    isSound: z.boolean(),
    answers: z.array(KnownAnswer).readonly(),
  })
  .readonly();
export type RunCase = z.infer<typeof RunCase>;

export const RunFile = z
  .object({
    kind: z.literal(RUN_KIND),
    format: z.literal(RUN_FORMAT),
    /** The version of Kodiai, or the name of another tool whose stored results these are. */
    reviewer: z.string(),
    set: z.object({ name: z.string(), version: z.string() }).readonly(),
    settings: RunSettings,
    /** Makes the fences of prompts unguessable, and the same when a case is reviewed again. */
    salt: z.string(),
    /** Parts of the set that couldn't be used. */
    problems: z.array(z.object({ where: z.string(), problem: z.string() }).readonly()).readonly(),
    cases: z.array(RunCase).readonly(),
  })
  .readonly();
export type RunFile = z.infer<typeof RunFile>;
