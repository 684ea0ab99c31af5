/**
 * Ranks of byte sequences in flat arrays. A Map of 200,000 strings takes ten times as long to build, and merging would need
 * a string for every pair it looks up.
 */
import type { PackedTokens } from "./packed-tokens.ts";

export type Ranks = {
  /** The rank of the bytes from `start` to `end`; -1 for none. */
  find(bytes: Uint8Array, start: number, end: number): number;
};

export const NO_RANK = -1;

/** Four times as many slots as tokens, so that few collide. */
const SLOT_BITS = 20;

export function createRanks({ bytes: pool, lengths }: PackedTokens): Ranks {
  const slots = new Int32Array(2 ** SLOT_BITS).fill(NO_RANK);
  const ends = new Uint32Array(lengths.length + 1);
  let end = 0;
  for (let rank = 0; rank < lengths.length; rank++) {
    const start = end;
    end += lengths[rank] ?? 0;
    ends[rank + 1] = end;
    if (end === start) continue;
    let slot = hashBytes(pool, start, end);
    while (slots[slot] !== NO_RANK) slot = nextSlot(slot);
    slots[slot] = rank;
  }
  return {
    find(bytes, from, to) {
      for (let slot = hashBytes(bytes, from, to); ; slot = nextSlot(slot)) {
        const rank = slots[slot] ?? NO_RANK;
        if (rank === NO_RANK) return NO_RANK;
        const start = ends[rank] ?? 0;
        if ((ends[rank + 1] ?? 0) - start === to - from && isEqualAt(pool, start, bytes, from, to))
          return rank;
      }
    },
  };
}

/** Writes a text, and returns the end of its bytes. Lone surrogates become the replacement character, as in TextEncoder. */
export function writeUtf8(text: string, bytes: Uint8Array, start: number): number {
  let at = start;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) return start + encoder.encodeInto(text, bytes.subarray(start)).written;
    bytes[at++] = unit;
  }
  return at;
}

const encoder = new TextEncoder();

function nextSlot(slot: number): number {
  return (slot + 1) & (2 ** SLOT_BITS - 1);
}

/** FNV-1a, folded. */
function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> SLOT_BITS)) & (2 ** SLOT_BITS - 1);
}

function isEqualAt(a: Uint8Array, start: number, b: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (a[start + at - from] !== b[at]) return false;
  return true;
}
