/** Collects the facts of one file, with line numbers and limits. */
import type { DefinitionFact, ImportedName, ImportFact } from "../file-facts.ts";

/** Real files have some hundred. Generated ones have more, and the rest adds nothing. */
const MAX_IMPORTS = 5_000;
const MAX_DEFINITIONS = 10_000;

/** A longer name or specifier is data. */
const MAX_NAME_CHARS = 400;

export type FoundImport = {
  readonly specifier: string;
  readonly line: number;
  readonly kind?: ImportFact["kind"];
  readonly names?: readonly ImportedName[];
  readonly alias?: string | null;
};

export type FactCollector = {
  readonly imports: ImportFact[];
  readonly definitions: DefinitionFact[];
  module: string | null;
  /** The line of a position. Positions have to ascend. */
  lineAt(position: number): number;
  addImport(found: FoundImport): void;
  define(name: string, kind: DefinitionFact["kind"], line: number, isExported: boolean): void;
};

export function createFactCollector(text: string): FactCollector {
  const imports: ImportFact[] = [];
  const definitions: DefinitionFact[] = [];
  let line = 1;
  const breakFrom = (from: number): number => {
    const found = text.indexOf("\n", from);
    return found === -1 ? Infinity : found;
  };
  let nextBreak = breakFrom(0);
  return {
    imports,
    definitions,
    module: null,
    lineAt(position) {
      while (nextBreak < position) {
        line++;
        nextBreak = breakFrom(nextBreak + 1);
      }
      return line;
    },
    addImport({ specifier, kind = "import", names = [], alias = null, line: at }) {
      if (specifier === "" || specifier.length > MAX_NAME_CHARS || imports.length >= MAX_IMPORTS) return;
      imports.push({ specifier, kind, names, moduleAlias: alias, line: at });
    },
    define(name, kind, at, isExported) {
      if (name.length > MAX_NAME_CHARS || definitions.length >= MAX_DEFINITIONS) return;
      definitions.push({ name, kind, line: at, isExported });
    },
  };
}
