/** Reads and writes the bytes of a git tree. Texts are latin1, one character per byte. */
import { KodiaiError } from "../../../base/errors.ts";

export type TreeEntry = {
  /** Octal digits without a leading zero. */
  readonly mode: string;
  readonly id: string;
};

export const FOLDER_MODE = "40000";

/** Returns the entries by name. `digits` is the length of the repository's ids. */
export function parseTree(latin1: string, digits: number): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; at < latin1.length;) {
    const space = latin1.indexOf(" ", at);
    const nul = latin1.indexOf("\0", space);
    const end = nul + 1 + digits / 2;
    const name = latin1.slice(space + 1, nul);
    if (space === -1 || nul === -1 || end > latin1.length || entries.has(name)) throw malformed();
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

function malformed(): KodiaiError {
  return new KodiaiError("git", "a tree of the repository is malformed", {
    hint: "Run `git fsck` to check the repository.",
  });
}
