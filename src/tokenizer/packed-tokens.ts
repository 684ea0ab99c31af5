/** Tokens one after the other, by rank. */
export type PackedTokens = {
  readonly bytes: Uint8Array;
  /** 0 where a rank has no token. */
  readonly lengths: Uint8Array;
};

const MAX_LENGTH = 255;

/** By rank: a text, or bytes that aren't UTF-8. May have holes. */
export function packTokens(vocabulary: readonly (string | readonly number[])[]): PackedTokens {
  const lengths = new Uint8Array(vocabulary.length);
  const parts: Uint8Array[] = [];
  vocabulary.forEach((token, rank) => {
    const bytes = Buffer.from(token);
    if (bytes.length > MAX_LENGTH) throw new Error(`the token of rank ${rank} has ${bytes.length} bytes`);
    lengths[rank] = bytes.length;
    parts.push(bytes);
  });
  return { bytes: Buffer.concat(parts), lengths };
}
