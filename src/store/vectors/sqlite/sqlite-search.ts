/**
 * Ranks signatures in JavaScript. SQLite returns blocks of them, because a row per signature would cost more than everything else.
 * JavaScript counts bits as fast as an extension that would have to be installed. It blocks its thread, so it runs in one of its own.
 */
import type { Sql } from "../../database.ts";
import { PACKED_BYTES, type SignatureSearch } from "../signature-search.ts";
import { SIGNATURE_BITS } from "../signature.ts";

const PACKED_WORDS = PACKED_BYTES / Int32Array.BYTES_PER_ELEMENT;
const SIGNATURE_WORDS = SIGNATURE_BITS / 32;

/** The words that are added before they are counted. */
const WORDS_PER_STEP = 4;

/** About 32,000 signatures: 4 MB. */
const BLOCKS_PER_SLICE = 256;

export function createSqliteSearch(sql: Sql): SignatureSearch {
  return {
    method: "sqlite",
    async rank({ collectionId, signature, mostBits, limit }) {
      const wanted = new Int32Array(signature.slice().buffer);
      /** How many candidates differ in each number of bits, and in at most `most` bits, which `limit` of them do. */
      const counts = new Uint32Array(SIGNATURE_BITS + 1);
      let [most, within] = [mostBits, 0];
      let candidates: Candidate[] = [];
      for (let last = -1; ;) {
        const blocks = await readBlocks(collectionId, last, sql);
        for (const { packed } of blocks) {
          const differences = countDifferences(packed, wanted);
          const view = new DataView(packed.buffer, packed.byteOffset);
          for (let index = 0; index < differences.length; index++) {
            const bits = differences[index] ?? 0;
            if (bits > most) continue;
            const at = index * PACKED_BYTES;
            candidates.push({
              bits,
              id: view.getBigUint64(at),
              packed: packed.subarray(at, at + PACKED_BYTES),
            });
            counts[bits] = (counts[bits] ?? 0) + 1;
            within++;
            for (let fewer = counts[most] ?? 0; within - fewer >= limit; fewer = counts[most] ?? 0) {
              within -= fewer;
              most--;
            }
          }
        }
        candidates = candidates.filter(({ bits }) => bits <= most);
        if (blocks.length < BLOCKS_PER_SLICE) break;
        last = blocks.at(-1)?.block ?? last;
      }
      const ranked = candidates.sort((a, b) => a.bits - b.bits || Number(a.id - b.id)).slice(0, limit);
      return Buffer.concat(ranked.map(({ packed }) => packed));
    },
  };
}

type Candidate = { readonly bits: number; readonly id: bigint; readonly packed: Uint8Array };

/** Signatures, each with its id. */
type Block = { readonly block: number; readonly packed: Uint8Array };

/** Reads the next blocks of a collection after this one, as many as are in a slice. */
async function readBlocks(collectionId: number, after: number, sql: Sql): Promise<readonly Block[]> {
  const blocks = await sql.query<Block>(
    `select block, packed from vector_blocks where place_id = $1 and block > $2
     order by block limit ${BLOCKS_PER_SLICE}`,
    [collectionId, after],
  );
  if (blocks.some(({ packed }) => packed.byteLength % PACKED_BYTES !== 0))
    throw new Error("The signatures in the database are incomplete.");
  return blocks;
}

/**
 * Returns for each packed signature the number of bits in which it differs from `wanted`. A full adder for each bit reduces four words
 * to two of twice the weight, so that half as many words are counted; `ones` carries the rest on.
 */
function countDifferences(packed: Uint8Array, wanted: Int32Array): Uint16Array {
  const words = new Int32Array(packed.buffer, packed.byteOffset, packed.byteLength / 4);
  const differences = new Uint16Array(words.length / PACKED_WORDS);
  let word = 0;
  for (let index = 0; index < differences.length; index++) {
    word += PACKED_WORDS - SIGNATURE_WORDS;
    let ones = 0;
    let twos = 0;
    for (let each = 0; each < SIGNATURE_WORDS; each += WORDS_PER_STEP, word += WORDS_PER_STEP) {
      const a = (words[word] ?? 0) ^ (wanted[each] ?? 0);
      const b = (words[word + 1] ?? 0) ^ (wanted[each + 1] ?? 0);
      const c = (words[word + 2] ?? 0) ^ (wanted[each + 2] ?? 0);
      const d = (words[word + 3] ?? 0) ^ (wanted[each + 3] ?? 0);
      const first = (ones & (a | b)) | (a & b);
      ones ^= a ^ b;
      const second = (ones & (c | d)) | (c & d);
      ones ^= c ^ d;
      twos += sumFours(countFours(first) + countFours(second));
    }
    differences[index] = 2 * twos + sumFours(countFours(ones));
  }
  return differences;
}

/** Counts the ones in each four of 32 bits: in pairs first. */
function countFours(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  return (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
}

/** Adds up eight sums of four bits each with a multiplication. */
function sumFours(fours: number): number {
  return Math.imul((fours & 0x0f0f0f0f) + ((fours >>> 4) & 0x0f0f0f0f), 0x01010101) >>> 24;
}
