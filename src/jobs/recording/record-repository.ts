/** A repository that records every question with its answer. It answers as the one behind it does. */
import type { Repository } from "../../repository/repository.ts";
import { addAnswer, watchAnswer } from "./recorded-answers.ts";
import type { RecordedAnswer, RepositoryAnswer, RepositoryCall, RepositoryMethod } from "./recording.ts";

export type WatchedRepository = {
  readonly repository: Repository;
  readonly calls: () => RepositoryCall[];
  /** Approximate length of all recorded answers. Beyond `maxChars` no more are kept. */
  readonly chars: () => number;
};

type OpenCall = { method: RepositoryMethod; args: unknown[]; answers: RecordedAnswer<unknown>[] };

export function recordRepository(real: Repository, maxChars: number): WatchedRepository {
  const calls = new Map<string, OpenCall>();
  let chars = 0;

  function keep(method: RepositoryMethod, args: unknown[], answer: RecordedAnswer<unknown>): void {
    if (chars > maxChars) return;
    const key = callKey(method, args);
    const call = calls.get(key) ?? { method, args, answers: [] };
    calls.set(key, call);
    if (addAnswer(call.answers, answer)) chars += JSON.stringify(answer).length + key.length;
  }

  function watch<Method extends RepositoryMethod>(
    method: Method,
    args: unknown[],
    asked: Promise<RepositoryAnswer<Method>>,
  ): Promise<RepositoryAnswer<Method>> {
    return watchAnswer(asked, (answer) => keep(method, args, answer));
  }

  /** Text by text, so that a replay may ask for them in other groups. */
  function watchTexts(
    method: "readFiles" | "readBlobs",
    argsByName: ReadonlyMap<string, unknown[]>,
    asked: Promise<ReadonlyMap<string, string>>,
  ): Promise<ReadonlyMap<string, string>> {
    return watchAnswer(asked, (answer) => {
      for (const [name, args] of argsByName) {
        const value =
          answer.kind === "answer" ? { ...answer, value: answer.value.get(name) ?? null } : answer;
        keep(method, args, value);
      }
    });
  }

  const repository: Repository = {
    ...real,
    readFiles: (revision, paths, maxBytes) =>
      watchTexts(
        "readFiles",
        new Map(paths.map((path) => [path, [revision, path]])),
        real.readFiles(revision, paths, maxBytes),
      ),
    readBlobs: (ids, maxBytes) =>
      watchTexts("readBlobs", new Map(ids.map((id) => [id, [id]])), real.readBlobs(ids, maxBytes)),
    listPaths: (revision, maxPaths, folder) =>
      watch("listPaths", [revision, folder ?? ""], real.listPaths(revision, maxPaths, folder)),
    findEntry: (revision, path, deadline) =>
      watch("findEntry", [revision, path], real.findEntry(revision, path, deadline)),
    search: (revision, search, deadline) =>
      watch("search", [revision, searchKey(search)], real.search(revision, search, deadline)),
    readHistory: (revision, path, options) =>
      watch("readHistory", [revision, path], real.readHistory(revision, path, options)),
    readBlame: (revision, path, options) =>
      watch("readBlame", [revision, path, options.from, options.to], real.readBlame(revision, path, options)),
  };
  // `watch` and `watchTexts` keep under each method what that method answers.
  return { repository, calls: () => [...calls.values()] as RepositoryCall[], chars: () => chars };
}

/** The same questions have the same key. */
export function callKey(method: RepositoryMethod, args: readonly unknown[]): string {
  return JSON.stringify([method, ...args]);
}

/** Without `accepts`: its decisions are in the answers. */
export function searchKey({ text, isWord, folder }: Parameters<Repository["search"]>[1]): readonly unknown[] {
  return [text, isWord, folder];
}
