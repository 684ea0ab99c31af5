/** Reads the body of a request as it came, up to a limit of its own and within the memory that all bodies share. */
import type { IncomingMessage } from "node:http";
import type { BodyShare } from "./body-memory.ts";

export type BodyLimits = {
  readonly maxBytes: number;
  readonly place: BodyShare;
};

export type ReadBody =
  | { readonly kind: "read"; readonly bytes: Buffer }
  /** The rest was left unread, and the connection should be closed. */
  | { readonly kind: "too-large" | "overloaded" }
  /** The sender went away. */
  | { readonly kind: "incomplete" };

export function readBody(incoming: IncomingMessage, { maxBytes, place }: BodyLimits): Promise<ReadBody> {
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes)
    return Promise.resolve({ kind: "too-large" });
  if (incoming.destroyed) return Promise.resolve({ kind: "incomplete" });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const refuse = (kind: "too-large" | "overloaded"): void => {
      chunks.length = 0;
      incoming.off("data", onData);
      incoming.pause();
      resolve({ kind });
    };
    place.onGiveWay(() => refuse("overloaded"));
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > maxBytes) return refuse("too-large");
      if (!place.take(chunk.length)) return refuse("overloaded");
      chunks.push(chunk);
    };
    incoming.on("data", onData);
    incoming.on("end", () => {
      place.arrived();
      resolve({ kind: "read", bytes: joined(chunks) });
    });
    // After its end both mean nothing any more.
    incoming.on("error", () => resolve({ kind: "incomplete" }));
    incoming.on("close", () => resolve({ kind: "incomplete" }));
  });
}

/** Most bodies come in one piece, which need not be copied. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
