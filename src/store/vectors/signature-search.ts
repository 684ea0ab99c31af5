/** What the engines do each in their own way: rank the vectors of a scope by their signatures. */
import { SIGNATURE_BITS } from "./signature.ts";
import type { Vectors } from "./vectors.ts";

export type SignatureRequest = {
  /** Number of the scope and space. */
  readonly placeId: number;
  readonly signature: Uint8Array;
  readonly limit: number;
};

/** A vector that may be near: in so many bits its signature differs from the one asked for. */
export type SignatureMatch = { readonly id: number; readonly bits: number };

export type SignatureSearch = {
  readonly method: Vectors["method"];
  /** The fewest bits first, then by id. Fewer than the limit: there are no others. */
  rank(request: SignatureRequest): Promise<readonly SignatureMatch[]>;
};

const ID_BYTES = 8;

export const PACKED_BYTES = ID_BYTES + SIGNATURE_BITS / 8;

/** As it is stored: a signature that says whose it is, so that many of them can be handed over in one piece. */
export function packSignature(id: number, signature: Uint8Array): Uint8Array {
  const packed = new Uint8Array(PACKED_BYTES);
  new DataView(packed.buffer).setBigUint64(0, BigInt(id));
  packed.set(signature, ID_BYTES);
  return packed;
}
