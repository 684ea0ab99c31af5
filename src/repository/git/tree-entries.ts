/** Reads and writes the bytes of a git tree, and follows paths through trees. Texts are latin1, one character per byte. */
import { encodePath } from "../../review/change/decode-bytes.ts";
import type { ObjectReader } from "./object-reader.ts";

export type TreeEntry = {
  /** Octal digits without a leading zero. */
  readonly mode: string;
  readonly id: string;
};

export const FOLDER_MODE = "40000";

/** 100,000 files in one folder. */
export const MAX_TREE_BYTES = 8 * 1024 * 1024;

/** Returns the entries by name. `digits` is the length of the repository's ids. Null if the tree is malformed. */
export function parseTree(latin1: string, digits: number): Map<string, TreeEntry> | null {
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; at < latin1.length;) {
    const space = latin1.indexOf(" ", at);
    const nul = latin1.indexOf("\0", space);
    const end = nul + 1 + digits / 2;
    const name = latin1.slice(space + 1, nul);
    if (space === -1 || nul === -1 || end > latin1.length || entries.has(name)) return null;
    entries.set(name, {
      // Old tools padded the modes of folders with zeros, which git's check of new objects rejects.
      mode: latin1.slice(at, space).replace(/^0+/, ""),
      id: Buffer.from(latin1.slice(nul + 1, end), "latin1").toString("hex"),
    });
    at = end;
  }
  return entries;
}

export function formatTree(entries: ReadonlyMap<string, TreeEntry>): Uint8Array {
  const parts = [...entries]
    .map(([name, entry]) => ({ name, ...entry, key: entry.mode === FOLDER_MODE ? `${name}/` : name }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`, "latin1"), Buffer.from(id, "hex")]);
  return Buffer.concat(parts);
}

/**
 * Follows a path from the top of a commit. `unknown`: one of the trees is missing or too large, so that nothing is known about the path.
 */
export async function followPath(
  commit: string,
  path: string,
  objects: Pick<ObjectReader, "read" | "resolve">,
): Promise<TreeEntry | "absent" | "unknown"> {
  const id = await objects.resolve(commit);
  if (id === null) return "unknown";
  let entry: TreeEntry = { mode: FOLDER_MODE, id: `${id}^{tree}` };
  for (const name of encodePath(path).split("/")) {
    if (entry.mode !== FOLDER_MODE) return "absent";
    const tree = await objects.read(entry.id, MAX_TREE_BYTES, "tree");
    const entries = tree === null ? null : parseTree(tree, id.length);
    if (entries === null) return "unknown";
    const found = entries.get(name);
    if (found === undefined) return "absent";
    entry = found;
  }
  return entry;
}
