/** The paths of a repository as folders, and arithmetic on paths. The root folder is "". */
import { appendTo } from "../../base/append-to.ts";
import { containingFolder } from "../../base/containing-folder.ts";
import { fileNameOf } from "../../base/file-name.ts";

export type FileTree = {
  hasFile(path: string): boolean;
  hasFolder(folder: string): boolean;
  /** Files directly in a folder, in byte order. */
  filesIn(folder: string): readonly string[];
  /** Paths with this file name, in byte order. */
  filesNamed(name: string): readonly string[];
  /** Every path, in byte order. */
  readonly paths: readonly string[];
};

export function createFileTree(paths: ReadonlySet<string>): FileTree {
  const sorted = [...paths].toSorted(compareBytes);
  const byFolder = new Map<string, string[]>([["", []]]);
  const byName = new Map<string, string[]>();
  for (const path of sorted) {
    const folder = containingFolder(path);
    appendTo(byFolder, folder, path);
    appendTo(byName, fileNameOf(path), path);
    for (let above = folder; above !== "";) {
      above = containingFolder(above);
      if (byFolder.has(above)) break;
      byFolder.set(above, []);
    }
  }
  return {
    hasFile: (path) => paths.has(path),
    hasFolder: (folder) => byFolder.has(folder),
    filesIn: (folder) => byFolder.get(folder) ?? [],
    filesNamed: (name) => byName.get(name) ?? [],
    paths: sorted,
  };
}

/** The file name up to its last dot. */
export function stemOf(path: string): string {
  const name = fileNameOf(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? name : name.slice(0, dot);
}

/** With `.` and `..` resolved; null when the result is outside of the repository. A leading slash means the folder. */
export function joinPaths(folder: string, relative: string): string | null {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

/** The folder itself, then those around it, up to the root. */
export function* foldersUp(folder: string): Generator<string> {
  for (let at = folder; ; at = containingFolder(at)) {
    yield at;
    if (at === "") return;
  }
}

/** The closest of these folders around a path; null when none is. */
export function closestFolder(path: string, folders: { has(folder: string): boolean }): string | null {
  for (const folder of foldersUp(containingFolder(path))) if (folders.has(folder)) return folder;
  return null;
}

/** The paths with the fewest steps between folders from a file. */
export function closestTo(from: string, paths: readonly string[]): readonly string[] {
  if (paths.length < 2) return paths;
  const steps = paths.map((path) => stepsTo(from, path));
  const fewest = Math.min(...steps);
  return paths.filter((_path, index) => steps[index] === fewest);
}

/** The steps up from the first path don't count, since they differ only by those down. */
function stepsTo(from: string, path: string): number {
  let steps = 0;
  let isShared = true;
  for (let index = 0; index < path.length; index++) {
    const unit = path.charCodeAt(index);
    isShared &&= unit === from.charCodeAt(index);
    if (unit === SLASH) steps += isShared ? -1 : 1;
  }
  return steps;
}

const SLASH = 0x2f;

/** The order of UTF-8 bytes. It differs from the order of UTF-16 units only where surrogates meet higher units. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rankUnit(left) - rankUnit(right);
  }
  return a.length - b.length;
}

function rankUnit(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
