/** Which lockfile a manifest belongs to. */
import type { ComparedFile } from "./read-pair.ts";

export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** The lockfile in the folder of a manifest, or in the nearest folder above it. Null when the manifest selects everything itself. */
export function lockOf(
  { path, format: { ecosystem, name }, head }: ComparedFile,
  locks: readonly ComparedFile[],
): ComparedFile | null {
  if (head?.isComplete === true) return null;
  const governing = locks.filter(
    (lock) =>
      lock.head !== null &&
      lock.format.ecosystem === ecosystem &&
      (lock.format.manifests?.includes(name) ?? true) &&
      (lock.format.isPerFolder !== true || folderOf(lock.path) === folderOf(path)) &&
      folderOf(path).startsWith(folderOf(lock.path)),
  );
  return governing.toSorted((one, other) => other.path.length - one.path.length)[0] ?? null;
}

/** Whether a manifest in the folder of a lockfile selects everything itself, so that the lockfile has only checksums. */
export function hasOnlyChecksums(lock: ComparedFile, files: readonly ComparedFile[]): boolean {
  return (
    lock.format.kind === "lockfile" &&
    files.some(
      ({ path, format, base, head }) =>
        format.ecosystem === lock.format.ecosystem &&
        folderOf(path) === folderOf(lock.path) &&
        (head ?? base)?.isComplete === true,
    )
  );
}
