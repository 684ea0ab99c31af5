/** A statement about how a team works, which a review takes into account. Import the types with `import type`. */
import * as z from "zod";

/**
 * "config": `.kodiai/learnings.yml` at the base. "feedback": repeated reactions to findings. "analysis": a convention seen in the code.
 * "person": someone added it.
 */
export const LEARNING_SOURCES = ["config", "feedback", "analysis", "person"] as const;
export const LEARNING_KINDS = ["pattern", "preference", "context"] as const;

export const Learning = z
  .object({
    /** Of the row; null for one of the repository's own file. */
    id: z.int().nullable(),
    source: z.enum(LEARNING_SOURCES),
    kind: z.enum(LEARNING_KINDS),
    text: z.string(),
    /** Globs of the files it applies to; empty for all. */
    paths: z.array(z.string()).readonly(),
    /** 0 to 1. */
    confidence: z.number(),
    /** Where it comes from: a link, or the place in the file. Null without one. */
    provenance: z.string().nullable(),
    /** The person who answers for it, or null. */
    owner: z.string().nullable(),
    uses: z.int().min(0),
    /** Milliseconds since 1970, or null. */
    lastUsedAt: z.number().nullable(),
    /** Milliseconds since 1970; null if it doesn't expire. */
    expiresAt: z.number().nullable(),
  })
  .readonly();
export type Learning = z.infer<typeof Learning>;
