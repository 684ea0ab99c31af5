/**
 * Searches vectors in a thread. A search of a large repository takes tens of milliseconds of SQLite and arithmetic, which would block the
 * event loop. The thread starts with the first search and ends when there is none for a while.
 */
import { Worker } from "node:worker_threads";
import { fromPortable, type PortableError } from "../../../base/portable-error.ts";
import type { VectorsOptions } from "../search-vectors.ts";
import type { Neighbour, NeighbourRequest, Vectors } from "../vectors.ts";

export type FileSearch = VectorsOptions & { readonly path: string; readonly request: NeighbourRequest };

export type SearchAnswer =
  | { readonly kind: "found"; readonly neighbours: readonly Neighbour[] }
  | PortableError;

type Waiting = {
  readonly resolve: (neighbours: readonly Neighbour[]) => void;
  readonly reject: (error: unknown) => void;
};

/** Reviews search several times within seconds. The thread takes about 10 MB, and starting it takes less than a tenth of a second. */
const MAX_IDLE_MS = 60_000;

/** The bundle has all its files in one folder. */
const ENTRY = import.meta.url.endsWith(".ts")
  ? new URL("../../../vector-search-main.ts", import.meta.url)
  : new URL("vector-search-main.mjs", import.meta.url);

export function createSearchThread(path: string, options: VectorsOptions): Vectors["nearest"] {
  /** Answers come in the order of the searches. */
  let waiting: Waiting[] = [];
  let thread: Worker | null = null;
  let idleTimer: NodeJS.Timeout | null = null;

  function start(): Worker {
    const started = new Worker(ENTRY);
    const lose = (error: unknown): void => {
      if (thread !== started) return;
      thread = null;
      for (const one of waiting.splice(0)) one.reject(error);
    };
    started.on("message", (answer: SearchAnswer) => {
      const one = waiting.shift();
      if (one !== undefined) settle(one, answer);
      if (waiting.length === 0) rest(started);
    });
    started.on("error", lose);
    started.on("exit", (code) => lose(new Error(`The thread that searches vectors exited with ${code}.`)));
    return started;
  }

  /** An idle thread keeps no process running. */
  function rest(idle: Worker): void {
    idle.unref();
    idleTimer = setTimeout(() => {
      thread = null;
      void idle.terminate();
    }, MAX_IDLE_MS).unref();
  }

  return (request) =>
    new Promise((resolve, reject) => {
      if (idleTimer !== null) clearTimeout(idleTimer);
      thread ??= start();
      thread.ref();
      waiting.push({ resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
      thread.postMessage({ ...options, path, request } satisfies FileSearch);
    });
}

function settle({ resolve, reject }: Waiting, answer: SearchAnswer): void {
  if (answer.kind === "found") return resolve(answer.neighbours);
  reject(fromPortable(answer));
}
