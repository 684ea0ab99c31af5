/**
 * Takes lines of generated and minified files out of search results: they repeat what other files say, or are too long to read. They
 * are counted and named, so that an answer doesn't look complete.
 */
import { count } from "../base/count.ts";
import type { Repository, SearchHit } from "../repository/repository.ts";
import { markOfText } from "../review/analysis/marks.ts";
import { decodeBytes } from "../review/change/decode-bytes.ts";
import type { Guard } from "../review/untrusted/guard.ts";
import { namePaths } from "./resolve-paths.ts";
import type { ReadContext } from "./tool.ts";

/** The notice of a generator is at the top of its file. Of larger files only the name is looked at. */
const MAX_FILE_BYTES = 512 * 1024;

/** Each is read. Further files are judged by their names. */
const MAX_READ_FILES = 200;

/** More names don't help; the rest is counted. */
const MAX_NAMES = 3;

export type HandWritten = {
  readonly hits: readonly SearchHit[];
  readonly machineMade: { readonly lines: number; readonly paths: readonly string[] };
};

export async function leaveOutMachineMade(
  hits: readonly SearchHit[],
  repository: Repository,
  { head, signal }: Pick<ReadContext, "head" | "signal">,
): Promise<HandWritten> {
  const machineMade = new Set<string>();
  for (const [index, path] of [...new Set(hits.map((hit) => hit.path))].entries()) {
    signal.throwIfAborted();
    const latin1 =
      index < MAX_READ_FILES
        ? (await repository.readFiles(head, [path], MAX_FILE_BYTES)).get(path)
        : undefined;
    const mark = markOfText(path, latin1 === undefined ? "" : decodeBytes(latin1));
    if (mark === "generated" || mark === "minified") machineMade.add(path);
  }
  const kept = hits.filter(({ path }) => !machineMade.has(path));
  return { hits: kept, machineMade: { lines: hits.length - kept.length, paths: [...machineMade] } };
}

/** A sentence for the answer; none when nothing was left out. */
export function describeMachineMade(
  { lines, paths }: HandWritten["machineMade"],
  guard: Guard,
): readonly string[] {
  if (lines === 0) return [];
  const are = lines === 1 ? "is" : "are";
  return [
    `${count(lines, "line")} of generated or minified files ${are} left out: ${namePaths(paths, guard, MAX_NAMES)}.`,
  ];
}
