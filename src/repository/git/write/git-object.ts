/** Git objects as bytes: their ids, and packs of them. */
import { createHash, type Hash } from "node:crypto";
import { deflateSync } from "node:zlib";

/** An object that may not be stored yet. */
export type GitObject = {
  readonly id: string;
  readonly type: "blob" | "tree" | "commit";
  readonly content: Uint8Array;
};

/** The numbers of the types in a pack. */
const PACK_TYPES = { commit: 1, tree: 2, blob: 3 } as const;

/** The number of hex digits in an id of a repository that uses SHA-256. Other repositories use SHA-1. */
const SHA256_DIGITS = 64;

/** `digits` is the length of the repository's ids. */
export function gitObject(type: GitObject["type"], content: Uint8Array, digits: number): GitObject {
  const id = hashOf(digits).update(`${type} ${content.length}\0`).update(content).digest("hex");
  return { id, type, content };
}

/** Returns a pack with whole objects, which `git unpack-objects` reads. */
export function packObjects(objects: readonly GitObject[], digits: number): Uint8Array {
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
  header.writeUInt32BE(objects.length, 8);
  const entries = objects.flatMap(({ type, content }) => [
    entryHeader(PACK_TYPES[type], content.length),
    deflateSync(content, { level: 1 }),
  ]);
  const pack = Buffer.concat([header, ...entries]);
  return Buffer.concat([pack, hashOf(digits).update(pack).digest()]);
}

/** The type and the size: 4 bits of the size in the first byte, then 7 in each, the lowest first. */
function entryHeader(type: number, bytes: number): Uint8Array {
  const header = [(type << 4) | (bytes & 15)];
  for (let rest = Math.floor(bytes / 16); rest > 0; rest = Math.floor(rest / 128)) {
    header.push((header.pop() ?? 0) | 128, rest & 127);
  }
  return Uint8Array.from(header);
}

function hashOf(digits: number): Hash {
  return createHash(digits === SHA256_DIGITS ? "sha256" : "sha1");
}
