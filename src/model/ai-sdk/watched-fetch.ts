/** A fetch that reaches one origin only, follows no redirect, and reports every received byte. */
import { outboundFetch } from "../../base/outbound/outbound-fetch.ts";
import type { Fetch } from "./language-model.ts";

export type Signs = {
  /** How long the provider may be silent. */
  readonly stallMs: number;
  /** The provider accepted the request, and its answer begins. */
  onAnswer(): void;
  onBytes(): void;
};

// Far more than one answer needs, and small enough to hold in memory.
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export function createWatchedFetch(origin: string, signs: Signs): Fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) throw new Error("the SDK requested another origin than the provider's");
    // A redirect would leak the key.
    const response = await outboundFetch(url, { ...init, redirect: "error" }, signs.stallMs);
    if (response.ok) signs.onAnswer();
    if (response.body === null) return response;
    let bytes = 0;
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          signs.onBytes();
          bytes += chunk.length;
          if (bytes > MAX_ANSWER_BYTES) controller.error(new Error("the answer exceeds 64 MiB"));
          else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}
