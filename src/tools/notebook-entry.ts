/** One entry of a review's notebook: what a pass found, read or said, or how it ended. */
import * as z from "zod";
import { Outcome, PassStep } from "../model/outcome.ts";
import { Verification } from "../review/context/verification.ts";
import { Dispute, Finding } from "../review/findings/finding.ts";
import { PromptSize } from "../review/publication/publication.ts";

const count = z.int().min(0);
const paths = z.array(z.string()).readonly();

const parts = z
  .array(z.object({ path: z.string(), hunks: z.array(z.int().min(1)).readonly() }).readonly())
  .readonly();

/** Hunks of files that aren't in the list of whole files; absent when there are none. */
const someParts = parts.exactOptional();

/** Numbers go upwards. */
const numbered = { number: count, pass: z.string() };

export const NumberedEntry = z.discriminatedUnion("kind", [
  z
    .object({
      ...numbered,
      kind: z.literal("finding"),
      finding: Finding,
      /** Number of an earlier entry that this one says better: the model has quoted the line again. */
      replaces: count.nullable(),
    })
    .readonly(),
  /** The model's answer about a finding of an earlier review, by the finding's number. */
  z
    .object({
      ...numbered,
      kind: z.literal("checked"),
      finding: count,
      verdict: z.enum(["still-there", "fixed"]),
      quote: z.string(),
    })
    .readonly(),
  /** A verifier's verdict about a finding, by the claim's key; or the fact that it gave none. */
  z
    .object({ ...numbered, kind: z.literal("verdict"), claim: z.string(), verification: Verification })
    .readonly(),
  /** The model takes back a finding, by the number of its entry. */
  z.object({ ...numbered, kind: z.literal("withdrawn"), finding: count, because: z.string() }).readonly(),
  /** The model says that the finding of a rule or linter is wrong, by the finding's key. */
  z.object({ ...numbered, kind: z.literal("disputed"), finding: z.string(), dispute: Dispute }).readonly(),
  /** The model says it has read them; they were shown to it. */
  z.object({ ...numbered, kind: z.literal("reviewed"), paths, parts: someParts }).readonly(),
  z.object({ ...numbered, kind: z.literal("summary"), text: z.string() }).readonly(),
  /** How closely the hunks of a very large change are read. Hunks in neither list are read closely. */
  z.object({ ...numbered, kind: z.literal("triage"), skip: paths, skim: parts }).readonly(),
  /** A pass, or an attempt at it, has ended. */
  z
    .object({
      ...numbered,
      kind: z.literal("outcome"),
      step: PassStep,
      outcome: Outcome,
      /** Null when the price of the model is not known. */
      costUsd: z.number().nullable(),
      /** How many files it was to read. */
      files: count,
      /** Paths whose changes were shown to the model, in the prompt or by a tool. */
      shownPaths: paths,
      shownParts: someParts,
      /** The sections of the prompt; absent when there was none. */
      sections: z.array(PromptSize).readonly().exactOptional(),
      /** The pass is over: a review that is resumed does not repeat it. */
      isLast: z.boolean(),
    })
    .readonly(),
]);
export type NumberedEntry = z.infer<typeof NumberedEntry>;

/** An entry that is not in the notebook yet. */
export type NotebookEntry = WithoutNumber<NumberedEntry>;

type WithoutNumber<Entry> = Entry extends unknown ? Omit<Entry, "number"> : never;
