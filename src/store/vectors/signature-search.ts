/** The search that each engine implements: finds the vectors of a collection whose signatures differ least. */
import { SIGNATURE_BITS } from "./signature.ts";
import type { Vectors } from "./vectors.ts";

export type SignatureRequest = {
  /** Id of the scope and space. */
  readonly collectionId: number;
  readonly signature: Uint8Array;
  /** Signatures that differ in more bits aren't returned. */
  readonly mostBits: number;
  readonly limit: number;
};

export type SignatureSearch = {
  readonly method: Vectors["method"];
  /**
   * Returns packed signatures, one after the other: those with the fewest differing bits, and of those with the same number the ones
   * with the lowest ids. Returns fewer than `limit` only if there are no more.
   */
  rank(request: SignatureRequest): Promise<Uint8Array>;
};

const ID_BYTES = 8;

export const PACKED_BYTES = ID_BYTES + SIGNATURE_BITS / 8;

/** The stored form: the id, then the signature. Many of them can be concatenated into one value. */
export function packSignature(id: number, signature: Uint8Array): Uint8Array {
  const packed = new Uint8Array(PACKED_BYTES);
  new DataView(packed.buffer).setBigUint64(0, BigInt(id));
  packed.set(signature, ID_BYTES);
  return packed;
}
