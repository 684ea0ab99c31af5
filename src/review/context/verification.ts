/**
 * The result of a second reading of a finding: a model got the claim and the code, and tried to refute it. Import the types with
 * `import type`: a schema loads zod.
 */
import * as z from "zod";
import { SEVERITIES } from "../../base/severity.ts";
import { VERIFIER_VERDICTS } from "./verifier-verdicts.ts";

const given = {
  /** False: the problem was there before the change. */
  isNew: z.boolean(),
  /** The verifier's own rating. It never raises a severity. */
  severity: z.enum(SEVERITIES),
  /** The line that decided, which the verifier has read. Null when it named none: then nothing was confirmed or refuted. */
  evidence: z
    .object({ path: z.string(), line: z.int().min(1) })
    .readonly()
    .nullable(),
  /** The verifier's words. It has read untrusted text, so renderers must make them safe. */
  because: z.string(),
  /** `provider:name`. */
  model: z.string(),
};

export const Verification = z.discriminatedUnion("verdict", [
  z.object({ verdict: z.enum(VERIFIER_VERDICTS), ...given }).readonly(),
  /** No verdict was given: the finding is shown as it was found. */
  z.object({ verdict: z.literal("failed"), model: z.string() }).readonly(),
]);
export type Verification = z.infer<typeof Verification>;

/** A verdict that a verifier gave. */
export type GivenVerdict = Exclude<Verification, { readonly verdict: "failed" }>;

/** Verdicts of one review. */
export type VerificationReport = {
  readonly asked: number;
  readonly confirmed: number;
  readonly refuted: number;
  readonly unsure: number;
  /** Time-outs, budgets and errors: shown as found. */
  readonly failed: number;
  /** Findings that should have been checked and were over the limit for one review: shown as found. */
  readonly leftOut: number;
};
