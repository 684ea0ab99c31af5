/**
 * Computes a vector's signature: 1,024 bits, each the side of a plane through the origin that the vector is on. The share
 * of bits in which two signatures differ estimates the angle between the vectors, at a thirtieth of the cost. Pure.
 *
 * The planes come from a fixed pseudo-random rotation: flip signs by a fixed pattern, apply a Hadamard transform, three
 * times. Without the rotation, sparse or non-negative vectors would have hardly any differing bits. Signatures are stored,
 * so a change to this computation needs a migration that recomputes all of them.
 */

export const SIGNATURE_BITS = 1_024;

const ROUNDS = 3;

// Any number except zero works, but stored signatures depend on it.
const SEED = 0x2545f491;

/** The number of differing bits is binomially distributed; one in three million exceeds this many standard deviations. */
const DEVIATIONS = 5;

export function signatureOf(vector: Float32Array): Uint8Array {
  const rotated = rotate(vector);
  const signature = new Uint8Array(SIGNATURE_BITS / 8);
  for (let bit = 0; bit < SIGNATURE_BITS; bit++) {
    if ((rotated[bit] ?? 0) > 0) signature[bit >> 3] = (signature[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  }
  return signature;
}

/** The most bits in which the signatures of vectors within this cosine distance differ, except for one in three million. */
export function mostBits(distance: number): number {
  const share = Math.acos(Math.max(-1, 1 - distance)) / Math.PI;
  const deviation = Math.sqrt(SIGNATURE_BITS * share * (1 - share));
  // The distribution is skewed where hardly any bits differ, so a few extra bits are allowed.
  return SIGNATURE_BITS * share + DEVIATIONS * (deviation + 1);
}

/** The coordinates whose signs are the signature, and those that it has no room for. */
export function rotate(vector: Float32Array): Float64Array {
  const size = rotatedSize(vector.length);
  const values = new Float64Array(size);
  values.set(vector);
  for (const flips of flipsOf(size)) {
    for (let index = 0; index < size; index++) values[index] = (values[index] ?? 0) * (flips[index] ?? 1);
    transform(values);
  }
  return values;
}

/** A power of two with at least one dimension per bit. Vectors are padded with zeros. */
export function rotatedSize(dimensions: number): number {
  return Math.max(SIGNATURE_BITS, 2 ** Math.ceil(Math.log2(dimensions)));
}

/** Applies the Hadamard transform in place, without its factor, because only signs matter. */
function transform(values: Float64Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let index = start; index < start + half; index++) {
        const a = values[index] ?? 0;
        const b = values[index + half] ?? 0;
        values[index] = a + b;
        values[index + half] = a - b;
      }
    }
  }
}

const known = new Map<number, readonly Int8Array[]>();

/** Returns a 1 or -1 per dimension for each round, the same in every process. */
function flipsOf(size: number): readonly Int8Array[] {
  const made = known.get(size);
  if (made !== undefined) return made;
  let state = SEED;
  const next = (): number => {
    // Marsaglia's xorshift.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state < 0 ? -1 : 1;
  };
  const flips = Array.from({ length: ROUNDS }, () => Int8Array.from({ length: size }, next));
  known.set(size, flips);
  return flips;
}
