/** The entry of the thread that searches the vectors of an SQLite file: one search at a time, one answer for each. */
import { parentPort } from "node:worker_threads";
import { KodiaiError } from "./base/errors.ts";
import { type FileSearch, searchFile } from "./store/vectors/sqlite/search-file.ts";
import type { SearchAnswer } from "./store/vectors/sqlite/search-thread.ts";

let turn: Promise<void> = Promise.resolve();

// Only search-thread.ts sends messages.
parentPort?.on("message", (search: FileSearch) => {
  turn = turn.then(async () => parentPort?.postMessage(await answer(search)));
});

/** A message can't carry an error of Kodiai, only its fields. */
async function answer(search: FileSearch): Promise<SearchAnswer> {
  try {
    return { kind: "found", neighbours: await searchFile(search) };
  } catch (error) {
    if (!(error instanceof KodiaiError)) return { kind: "defect", error };
    const { code, message, hint, retryable } = error;
    return { kind: "failed", code, message, hint, retryable };
  }
}
