/** Reads tree objects of git: entries of the form `mode SP name NUL id`, with the id as bytes. */
import { encodePath } from "../../review/change/decode-bytes.ts";
import type { ObjectReader } from "./object-reader.ts";

/** 100,000 files in one folder. */
export const MAX_TREE_BYTES = 8 * 1024 * 1024;

export const TREE_MODE = "040000";

/** The mode has six digits, and the id is in hex. */
export type TreeEntry = { readonly mode: string; readonly id: string };

/** Returns the entries by name, which is latin1. Null if the bytes are no tree. */
export function parseTree(latin1: string, idBytes: number): ReadonlyMap<string, TreeEntry> | null {
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; at < latin1.length;) {
    const space = latin1.indexOf(" ", at);
    const end = latin1.indexOf("\0", space);
    if (space === -1 || end === -1) return null;
    const next = end + 1 + idBytes;
    entries.set(latin1.slice(space + 1, end), {
      mode: latin1.slice(at, space).padStart(6, "0"),
      id: Buffer.from(latin1.slice(end + 1, next), "latin1").toString("hex"),
    });
    at = next;
  }
  return entries;
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
  let entry: TreeEntry = { mode: TREE_MODE, id: `${id}^{tree}` };
  for (const name of encodePath(path).split("/")) {
    if (entry.mode !== TREE_MODE) return "absent";
    const tree = await objects.read(entry.id, MAX_TREE_BYTES, "tree");
    const entries = tree === null ? null : parseTree(tree, id.length / 2);
    if (entries === null) return "unknown";
    const found = entries.get(name);
    if (found === undefined) return "absent";
    entry = found;
  }
  return entry;
}
