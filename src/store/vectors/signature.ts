/**
 * A vector's signature: 1,024 bits, each saying on which side of a plane through the origin it lies. The share of bits in
 * which two signatures differ estimates the angle between the vectors at a thirtieth of the cost. Pure.
 *
 * The planes are those of a fixed rotation that looks random: signs are flipped by a fixed pattern and a Hadamard
 * transform follows, three times. Without it vectors of few numbers, and those without negative ones, would have hardly
 * any bits that differ. Signatures are stored: whoever changes what this computes has to compute all of them again.
 */

export const SIGNATURE_BITS = 1_024;

const ROUNDS = 3;

// Any number but zero will do; it is part of what is stored.
const SEED = 0x2545f491;

/** Bits that differ follow a binomial law; so many standard deviations are exceeded by one in three million. */
const DEVIATIONS = 5;

export function signatureOf(vector: Float32Array): Uint8Array {
  const rotated = rotate(vector);
  const signature = new Uint8Array(SIGNATURE_BITS / 8);
  for (let bit = 0; bit < SIGNATURE_BITS; bit++) {
    if ((rotated[bit] ?? 0) > 0) signature[bit >> 3] = (signature[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  }
  return signature;
}

/** The most bits in which the signature of a vector within that cosine distance differs, but for one in three million. */
export function mostBits(distance: number): number {
  const share = Math.acos(Math.max(-1, 1 - distance)) / Math.PI;
  const deviation = Math.sqrt(SIGNATURE_BITS * share * (1 - share));
  // Where hardly any bit is expected to differ the law is not as even: hence some bits more.
  return SIGNATURE_BITS * share + DEVIATIONS * (deviation + 1);
}

/** Filled up with zeros to a power of two, and with enough dimensions to have a bit for each. */
function rotate(vector: Float32Array): Float64Array {
  const size = Math.max(SIGNATURE_BITS, 2 ** Math.ceil(Math.log2(vector.length)));
  const values = new Float64Array(size);
  values.set(vector);
  for (const flips of flipsOf(size)) {
    for (let index = 0; index < size; index++) values[index] = (values[index] ?? 0) * (flips[index] ?? 1);
    transform(values);
  }
  return values;
}

/** The Hadamard transform in place, without its factor: only signs are wanted. */
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

/** For each round a 1 or -1 per dimension, the same in every process. */
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
