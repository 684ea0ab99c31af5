/** Stable content hashes. Used for identities, never for security. */
import { createHash } from "node:crypto";

/** Hex SHA-256 of the parts, each length-prefixed so that ("ab","c") and ("a","bc") differ. */
export function hashParts(parts: readonly string[], hexLength = 64): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest("hex").slice(0, hexLength);
}
