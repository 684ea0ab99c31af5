/** A repository that answers from a recording, and throws where the recording has no answer. It opens nothing. */
import { KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import type { Repository } from "../../repository/repository.ts";
import { callKey, searchKey } from "./record-repository.ts";
import { createAnswers } from "./recorded-answers.ts";
import type { RecordedRepository, RepositoryAnswer, RepositoryMethod } from "./recording.ts";

export function replayRepository({ isShallow, calls }: RecordedRepository): Repository {
  const answers = new Map(
    calls.map(({ method, args, answers: recorded }) => [
      callKey(method, args),
      createAnswers<unknown>(recorded),
    ]),
  );

  function answer<Method extends RepositoryMethod>(
    method: Method,
    args: readonly unknown[],
  ): RepositoryAnswer<Method> {
    const next = answers.get(callKey(method, args));
    if (next === undefined) throw notRecorded(method, args);
    // The schema has checked that each method has its own answers.
    return next() as RepositoryAnswer<Method>;
  }

  function texts(
    method: "readFiles" | "readBlobs",
    names: readonly string[],
    argsOf: (name: string) => readonly unknown[],
  ): ReadonlyMap<string, string> {
    return new Map(
      names.flatMap((name) => {
        const text = answer(method, argsOf(name));
        return text === null ? [] : [[name, text]];
      }),
    );
  }

  return {
    root: null,
    isShallow,
    checkout: null,
    readChange: async () => {
      throw notRecorded("readChange", []);
    },
    readFiles: async (revision, paths) => texts("readFiles", paths, (path) => [revision, path]),
    readBlobs: async (ids) => texts("readBlobs", ids, (id) => [id]),
    listPaths: async (revision, _maxPaths, folder) => answer("listPaths", [revision, folder ?? ""]),
    // Recordings hold what was found in the code index instead of its questions.
    listFiles: async () => {
      throw notRecorded("listFiles", []);
    },
    readCoChanges: async () => {
      throw notRecorded("readCoChanges", []);
    },
    findEntry: async (revision, path) => answer("findEntry", [revision, path]),
    search: async (revision, search) => answer("search", [revision, searchKey(search)]),
    readHistory: async (revision, path) => answer("readHistory", [revision, path]),
    readBlame: async (revision, path, { from, to }) => answer("readBlame", [revision, path, from, to]),
    close() {},
  } satisfies Repository;
}

function notRecorded(method: string, args: readonly unknown[]): KodiaiError {
  const asked = printable(JSON.stringify(args)).slice(0, 300);
  return new KodiaiError("io", `the recording has no answer for ${method} ${asked}`, {
    hint: "This version reads more than the version that recorded the review. Record the review again, or replay it with that version.",
  });
}
