/**
 * The schema of `.kodiai/learnings.yml`, the learnings that a team keeps in its repository. `kodiai memory propose` writes such a file,
 * and reviews read it from the base. Import the types with `import type`.
 */
import * as z from "zod";
import { isUsableGlob } from "../base/glob.ts";

/** All learnings of a review share 2,000 characters, so a longer one would displace several others. */
export const MAX_LEARNING_CHARS = 500;

/** A review uses at most 20. */
export const MAX_FILE_LEARNINGS = 200;

/** More globs than this don't describe one part of a repository. */
export const MAX_LEARNING_PATHS = 20;

/** The glob matcher's limit, minus the `**` and slash that it puts before a pattern without a slash. */
const MAX_GLOB_CHARS = 253;

/** Longer than any link to a comment on GitHub. */
export const MAX_PROVENANCE_CHARS = 500;

/** GitHub's logins have at most 39 characters; the app's suffix and teams (`org/team`) need more. */
export const MAX_OWNER_CHARS = 100;

/** As in 2027-06-30. */
const MAX_DAY_CHARS = 10;

const LEARNING_FILE_KINDS = ["pattern", "preference", "context"] as const;

export const LearningEntry = z
  .strictObject({
    text: z.string().trim().min(1).max(MAX_LEARNING_CHARS),
    kind: z.enum(LEARNING_FILE_KINDS).default("preference"),
    /** Files it applies to; left out for all. */
    paths: z
      .array(
        z.string().min(1).max(MAX_GLOB_CHARS).refine(isUsableGlob, {
          error: "a glob with at most 64 brace alternatives, three levels of braces and no numeric ranges",
        }),
      )
      .max(MAX_LEARNING_PATHS)
      .readonly()
      .default([]),
    /** Where it comes from, usually a link. */
    provenance: z.string().min(1).max(MAX_PROVENANCE_CHARS).optional(),
    /** The person who answers for it. */
    owner: z.string().min(1).max(MAX_OWNER_CHARS).optional(),
    /** The last day on which it applies, in UTC. */
    expires: z
      .string()
      .max(MAX_DAY_CHARS)
      .refine((day) => endOfDay(day) !== null, { error: "a date such as 2027-06-30" })
      .optional(),
  })
  .readonly();
export type LearningEntry = z.infer<typeof LearningEntry>;

export const LearningsFile = z
  .strictObject({ learnings: z.array(LearningEntry).max(MAX_FILE_LEARNINGS).readonly().default([]) })
  .readonly();
export type LearningsFile = z.infer<typeof LearningsFile>;

/** The first moment after a day such as 2027-06-30 in UTC, in milliseconds since 1970. Null if it isn't a day. */
export function endOfDay(day: string): number | null {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // Date.parse takes February 30 for March 2.
  if (Number.isNaN(start) || new Date(start).toISOString().slice(0, 10) !== day) return null;
  return start + 24 * 60 * 60 * 1_000;
}
