/**
 * The results of earlier reviews of the same change. Import the types with `import type`: a schema loads zod.
 */
import * as z from "zod";
import { CATEGORIES, SEVERITIES } from "../../base/severity.ts";
import { ChangedFile } from "../change/change.ts";
import { FINDING_SOURCES } from "./finding-sources.ts";
import { LIFE_STATES } from "./life-states.ts";
import { PROOFS } from "./proof.ts";
import { Verification } from "./verification.ts";

const line = z.int().min(0).nullable();
const place = { side: z.enum(["new", "old"]).nullable(), startLine: line, endLine: line };

/** Lines of a file at the head of the change. */
export const SeenPlace = z
  .object({ path: z.string(), startLine: z.int().min(1), endLine: z.int().min(1) })
  .readonly();
export type SeenPlace = z.infer<typeof SeenPlace>;

/** One report that makes up a finding: a reviewer's words and rating, before judging. Its place and code aren't kept. */
const PriorSource = z
  .object({
    title: z.string(),
    body: z.string(),
    severity: z.enum(SEVERITIES),
    category: z.enum(CATEGORIES),
    suggestion: z.string().nullable(),
    confidence: z.number(),
    evidence: z.array(z.string()).readonly(),
    source: z.enum(FINDING_SOURCES),
    rule: z.string().nullable(),
    pass: z.string(),
    proof: z.enum(PROOFS).exactOptional(),
    isSecret: z.boolean().exactOptional(),
    isExisting: z.boolean().exactOptional(),
    verification: Verification.exactOptional(),
    seenAt: z.array(SeenPlace).readonly().exactOptional(),
  })
  .readonly();
export type PriorSource = z.infer<typeof PriorSource>;

const PriorFinding = z
  .object({
    identity: z.string(),
    /** Stays with the finding for the life of the pull request. */
    number: z.int().min(1),
    path: z.string(),
    ...place,
    /** Other lines of the same file that it names. */
    others: z.array(z.object({ identity: z.string(), ...place }).readonly()).readonly(),
    title: z.string(),
    /** Words of its texts, to recognize it in other words. */
    words: z.array(z.string()).readonly(),
    severity: z.enum(SEVERITIES),
    category: z.enum(CATEGORIES),
    rule: z.string().nullable(),
    source: z.string(),
    /** The reports that it was made of. Missing when they aren't known: a restored ledger has only the finding itself. */
    sources: z.array(PriorSource).readonly().exactOptional(),
    state: z.enum(LIFE_STATES),
    /**
     * Nothing is left of it but its comment on the pull request, so its other values say nothing. A finding with its identity is this
     * one; otherwise no one knows what became of it, and the comment stays as it is. Missing: no.
     */
    isOnlyComment: z.literal(true).exactOptional(),
    /** A person contested or waived it with a command; "" for no reason. Missing if no one did. */
    verdict: z.object({ by: z.string(), reason: z.string() }).readonly().optional(),
    /** Its comments on the pull request; null without any. */
    thread: z
      .object({
        id: z.string(),
        url: z.string(),
        isResolved: z.boolean(),
        /** A person with write access, not Kodiai, resolved it. */
        isResolvedByPerson: z.boolean(),
        /** A person wrote the last comment. */
        isReplied: z.boolean(),
      })
      .readonly()
      .nullable(),
  })
  .readonly();
export type PriorFinding = z.infer<typeof PriorFinding>;

const ModelReading = z.object({ id: z.string(), head: z.string() }).readonly();
const LineReading = z.object({ model: ModelReading.nullable() }).readonly();

/** See review/change/readings.ts. */
const Readings = z
  .object({
    usual: LineReading,
    others: z
      .array(
        z
          .object({
            path: z.string(),
            spans: z.array(z.object({ lines: z.int().min(0), reading: LineReading }).readonly()).readonly(),
          })
          .readonly(),
      )
      .readonly(),
  })
  .readonly();

const PriorRun = z
  .object({
    base: z.string(),
    head: z.string(),
    /** Identifies the configuration. */
    config: z.string(),
    readings: Readings,
    /** The diff as that run read it; null when its commits can't be read any more. */
    files: z.array(ChangedFile).readonly().nullable(),
  })
  .readonly();
export type PriorRun = z.infer<typeof PriorRun>;

export const PriorReview = z
  .object({
    /** Newest first. */
    runs: z.array(PriorRun).readonly(),
    findings: z.array(PriorFinding).readonly(),
  })
  .readonly();
export type PriorReview = z.infer<typeof PriorReview>;
