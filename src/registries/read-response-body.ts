/** Reads the body of a response with a limit on what arrives and on what it decodes to, so that no bomb is ever unpacked. */
import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { limitedChunks, TooLargeError } from "../base/limited-chunks.ts";

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
    (packed: AsyncIterable<Buffer>) => limitedChunks(packed, maxBytes),
    decoder,
    (decoded: AsyncIterable<Buffer>) => collect(decoded, maxBytes),
  );
}

async function collect(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(limitedChunks(chunks, maxBytes)));
}
