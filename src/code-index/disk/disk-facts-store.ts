/**
 * Facts in a file of the user's cache. A damaged file is replaced; a file of another program stays, and isn't used. Whatever
 * goes wrong, the index goes on without the file.
 */
import type { CacheProblem } from "../code-index.ts";
import type { FactsStore } from "../facts-store.ts";
import { EVICTION_LIMITS, evictFiles, type EvictionLimits, removeFactsFile } from "./evict-files.ts";
import { type FactsFile, openFactsFile, problemOf } from "./facts-file.ts";

export type DiskFactsSettings = {
  readonly folder: string;
  /** The name of the repository's file, without extension. */
  readonly name: string;
  readonly limits?: EvictionLimits;
};

/** One closure: after a failure, all functions must use the new file, or none. */
export function openDiskFactsStore({
  folder,
  name,
  limits = EVICTION_LIMITS,
}: DiskFactsSettings): FactsStore {
  const path = `${folder}/${name}.db`;
  let problem: CacheProblem | null = null;
  let file: FactsFile | null = null;
  let isWritable = true;

  /** Runs work on the file. After a failure, the file isn't used again, or a new one takes its place. */
  function attempt<Value>(work: (open: FactsFile) => Value, otherwise: Value): Value {
    if (file === null) return otherwise;
    try {
      return work(file);
    } catch (error) {
      noteFailure(error);
      return otherwise;
    }
  }

  function noteFailure(error: unknown): void {
    problem ??= problemOf(error);
    const isCorrupt = problemOf(error) === "corrupt";
    if (problemOf(error) === "read-only" && file !== null) isWritable = false;
    else closeFile();
    if (!isCorrupt || !isWritable) return;
    isWritable = false;
    try {
      removeFactsFile(path);
      file = openFactsFile(path, { isReadOnly: false });
      isWritable = true;
    } catch {
      // The index goes on without a file.
    }
  }

  function closeFile(): void {
    const open = file;
    file = null;
    try {
      open?.close();
    } catch {
      // The file isn't used any more.
    }
  }

  try {
    process.getBuiltinModule("node:fs").mkdirSync(folder, { recursive: true, mode: 0o700 });
    evictFiles(folder, path, limits);
    file = openFactsFile(path, { isReadOnly: false });
  } catch (error) {
    noteFailure(error);
    if (problem === "read-only") openToRead();
  }

  function openToRead(): void {
    isWritable = false;
    try {
      file = openFactsFile(path, { isReadOnly: true });
    } catch {
      // There is no file, or it can't be read without writing.
    }
  }

  return {
    read: (keys) =>
      attempt<ReadonlyMap<string, string>>((open) => {
        const { found, damaged } = open.read(keys);
        if (damaged > 0) problem ??= "corrupt";
        return found;
      }, new Map()),
    write(rows) {
      if (isWritable && rows.length > 0) attempt((open) => open.write(rows), undefined);
    },
    problem: () => problem,
    close: closeFile,
  };
}
