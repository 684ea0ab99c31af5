/** Reads the body of a request as it came, up to a limit. What is over it is not kept. */
import type { IncomingMessage } from "node:http";

/** Null when it is longer than `maxBytes`; the rest is then left unread, and the connection should be closed. */
export function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= maxBytes) return void chunks.push(chunk);
      chunks.length = 0;
      incoming.off("data", onData);
      incoming.pause();
      resolve(null);
    };
    incoming.on("data", onData);
    incoming.on("end", () => resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)));
    incoming.on("error", reject);
    incoming.on("close", () => reject(new Error("the connection was closed before the body had come")));
  });
}
