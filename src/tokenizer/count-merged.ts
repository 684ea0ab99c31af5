/**
 * Byte-pair merging in O(n log n): joins the two neighbors whose union has the lowest rank, leftmost first, until no union
 * is in the vocabulary. A heap has the possible unions; the parts are a linked list.
 */

import { NO_RANK, type Ranks } from "./create-ranks.ts";

/** Ranks and positions share one number in the heap. No piece is longer than a string can be: 2^29 characters. */
const POSITIONS = 2 ** 30;

/** The number of tokens of the first bytes. `ranks` has every single byte. */
export function countMerged(bytes: Uint8Array, length: number, ranks: Ranks): number {
  /** Where the part at each position ends, where the part before it starts, and the rank of its union with the next part. */
  const ends = new Uint32Array(length + 1);
  const starts = new Int32Array(length + 1);
  const unions = new Int32Array(length + 1);
  const heap: number[] = [];
  const rankUnion = (at: number): void => {
    const next = ends[at] ?? length;
    const rank = next >= length ? NO_RANK : ranks.find(bytes, at, ends[next] ?? length);
    unions[at] = rank;
    if (rank !== NO_RANK) push(heap, rank * POSITIONS + at);
  };
  for (let at = 0; at <= length; at++) {
    ends[at] = at + 1;
    starts[at] = at - 1;
  }
  for (let at = 0; at < length; at++) rankUnion(at);
  let tokens = length;
  for (let least = pop(heap); least !== undefined; least = pop(heap)) {
    const at = least % POSITIONS;
    // Either part may have changed since.
    if (unions[at] !== (least - at) / POSITIONS) continue;
    const next = ends[at] ?? length;
    const after = ends[next] ?? length;
    unions[next] = NO_RANK;
    ends[at] = after;
    starts[after] = at;
    tokens--;
    rankUnion(at);
    const before = starts[at] ?? -1;
    if (before >= 0) rankUnion(before);
  }
  return tokens;
}

function push(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] ?? 0;
    if (above <= value) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = value;
}

function pop(heap: number[]): number | undefined {
  const least = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return least;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++;
    const below = heap[child] ?? 0;
    if (below >= last) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
  return least;
}
