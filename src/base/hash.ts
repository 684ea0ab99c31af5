/** Stable content hashes. Used for identities, never for security. */

/** Hex SHA-256 of the parts, each length-prefixed so that ("ab","c") and ("a","bc") differ. */
export function hashParts(parts: readonly string[], hexLength = 64): string {
  // Asked for when it is needed: loading it takes longer than a small review spends on hashes.
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest("hex").slice(0, hexLength);
}
