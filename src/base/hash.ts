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

/** From about this many texts on, Node's crypto is faster, although it has to be loaded first. */
const MIN_TEXTS_FOR_CRYPTO = 1_500;

/** The same hash as `hashParts` has for each text alone, faster for many. */
export function hashTexts(texts: ReadonlySet<string>, hexLength = 64): ReadonlyMap<string, string> {
  if (texts.size < MIN_TEXTS_FOR_CRYPTO)
    return new Map(Array.from(texts, (text) => [text, hashParts([text], hexLength)]));
  const { hash } = process.getBuiltinModule("node:crypto");
  return new Map(
    Array.from(texts, (text) => [
      text,
      hash("sha256", `${Buffer.byteLength(text)}:${text}`).slice(0, hexLength),
    ]),
  );
}
