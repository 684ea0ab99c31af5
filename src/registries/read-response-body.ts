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
export function readResponseBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return consumeResponseBody(response, maxBytes, async (chunks) =>
    Buffer.concat(await Array.fromAsync(chunks)),
  );
}

/** The same for bodies that don't fit into memory. */
export async function consumeResponseBody<Value>(
  response: IncomingMessage,
  maxBytes: number,
  consume: (chunks: AsyncIterable<Buffer>) => Promise<Value>,
): Promise<Value> {
  if (Number(response.headers["content-length"]) > maxBytes) throw new TooLargeError("the body is too large");
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return consume(limitedChunks(response, maxBytes));
  const decoder = DECODERS[encoding]?.();
  if (decoder === undefined) throw new MalformedError("the encoding of the body isn't known");
  return pipeline(
    response,
    (packed: AsyncIterable<Buffer>) => limitedChunks(packed, maxBytes),
    decoder,
    (decoded: AsyncIterable<Buffer>) => consume(limitedChunks(decoded, maxBytes)),
  );
}
