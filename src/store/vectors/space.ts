/** Validates vectors of a space, and converts vectors and spaces to their stored form. */
import { KodiaiError } from "../../base/errors.ts";
import { MAX_DIMENSIONS, type VectorSpace } from "./vectors.ts";

/** The dimensions come last, so two different spaces never have the same key. */
export function keyOf({ name, dimensions }: VectorSpace): string {
  return `${name}/${dimensions}`;
}

/** Throws if the vector has no direction or doesn't belong to the space. */
export function assertFits(vector: Float32Array, space: VectorSpace): void {
  const { dimensions } = space;
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > MAX_DIMENSIONS) {
    throw refused(space, `is invalid: a space has 1 to ${MAX_DIMENSIONS} dimensions`);
  }
  if (vector.length !== dimensions) throw refused(space, `got a vector of ${vector.length} numbers`);
  if (!vector.every((number) => Number.isFinite(number))) {
    throw refused(space, "got a vector with a value that is not a finite number");
  }
  if (vector.every((number) => number === 0)) throw refused(space, "got a vector of zeros");
}

function refused(space: VectorSpace, what: string): KodiaiError {
  return new KodiaiError("bad-payload", `The vector space ${keyOf(space)} ${what}`, {
    hint: "Check the configured embedding model and the output of its endpoint.",
  });
}

/** 32-bit floats in memory order, which is little-endian on every platform of Node except s390x. */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

export function fromBytes(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / Float32Array.BYTES_PER_ELEMENT);
}

/** Computes with 64-bit precision, so that every adapter returns exactly the same distances. */
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
  // Rounding must not make the distance negative.
  return Math.min(2, Math.max(0, 1 - product / Math.sqrt(squareA * squareB)));
}
