/** The search that each engine implements: ranks the vectors of a collection by their signatures. */
import { SIGNATURE_BITS } from "./signature.ts";
import type { Vectors } from "./vectors.ts";

export type SignatureRequest = {
  /** Id of the scope and space. */
  readonly collectionId: number;
  readonly signature: Uint8Array;
  readonly limit: number;
};

/** A candidate, with the number of bits in which its signature differs from the requested one. */
export type SignatureMatch = { readonly id: number; readonly bits: number };

export type SignatureSearch = {
  readonly method: Vectors["method"];
  /** Returns candidates with the fewest differing bits first, then by id. Returns fewer than `limit` only if there are no more. */
  rank(request: SignatureRequest): Promise<readonly SignatureMatch[]>;
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
