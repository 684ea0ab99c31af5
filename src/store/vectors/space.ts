/** What may be stored in a space, and how vectors and spaces are written down. */
import { KodiaiError } from "../../base/errors.ts";
import { MAX_DIMENSIONS, type VectorSpace } from "./vectors.ts";

/** The number comes last, so no two spaces have the same key, whatever their names. */
export function keyOf({ name, dimensions }: VectorSpace): string {
  return `${name}/${dimensions}`;
}

/** Refuses what has no direction, or is not of that space. */
export function assertFits(vector: Float32Array, space: VectorSpace): void {
  const { dimensions } = space;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS) {
    throw refused(space, `cannot be: a space has 1 to ${MAX_DIMENSIONS} dimensions`);
  }
  if (vector.length !== dimensions) throw refused(space, `was given a vector of ${vector.length} numbers`);
  if (!vector.every((number) => Number.isFinite(number))) {
    throw refused(space, "was given a vector with something in it that is not a number");
  }
  if (vector.every((number) => number === 0)) throw refused(space, "was given a vector of zeros");
}

function refused(space: VectorSpace, what: string): KodiaiError {
  return new KodiaiError("bad-payload", `The vector space ${keyOf(space)} ${what}`, {
    hint: "Check which embedding model is configured and what its endpoint answers.",
  });
}

/** 32-bit floating-point numbers one after the other, as they are in the memory of all machines that Node runs on but one. */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

export function fromBytes(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / Float32Array.BYTES_PER_ELEMENT);
}

/** With the precision of 64 bits, so that every adapter says the same to the last digit. */
export function cosineDistance(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let squareA = 0;
  let squareB = 0;
  for (let index = 0; index < a.length; index++) {
    const left = a[index] ?? 0;
    const right = b[index] ?? 0;
    product += left * right;
    squareA += left * left;
    squareB += right * right;
  }
  // Rounding must not make it less than nothing.
  return Math.min(2, Math.max(0, 1 - product / Math.sqrt(squareA * squareB)));
}
