/**
 * Where this repository uses a package: the imports of each file, how often it uses what it imported, and the places of wanted names.
 * An empty search is never proof: `isOpen` and `problem` say what it couldn't follow.
 */
import type { EcosystemId } from "../../ecosystem.ts";

/** A name to find. */
export type WantedName = {
  /** What users import ("pkg/sub", "pkg.module"); null for a plain name from a changelog, which can be anywhere in the package. */
  readonly entry: string | null;
  /** "foo", "Foo.bar", "default". */
  readonly name: string;
};

export type WantedUses = {
  readonly ecosystem: EcosystemId;
  readonly package: string;
  /** The names that code imports, from `importNamesOf`. */
  readonly importNames: readonly string[];
  readonly names: readonly WantedName[];
  /** Import paths that fail with the new version. */
  readonly removedEntries: readonly string[];
  /** Import paths that `require` can't load any more. Omitted: none. */
  readonly requireDropped?: readonly string[];
};

export type UsingFile = {
  readonly path: string;
  /** As `languageOf` names it. */
  readonly language: string;
  readonly text: string;
  readonly isTest: boolean;
};

export type PackageImport = {
  /** As the code writes it: "pkg/sub". */
  readonly specifier: string;
  /** 1-based. */
  readonly line: number;
  readonly isTypeOnly: boolean;
};

export type UsePlace = {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  /** The line, without indentation and shortened. */
  readonly text: string;
  /** The wanted name, or the removed import path. */
  readonly name: string;
  /** What the code writes there: "z.string", "alias". */
  readonly symbol: string;
  readonly role: "import" | "use" | "re-export";
  /** Only the type checker sees it. */
  readonly isTypeOnly: boolean;
  readonly isTest: boolean;
};

export type FileUses = {
  readonly path: string;
  readonly isTest: boolean;
  readonly imports: readonly PackageImport[];
  /** Places, other than imports, that use anything of the package. */
  readonly useCount: number;
  readonly places: readonly UsePlace[];
  /** True when a use may be hidden: `import *`, a computed import, an object that is passed on. */
  readonly isOpen: boolean;
  readonly problem: "too-large" | "no-parser" | "limit" | null;
};
