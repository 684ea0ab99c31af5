/**
 * Stable content hashes. They use SHA-256, because with a forgeable identity a change could pass off one finding as
 * another. It's in plain JavaScript, because loading Node's crypto takes longer than all hashes of a small review.
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
