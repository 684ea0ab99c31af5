/** Collects what a file uses of a package, with limits. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { createNameMatcher } from "./match-names.ts";
import type { FileUses, PackageImport, UsePlace, UsingFile, WantedUses } from "./package-uses.ts";

/** More places in one file are noise. They are counted. */
const MAX_PLACES = 200;

const MAX_LINE_CHARS = 200;

export type UseRecorder = {
  addImport(node: SyntaxNode, specifier: string, isTypeOnly: boolean, isRequire?: boolean): void;
  /** A use of something imported. `path` starts with what is imported; several paths are spellings of the same use. For `objectLength` see `NameMatcher`. */
  addUse(
    node: SyntaxNode,
    paths: readonly (readonly string[])[],
    how: { readonly isTypeOnly: boolean; readonly objectLength: number },
  ): void;
  /** An imported or re-exported name. It isn't counted as a use, unless it's passed on. */
  addName(
    node: SyntaxNode,
    paths: readonly (readonly string[])[],
    role: "import" | "re-export",
    isTypeOnly: boolean,
  ): void;
  /** Something can't be followed. */
  open(): void;
  done(): FileUses;
};

export function createUseRecorder(file: UsingFile, wanted: WantedUses): UseRecorder {
  const { path, isTest } = file;
  const matches = createNameMatcher(wanted);
  const removed = new Set(wanted.removedEntries);
  const dropped = new Set(wanted.requireDropped ?? []);
  const lines = file.text.split("\n");
  const imports: PackageImport[] = [];
  const places = new Map<string, UsePlace>();
  let useCount = 0;
  let isOpen = false;
  let isCut = false;

  const addPlace = (node: SyntaxNode, name: string, role: UsePlace["role"], isTypeOnly: boolean): void => {
    const { line, column } = node.range().start;
    const key = `${line}:${column}`;
    if (places.has(key)) return;
    if (places.size >= MAX_PLACES) {
      isCut = true;
      return;
    }
    const symbol = node.text().slice(0, MAX_LINE_CHARS).replaceAll(/\s+/g, " ");
    const text = (lines[line] ?? "").trim().slice(0, MAX_LINE_CHARS);
    places.set(key, {
      path,
      line: line + 1,
      column: column + 1,
      text,
      name,
      symbol,
      role,
      isTypeOnly,
      isTest,
    });
  };
  const match = (paths: readonly (readonly string[])[], objectLength: number): string | null => {
    let best: string | null = null;
    for (const each of paths) {
      const name = matches(each, objectLength);
      if (name !== null && (best === null || name.length > best.length)) best = name;
    }
    return best;
  };

  return {
    addImport(node, specifier, isTypeOnly, isRequire = false) {
      imports.push({ specifier, line: node.range().start.line + 1, isTypeOnly });
      const isGone = removed.has(specifier) || (isRequire && dropped.has(specifier));
      if (isGone) addPlace(node, specifier, "import", isTypeOnly);
    },
    addUse(node, paths, { isTypeOnly, objectLength }) {
      useCount++;
      const name = match(paths, objectLength);
      if (name !== null) addPlace(node, name, "use", isTypeOnly);
    },
    addName(node, paths, role, isTypeOnly) {
      if (role === "re-export") useCount++;
      const name = match(paths, 0);
      if (name !== null) addPlace(node, name, role, isTypeOnly);
    },
    open() {
      isOpen = true;
    },
    done: () => ({
      path,
      isTest,
      imports,
      useCount,
      places: [...places.values()].toSorted(
        (one, other) => one.line - other.line || one.column - other.column,
      ),
      isOpen,
      problem: isCut ? "limit" : null,
    }),
  };
}
