/** The words to search for, so that every file which uses a changed export is found. */
import type { ChangedModule } from "./find-broken-exports.ts";

/** A default export has another name in each file, but its module's name is in the import. */
export function wantedWords(modules: readonly Pick<ChangedModule, "path" | "changes">[]): readonly string[] {
  const words = modules.flatMap(({ path, changes }) =>
    changes.flatMap(({ name }) => (name === "default" ? moduleWord(path) : name)),
  );
  return [...new Set(words)].filter((word) => /^[\p{L}\p{N}_$-]{1,100}$/u.test(word));
}

function moduleWord(path: string): string {
  const parts = path.split("/");
  const stem = (parts.at(-1) ?? "").replace(/\..*$/, "");
  return stem === "index" ? (parts.at(-2) ?? stem) : stem;
}
