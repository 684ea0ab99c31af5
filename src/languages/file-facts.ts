/**
 * The facts that a fast lexer finds in one file: imports, definitions and words. Facts depend on the file's bytes and its language
 * alone, so they are kept by blob id and never change for it.
 */

export type FileFacts = {
  readonly imports: readonly ImportFact[];
  readonly definitions: readonly DefinitionFact[];
  /** The package, module or namespace that the file declares, as written; null in languages where the path decides. */
  readonly module: string | null;
  readonly words: WordCounts;
};

/**
 * How each language's imports are written as facts. Import resolution relies on it.
 *
 * - JavaScript, TypeScript: `import a, { b as c } from "x"` has the names default as a, and b as c. `import * as ns`: the alias ns.
 *   `const ns = require("x")`: the alias ns; a destructuring require: names. `export * from`: re-export of "*";
 *   `export * as ns from`: re-export with the alias ns and no names. A default export also has a definition named `default`,
 *   and `export { a as b }` one named b.
 * - Python: `import a.b` has the alias "a.b"; `import a.b as c`: c. `from ..a import b as c`: "..a" with the name b as c; `from . import b`: ".".
 * - Go: the alias as written, otherwise null. `import . "x"`: the name "*"; `import _ "x"`: nothing.
 * - Rust: a fact for each path. `use a::b::{C, D as E}`: "a::b" with the names C, and D as E; `use a::*`: the name "*"; `use a;` and
 *   `use a::{self}`: "a" with the alias a. `pub use`: re-export. `mod cart;`: kind `module`, alias cart; with `#[path = "x.rs"]` the specifier is
 *   "x.rs". Inside of an inline `mod tests { … }` a leading `super::` for that module is `self::`, as if it were written outside.
 *   Paths in code that begin with `crate::` or `super::` may be facts without names and alias.
 * - Java, Kotlin: `import a.b.C`: "a.b.C" with the name C (`as` in Kotlin). `import a.b.*`: "a.b" with "*". `import static a.b.C.m`: "a.b.C" with m.
 * - C#: `using A.B`: "A.B" with "*"; `global using`: the same as a re-export. `using X = A.B.C`: "A.B.C" with the name C as X. `using static A.B.C`: "A.B.C" with "*".
 * - Ruby: `require_relative "x"` is "./x". `autoload :Cart, "x"`: the name Cart.
 * - PHP: `use A\B\C as D`: "A\B\C" with the name C as D, each of a group alone, without a leading backslash. `include`, `require`: kind
 *   `include`, and "./x.php" for `__DIR__ . "/x.php"`.
 */
export type ImportFact = {
  /** As written, without quotes: "./cart.ts", "django.db.models", "crate::shop::cart", "shop/cart.h". */
  readonly specifier: string;
  /** `module`: Rust's `mod cart;`, which declares the file it names. `include`: C's, with quotes; `system`: with angle brackets. */
  readonly kind: "import" | "re-export" | "module" | "include" | "system";
  /** Names that are imported, as the other file calls them; "*" for all of them. Empty when the module itself is imported. */
  readonly names: readonly ImportedName[];
  /** The name that stands for the whole module in this file; null when there is none. */
  readonly moduleAlias: string | null;
  /** Starting at 1. */
  readonly line: number;
};

export type ImportedName = {
  readonly name: string;
  /** The name in this file. */
  readonly as: string;
};

export type DefinitionFact = {
  readonly name: string;
  readonly kind: "function" | "class" | "type" | "variable" | "method" | "module";
  readonly line: number;
  /** As far as the line shows it: `export`, `pub`, an upper-case letter in Go, no leading underscore in Python. */
  readonly isExported: boolean;
};

/** How often each identifier of at least three characters occurs. Names are hashed, so that a large repository fits into memory. */
export type WordCounts = {
  /** Hashes of the names (`hashWord`), ascending, each once. */
  readonly hashes: Uint32Array;
  /** The number of occurrences of the name at the same index, up to 65,535. */
  readonly counts: Uint16Array;
  /** All occurrences: the length of the file in words. */
  readonly total: number;
};

/** FNV-1a over UTF-16 units, 32 bits. */
export function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index++) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** 0 when the name doesn't occur. Two names may share a hash, so a positive count has to be checked where it matters. */
export function countWord({ hashes, counts }: WordCounts, hash: number): number {
  let low = 0;
  let high = hashes.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = hashes[middle] ?? 0;
    if (found === hash) return counts[middle] ?? 0;
    if (found < hash) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}
