/** The words to search for, so that every file which uses a changed export is found. */
import { containingFolder } from "../../base/containing-folder.ts";
import { EXPORTED_IN_GO } from "../go/go-module.ts";
import type { ChangedModule } from "./find-broken-exports.ts";

export type WantedWord = {
  readonly text: string;
  /** The only folder whose files can use it; null when it isn't known. */
  readonly folder: string | null;
};

/** Those that may be used anywhere come first. A default export has another name in each file, but its module's name is in the import. */
export function wantedWords(
  modules: readonly Pick<ChangedModule, "path" | "changes">[],
): readonly WantedWord[] {
  const words = modules.flatMap(({ path, changes }) =>
    changes.map(({ name, package: inPackage }): WantedWord => {
      const isPrivate = inPackage !== null && !path.endsWith(".kt") && !EXPORTED_IN_GO.test(name);
      return {
        // Of `A::B` in Ruby, files can write only `B`.
        text: name === "default" ? moduleWord(path) : name.slice(name.lastIndexOf(":") + 1),
        folder: isPrivate ? containingFolder(path) : null,
      };
    }),
  );
  const unique = new Map(words.map((word) => [`${word.folder ?? "/"}\0${word.text}`, word]));
  return [...unique.values()]
    .filter(({ text }) => /^[\p{L}\p{N}_$-]{1,100}$/u.test(text))
    .toSorted((one, other) => Number(one.folder !== null) - Number(other.folder !== null));
}

function moduleWord(path: string): string {
  const parts = path.split("/");
  const stem = (parts.at(-1) ?? "").replace(/\..*$/, "");
  return stem === "index" ? (parts.at(-2) ?? stem) : stem;
}
