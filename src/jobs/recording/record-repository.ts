/** A repository that keeps what it was asked and what it answered. It answers as the one behind it does. */
import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../../base/errors.ts";
import type { Repository } from "../../repository/repository.ts";
import type { RecordedAnswer, RepositoryAnswers, RepositoryCall, RepositoryMethod } from "./recording.ts";

export type RepositoryLog = {
  readonly calls: () => readonly RepositoryCall[];
  /** Of all that was answered so far, about. */
  readonly chars: () => number;
};

export type WatchedRepository = { readonly repository: Repository; readonly log: RepositoryLog };

type OpenCall = {
  readonly method: RepositoryMethod;
  readonly args: readonly unknown[];
  readonly answers: Untimed[];
};

type Untimed = {
  answer: { kind: "answer"; value: unknown } | { kind: "failure"; message: string };
  times: number;
};

/** Beyond `maxChars` nothing more is kept; whoever reads `chars` sees it. */
export function recordRepository(real: Repository, maxChars: number): WatchedRepository {
  const calls = new Map<string, OpenCall>();
  let chars = 0;

  function keep(method: RepositoryMethod, args: readonly unknown[], answer: Untimed["answer"]): void {
    if (chars > maxChars) return;
    const key = callKey(method, args);
    const call = calls.get(key) ?? { method, args, answers: [] };
    calls.set(key, call);
    const last = call.answers.at(-1);
    if (last !== undefined && isDeepStrictEqual(last.answer, answer)) {
      last.times++;
      return;
    }
    call.answers.push({ answer, times: 1 });
    chars += charsOf(answer) + key.length;
  }

  async function watch<Method extends RepositoryMethod>(
    method: Method,
    args: readonly unknown[],
    asked: Promise<RepositoryAnswers[Method]>,
  ): Promise<RepositoryAnswers[Method]> {
    try {
      const value = await asked;
      keep(method, args, { kind: "answer", value });
      return value;
    } catch (error) {
      keep(method, args, { kind: "failure", message: messageOf(error) });
      throw error;
    }
  }

  async function watchTexts(
    method: "readFiles" | "readBlobs",
    asked: readonly (readonly [name: string, args: readonly unknown[]])[],
    read: () => Promise<ReadonlyMap<string, string>>,
  ): Promise<ReadonlyMap<string, string>> {
    try {
      const texts = await read();
      for (const [name, args] of asked)
        keep(method, args, { kind: "answer", value: texts.get(name) ?? null });
      return texts;
    } catch (error) {
      for (const [, args] of asked) keep(method, args, { kind: "failure", message: messageOf(error) });
      throw error;
    }
  }

  const repository: Repository = {
    ...real,
    readFiles: (revision, paths, maxBytes) =>
      watchTexts(
        "readFiles",
        paths.map((path) => [path, [revision, path]] as const),
        () => real.readFiles(revision, paths, maxBytes),
      ),
    readBlobs: (ids, maxBytes) =>
      watchTexts(
        "readBlobs",
        ids.map((id) => [id, [id]] as const),
        () => real.readBlobs(ids, maxBytes),
      ),
    listPaths: (revision, maxPaths, folder) =>
      watch("listPaths", [revision, folder ?? ""], real.listPaths(revision, maxPaths, folder)),
    findEntry: (revision, path, patience) =>
      watch("findEntry", [revision, path], real.findEntry(revision, path, patience)),
    search: (revision, search, patience) =>
      watch("search", [revision, searchKey(search)], real.search(revision, search, patience)),
    readHistory: (revision, path, options) =>
      watch("readHistory", [revision, path], real.readHistory(revision, path, options)),
    readBlame: (revision, path, options) =>
      watch("readBlame", [revision, path, options.from, options.to], real.readBlame(revision, path, options)),
  };
  return {
    repository,
    log: { calls: () => [...calls.values()].map(toCall), chars: () => chars },
  };
}

/** Questions that are the same have the same key. */
export function callKey(method: RepositoryMethod, args: readonly unknown[]): string {
  return JSON.stringify([method, ...args]);
}

/** Without what has the last word on a hit: it is in the answers. */
export function searchKey({ text, isWord, folder }: Parameters<Repository["search"]>[1]): readonly unknown[] {
  return [text, isWord, folder];
}

function toCall({ method, args, answers }: OpenCall): RepositoryCall {
  const recorded: readonly RecordedAnswer<unknown>[] = answers.map(({ answer, times }) => ({
    ...answer,
    times,
  }));
  // `watch` and `watchTexts` keep under each method what that method answers.
  return { method, args, answers: recorded } as RepositoryCall;
}

function charsOf(answer: Untimed["answer"]): number {
  if (answer.kind === "failure") return answer.message.length;
  return typeof answer.value === "string" ? answer.value.length : JSON.stringify(answer.value).length;
}
