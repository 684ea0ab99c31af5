/**
 * Estimates the cosine distance of a vector from others by their signatures. Only the others are reduced to bits, so it is about twice
 * as precise as the number of differing bits, and it costs 128 additions. Pure.
 *
 * After a random rotation, the sum of a vector's coordinates, each with the sign of the other vector's, is normally distributed around
 * their cosine times a constant.
 */
import { PACKED_BYTES } from "./signature-search.ts";
import { rotate, rotatedSize, SIGNATURE_BITS } from "./signature.ts";

/** One in three million exceeds this many standard deviations. */
const DEVIATIONS = 5;

const SIGNATURE_BYTES = SIGNATURE_BITS / 8;

/** The mean of the absolute value of a normally distributed number. */
const MEAN = Math.sqrt(2 / Math.PI);

export type EstimatedVector = { readonly id: number; readonly estimate: number };

/** The nearest first, by their estimated distance, then by id. `packed` has one signature with its id after the other. */
export function estimateDistances(vector: Float32Array, packed: Uint8Array): readonly EstimatedVector[] {
  const { sums, offset } = sumsOf(vector);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  return Array.from({ length: packed.length / PACKED_BYTES }, (_, index) => {
    const end = (index + 1) * PACKED_BYTES;
    let sum = offset;
    for (let row = 0, at = end - SIGNATURE_BYTES; at < end; row += 256, at++)
      sum += sums[row + (packed[at] ?? 0)] ?? 0;
    return { id: Number(view.getBigUint64(index * PACKED_BYTES)), estimate: 1 - sum };
  }).sort((a, b) => a.estimate - b.estimate || a.id - b.id);
}

/** The largest estimate for vectors within this cosine distance, except for one in three million. */
export function mostEstimated(distance: number, dimensions: number): number {
  const cosine = 1 - distance;
  // The share of the rotated coordinates that a signature has.
  const unseen = 1 / rotatedSize(dimensions);
  const along = (1 / MEAN ** 2 - 1) / SIGNATURE_BITS - unseen / 2;
  const across = 1 / MEAN ** 2 / SIGNATURE_BITS - unseen;
  return distance + DEVIATIONS * Math.sqrt(cosine ** 2 * along + Math.max(0, 1 - cosine ** 2) * across);
}

/**
 * For each byte of a signature and each of its 256 values, what its ones add to the sum. The offset is the sum for a signature without
 * ones.
 */
function sumsOf(vector: Float32Array): { readonly sums: Float64Array; readonly offset: number } {
  const rotated = rotate(vector);
  const length = Math.sqrt(rotated.reduce((squares, value) => squares + value * value, 0));
  const scale = Math.sqrt(rotated.length) / (length * SIGNATURE_BITS * MEAN);
  const sums = new Float64Array(SIGNATURE_BYTES * 256);
  let offset = 0;
  for (let bit = 0; bit < SIGNATURE_BITS; bit++) {
    const value = (rotated[bit] ?? 0) * scale;
    offset -= value;
    const row = (bit >> 3) * 256;
    const one = 0x80 >> (bit & 7);
    // The bytes with this bit and any of the bits before it.
    for (let other = row; other < row + 256; other += 2 * one)
      sums[other + one] = (sums[other] ?? 0) + 2 * value;
  }
  return { sums, offset };
}
