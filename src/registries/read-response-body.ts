/** Reads the body of a response with a limit on what arrives and on what it decodes to, so that no bomb is ever unpacked. */
import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

export class TooLargeError extends Error {}
export class MalformedError extends Error {}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
};

/** The decoded bytes. Throws `TooLargeError` as soon as one of the two sizes exceeds the limit. */
export async function readResponseBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(response.headers["content-length"]) > maxBytes) throw new TooLargeError("the body is too large");
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return collect(response, maxBytes);
  const decoder = DECODERS[encoding]?.();
  if (decoder === undefined) throw new MalformedError("the encoding of the body isn't known");
  return pipeline(
    response,
    (packed: AsyncIterable<Buffer>) => limited(packed, maxBytes),
    decoder,
    (decoded: AsyncIterable<Buffer>) => collect(decoded, maxBytes),
  );
}

async function collect(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(limited(chunks, maxBytes)));
}

/** The same chunks, until they have more bytes than allowed. */
export async function* limited(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new TooLargeError("the body is too large");
    yield chunk;
  }
}
