/** Reads the raw body of a request, up to a size limit and within the memory shared by all bodies. */
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { BodyReservation } from "./body-memory.ts";

export type BodyLimits = {
  readonly maxBytes: number;
  readonly memory: BodyReservation;
};

export type ReadBody =
  | { readonly kind: "read"; readonly bytes: Buffer }
  /** The rest is unread, and the connection should be closed. */
  | { readonly kind: "too-large" | "overloaded" }
  /** The sender closed the connection. */
  | { readonly kind: "incomplete" };

export function readBody(
  incoming: Readable & { readonly headers: IncomingHttpHeaders },
  { maxBytes, memory }: BodyLimits,
): Promise<ReadBody> {
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes)
    return Promise.resolve({ kind: "too-large" });
  if (incoming.destroyed) return Promise.resolve({ kind: "incomplete" });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const reject = (kind: "too-large" | "overloaded"): void => {
      chunks.length = 0;
      incoming.off("data", onData);
      incoming.pause();
      resolve({ kind });
    };
    memory.onEvicted(() => reject("overloaded"));
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > maxBytes) return reject("too-large");
      if (!memory.reserve(chunk.length)) return reject("overloaded");
      chunks.push(chunk);
    };
    incoming.on("data", onData);
    incoming.on("end", () => {
      memory.complete();
      resolve({ kind: "read", bytes: joined(chunks) });
    });
    // After the end of the body, these have no effect.
    incoming.on("error", () => resolve({ kind: "incomplete" }));
    incoming.on("close", () => resolve({ kind: "incomplete" }));
  });
}

/** Most bodies are a single chunk, which isn't copied. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
