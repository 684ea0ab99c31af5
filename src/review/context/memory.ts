/** A finding of the past that resembles the change under review, with what became of it. Import the types with `import type`. */
import * as z from "zod";
import { CATEGORIES, SEVERITIES } from "../../base/severity.ts";

/** "open": no one has reacted, and its code wasn't changed. "ignored": merged as it was. */
export const MEMORY_OUTCOMES = ["accepted", "dismissed", "ignored", "open"] as const;

export const Memory = z
  .object({
    /** Of the row; `kodiai memory show` takes it. */
    id: z.int(),
    title: z.string(),
    body: z.string(),
    path: z.string(),
    language: z.string(),
    category: z.enum(CATEGORIES),
    severity: z.enum(SEVERITIES),
    rule: z.string().nullable(),
    outcome: z.enum(MEMORY_OUTCOMES),
    /** `owner/name`. Another one than the reviewed repository only if both share. */
    repository: z.string(),
    pullRequest: z.int(),
    /** Of the comment, or of the pull request while the comment isn't known; null if it was imported without one. */
    url: z.string().nullable(),
    /** Cosine distance to the query; null when its vector isn't of the current space. */
    distance: z.number().nullable(),
    /** How it was found. */
    method: z.enum(["vector", "text", "both"]),
    /** Milliseconds since 1970. */
    createdAt: z.number(),
    /** The words with which a person of the team rejected it, and their login. Omitted: nothing, or in another repository. */
    reason: z.object({ by: z.string(), words: z.string() }).readonly().exactOptional(),
    /** Further pull requests with the same problem: `owner/name#12`. Omitted: none. */
    places: z.array(z.string()).readonly().exactOptional(),
  })
  .readonly();
export type Memory = z.infer<typeof Memory>;
