/**
 * Stable content hashes. SHA-256, because an identity that could be forged would let a change pass one finding off as
 * another; in plain JavaScript, because loading Node's own takes longer than a small review spends on hashes.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

const encoder = new TextEncoder();

/** Hex SHA-256 of the parts, each length-prefixed so that ("ab","c") and ("a","bc") differ. */
export function hashParts(parts: readonly string[], hexLength = 64): string {
  const hash = sha256.create();
  for (const part of parts) {
    const bytes = encoder.encode(part);
    hash.update(encoder.encode(`${bytes.length}:`)).update(bytes);
  }
  return bytesToHex(hash.digest()).slice(0, hexLength);
}
