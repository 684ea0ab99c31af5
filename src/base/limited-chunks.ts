/** A limit on the bytes of a stream. */

export class TooLargeError extends Error {}

/** The same chunks, until they have more bytes than allowed: then it throws `TooLargeError`. */
export async function* limitedChunks<Chunk extends Uint8Array>(
  chunks: AsyncIterable<Chunk>,
  maxBytes: number,
): AsyncGenerator<Chunk> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TooLargeError("the body is too large");
    yield chunk;
  }
}
