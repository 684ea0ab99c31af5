/** Small trees of files with facts, for tests of import resolution. */
import {
  hashWord,
  type DefinitionFact,
  type FileFacts,
  type ImportFact,
  type WordCounts,
} from "../../src/languages/file-facts.ts";
import { createResolver, isResolutionManifest } from "../../src/languages/resolve/create-resolver.ts";
import type { Resolver } from "../../src/languages/resolve/resolver.ts";

export type FileSketch = {
  readonly imports?: readonly ImportFact[];
  /** Names; types start with an upper-case letter, other names are functions. */
  readonly defines?: readonly string[];
  readonly module?: string;
  /** Separated by spaces. */
  readonly words?: string;
};

/** A text for manifests, a sketch for code, and an empty sketch for files that only have to be there. */
export type TreeSketch = Readonly<Record<string, string | FileSketch>>;

export function importFact(specifier: string, details: Partial<ImportFact> = {}): ImportFact {
  return { specifier, kind: "import", names: [], moduleAlias: null, line: 1, ...details };
}

/** Imported names, `a` or `a as b`, separated by commas. */
export function namedFact(specifier: string, names: string, details: Partial<ImportFact> = {}): ImportFact {
  const list = names.split(/,\s*/).map((each) => {
    const [name = "", as = name] = each.split(" as ");
    return { name, as };
  });
  return importFact(specifier, { names: list, ...details });
}

export function sketchFacts({ imports = [], defines = [], module, words = "" }: FileSketch): FileFacts {
  const own = [...defines, ...imports.flatMap((each) => each.names.map(({ as }) => as)), ...words.split(" ")];
  return {
    imports,
    definitions: defines.map((name, index): DefinitionFact => ({
      name,
      kind: /^[A-Z]/.test(name) ? "class" : "function",
      line: index + 1,
      isExported: true,
    })),
    module: module ?? null,
    words: countWords(own.filter((word) => word.length >= 3)),
  };
}

function countWords(words: readonly string[]): WordCounts {
  const hashes = [...new Set(words.map(hashWord))].toSorted((a, b) => a - b);
  return {
    hashes: Uint32Array.from(hashes),
    counts: new Uint16Array(hashes.length).fill(1),
    total: words.length,
  };
}

export function sketchTree(sketch: TreeSketch): {
  readonly facts: ReadonlyMap<string, FileFacts>;
  readonly resolver: Resolver;
} {
  const facts = new Map<string, FileFacts>();
  const manifests = new Map<string, string>();
  for (const [path, value] of Object.entries(sketch)) {
    if (typeof value !== "string") facts.set(path, sketchFacts(value));
    else if (isResolutionManifest(path)) manifests.set(path, value);
  }
  return { facts, resolver: createResolver({ paths: new Set(Object.keys(sketch)), facts, manifests }) };
}
