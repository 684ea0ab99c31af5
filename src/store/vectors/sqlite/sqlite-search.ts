/**
 * Ranks signatures in JavaScript. SQLite returns all of them as one value, because a row per signature would cost more than
 * everything else. JavaScript counts bits as fast as an extension that would have to be installed.
 */
import type { Database } from "../../database.ts";
import { type SignatureMatch, PACKED_BYTES, type SignatureSearch } from "../signature-search.ts";
import { SIGNATURE_BITS } from "../signature.ts";

const PACKED_WORDS = PACKED_BYTES / Int32Array.BYTES_PER_ELEMENT;
const SIGNATURE_WORDS = SIGNATURE_BITS / 32;

export function createSqliteSearch(database: Database): SignatureSearch {
  return {
    method: "sqlite",
    async rank({ collectionId, signature, limit }) {
      const packed = await readPacked(collectionId, database);
      const differences = countDifferences(packed, signature);
      const most = mostNeeded(differences, limit);
      const candidates: SignatureMatch[] = [];
      for (let index = 0; index < differences.length; index++) {
        const bits = differences[index] ?? 0;
        if (bits <= most) candidates.push({ id: idAt(packed, index), bits });
      }
      return candidates.sort((a, b) => a.bits - b.bits || a.id - b.id).slice(0, limit);
    },
  };
}

/** Reads all signatures of a collection, each with its id. */
async function readPacked(collectionId: number, database: Database): Promise<Uint8Array> {
  // `group_concat` concatenates blobs byte by byte.
  const [row] = await database.query<{ packed: Uint8Array | null }>(
    "select cast(group_concat(packed, '') as blob) as packed from vector_blocks where place_id = $1",
    [collectionId],
  );
  const packed = row?.packed ?? new Uint8Array();
  if (packed.byteLength % PACKED_BYTES !== 0)
    throw new Error("The signatures in the database are incomplete.");
  return packed;
}

/** Returns the number of bits up to which at least `wanted` signatures differ. */
function mostNeeded(differences: Uint16Array, wanted: number): number {
  const counts = new Uint32Array(SIGNATURE_BITS + 1);
  for (let index = 0; index < differences.length; index++) {
    const bits = differences[index] ?? 0;
    counts[bits] = (counts[bits] ?? 0) + 1;
  }
  let total = 0;
  const enough = counts.findIndex((count) => (total += count) >= wanted);
  return enough === -1 ? SIGNATURE_BITS : enough;
}

/** Returns for each packed signature the number of bits in which it differs from `signature`. */
function countDifferences(packed: Uint8Array, signature: Uint8Array): Uint16Array {
  const words = new Int32Array(packed.buffer, packed.byteOffset, packed.byteLength / 4);
  const wanted = new Int32Array(signature.slice().buffer);
  const differences = new Uint16Array(words.length / PACKED_WORDS);
  let word = 0;
  for (let index = 0; index < differences.length; index++) {
    word += PACKED_WORDS - SIGNATURE_WORDS;
    let bits = 0;
    for (let each = 0; each < SIGNATURE_WORDS; each++) {
      bits += countBits((words[word++] ?? 0) ^ (wanted[each] ?? 0));
    }
    differences[index] = bits;
  }
  return differences;
}

/** Counts the ones in 32 bits: in pairs, in fours, in eights, then adds them up with a multiplication. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function idAt(packed: Uint8Array, index: number): number {
  const view = new DataView(packed.buffer, packed.byteOffset + index * PACKED_BYTES);
  return Number(view.getBigUint64(0));
}
