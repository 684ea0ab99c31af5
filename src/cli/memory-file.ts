/**
 * A file in git's own folder, which git never commits. Keeping it is optional: where it can't be read or written, such as in a
 * read-only folder, there is none. Links aren't followed, because the folder may come from elsewhere.
 */
import { join } from "node:path";

/** One per branch and kind of review. The branches of the last weeks are enough. */
const MAX_FILES = 20;

/** With those that a crash left half-written. */
const NAME = /^review-[0-9a-f]+\.json(?:\.\d+\.tmp)?$/;

/** One for all, because it's only kept to find out what happened to the last one. */
const BROKEN_NAME = "review.broken";

export type MemoryFile = {
  /** Null without a file. Empty if it can't be read, isn't a regular file or is larger than `maxBytes`. */
  read(maxBytes: number): string | null;
  /** Replaces the file as a whole; only its owner can read it. Deletes the oldest files beyond the limit. */
  write(text: string): void;
  remove(): void;
  /** Renames whatever has the name of the file. It replaces the one that was put aside before. */
  putAside(): void;
};

/** `key` consists of hex digits. */
export function openMemoryFile(gitFolder: string, key: string): MemoryFile {
  // An import would load more of Node than a small review needs.
  const fs = process.getBuiltinModule("node:fs");
  const folder = join(gitFolder, "kodiai");
  const path = join(folder, `review-${key}.json`);

  function removeOldest(): void {
    const files = fs.readdirSync(folder).filter((name) => NAME.test(name));
    if (files.length <= MAX_FILES) return;
    const newestFirst = files
      .map((name) => ({ name, writtenAt: fs.lstatSync(join(folder, name)).mtimeMs }))
      .toSorted((a, b) => b.writtenAt - a.writtenAt);
    for (const { name } of newestFirst.slice(MAX_FILES)) fs.rmSync(join(folder, name));
  }

  /** Checks again what it has opened, which may no longer be the same. */
  function readFile(maxBytes: number): string {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    const file = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stat = fs.fstatSync(file);
      return stat.isFile() && stat.size <= maxBytes ? fs.readFileSync(file, "utf8") : "";
    } finally {
      fs.closeSync(file);
    }
  }

  return {
    read(maxBytes) {
      const stat = optional(() => (fs.lstatSync(folder).isDirectory() ? fs.lstatSync(path) : null));
      if (stat === null) return null;
      if (!stat.isFile() || stat.size > maxBytes) return "";
      return optional(() => readFile(maxBytes)) ?? "";
    },
    write(text) {
      const temporary = `${path}.${process.pid}.tmp`;
      optional(() => fs.mkdirSync(folder, { mode: 0o700 }));
      optional(() => {
        if (!fs.lstatSync(folder).isDirectory()) return;
        fs.rmSync(temporary, { force: true });
        fs.writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
        fs.renameSync(temporary, path);
        removeOldest();
      });
      optional(() => fs.rmSync(temporary, { force: true }));
    },
    putAside() {
      const broken = join(folder, BROKEN_NAME);
      optional(() => fs.rmSync(broken, { recursive: true, force: true }));
      optional(() => fs.renameSync(path, broken));
    },
    remove: () => void optional(() => fs.rmSync(path, { force: true })),
  };
}

function optional<Value>(attempt: () => Value): Value | null {
  try {
    return attempt();
  } catch {
    return null;
  }
}
