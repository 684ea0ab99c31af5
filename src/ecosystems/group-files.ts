/** Which dependency files are compared together. */
import { appendTo } from "../base/append-to.ts";
import { formatOf } from "./all-ecosystems.ts";
import { folderOf } from "./governing-lock.ts";

/** Files of different ecosystems have nothing to do with each other. Files that no format is for are left out. */
export function groupByEcosystem<File extends { readonly path: string }>(
  files: readonly File[],
): readonly (readonly File[])[] {
  const groups = new Map<string, File[]>();
  for (const file of files) {
    const ecosystem = formatOf(file.path)?.ecosystem;
    if (ecosystem !== undefined) appendTo(groups, ecosystem, file);
  }
  return [...groups.values()];
}

/**
 * Smaller groups for one that takes too much time or memory: each lockfile with its manifests, then each file by itself. None for a
 * single file.
 */
export function splitGroup<File extends { readonly path: string }>(
  files: readonly File[],
): readonly (readonly File[])[] {
  if (files.length <= 1) return [];
  const locks = files.filter(({ path }) => formatOf(path)?.kind === "lockfile");
  const nearestFirst = locks.toSorted((one, other) => other.path.length - one.path.length);
  const groups = new Map<File | null, File[]>();
  for (const file of files) {
    const lock = locks.includes(file)
      ? file
      : nearestFirst.find(({ path }) => folderOf(file.path).startsWith(folderOf(path)));
    appendTo(groups, lock ?? null, file);
  }
  return groups.size > 1 ? [...groups.values()] : files.map((file) => [file]);
}
