/**
 * Ranks signatures in JavaScript. SQLite returns thousands of them as one value, because a row per signature would cost more
 * than everything else. JavaScript counts bits as fast as an extension that would have to be installed.
 */
import { createPause } from "../../../base/event-loop.ts";
import type { Database } from "../../database.ts";
import { type SignatureMatch, PACKED_BYTES, type SignatureSearch } from "../signature-search.ts";
import { SIGNATURE_BITS } from "../signature.ts";

const PACKED_WORDS = PACKED_BYTES / Int32Array.BYTES_PER_ELEMENT;
const SIGNATURE_WORDS = SIGNATURE_BITS / 32;

/** About 4,000 signatures: 1 to 2 ms to read and compare. */
const BLOCKS_PER_SLICE = 32;

/** A search takes longer than the event loop may be blocked, so other work runs in between. */
const PAUSE_EVERY_MS = 5;

export function createSqliteSearch(database: Database): SignatureSearch {
  return {
    method: "sqlite",
    async rank({ collectionId, signature, limit }) {
      const pause = createPause(PAUSE_EVERY_MS);
      const counts = new Uint32Array(SIGNATURE_BITS + 1);
      let most = SIGNATURE_BITS;
      let candidates: SignatureMatch[] = [];
      for (let last = -1; ;) {
        const slice = await readSlice(collectionId, last, database);
        if (slice === null) break;
        last = slice.last;
        const differences = countDifferences(slice.packed, signature);
        for (const bits of differences) counts[bits] = (counts[bits] ?? 0) + 1;
        most = mostNeeded(counts, limit);
        for (let index = 0; index < differences.length; index++) {
          const bits = differences[index] ?? 0;
          if (bits <= most) candidates.push({ id: idAt(slice.packed, index), bits });
        }
        await pause();
      }
      candidates = candidates.filter(({ bits }) => bits <= most);
      return candidates.sort((a, b) => a.bits - b.bits || a.id - b.id).slice(0, limit);
    },
  };
}

type Slice = {
  /** Signatures, each with its id. */
  readonly packed: Uint8Array;
  /** The number of its last block. */
  readonly last: number;
};

/** Reads the blocks of a collection after this one, as many as are in a slice. Null if there are none. */
async function readSlice(collectionId: number, after: number, database: Database): Promise<Slice | null> {
  // `group_concat` concatenates blobs byte by byte.
  const [row] = await database.query<{ packed: Uint8Array | null; last: number | null }>(
    `select cast(group_concat(packed, '') as blob) as packed, max(block) as last from (
       select block, packed from vector_blocks where place_id = $1 and block > $2 order by block limit ${BLOCKS_PER_SLICE})`,
    [collectionId, after],
  );
  const { packed = null, last = null } = row ?? {};
  if (packed === null || last === null) return null;
  if (packed.byteLength % PACKED_BYTES !== 0)
    throw new Error("The signatures in the database are incomplete.");
  return { packed, last };
}

/** Returns the number of bits up to which at least `wanted` signatures differ. */
function mostNeeded(counts: Uint32Array, wanted: number): number {
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
