/** The id that git gives a content. */

/** The number of hex digits in an id of a repository that uses SHA-256. Other repositories use SHA-1. */
const SHA256_DIGITS = 64;

/** `digits` is the length of the repository's ids. */
export function blobIdOf(latin1: string, digits: number): string {
  // Importing node:crypto would load everything it exports.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash(digits === SHA256_DIGITS ? "sha256" : "sha1")
    .update(`blob ${latin1.length}\0`)
    .update(latin1, "latin1")
    .digest("hex");
}
