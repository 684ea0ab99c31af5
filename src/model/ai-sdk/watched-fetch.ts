/** The only way out: to one address, without following anybody elsewhere, and every byte that comes back is noticed. */
import type { Fetch } from "./language-model.ts";

export type Signs = {
  /** The provider has taken the request: its answer begins. */
  onAnswer(): void;
  onBytes(): void;
};

// Far more than a model says in one answer, and little enough to be held in memory.
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export function createWatchedFetch(origin: string, signs: Signs): Fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) throw new Error("a provider asked for another address than its own");
    // A redirect would take the key along.
    const response = await fetch(url, { ...init, redirect: "error" });
    if (response.ok) signs.onAnswer();
    if (response.body === null) return response;
    let bytes = 0;
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          signs.onBytes();
          bytes += chunk.length;
          if (bytes > MAX_ANSWER_BYTES) controller.error(new Error("the answer of the provider has no end"));
          else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}
