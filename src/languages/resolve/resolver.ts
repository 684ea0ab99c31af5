/** The contract of import resolution: which files of the repository an import refers to. */
import type { FileFacts, ImportFact } from "../file-facts.ts";

export type ResolverInput = {
  /** Every path of the repository. */
  readonly paths: ReadonlySet<string>;
  /** Facts by path. Files without facts still resolve by their path. */
  readonly facts: ReadonlyMap<string, FileFacts>;
  /** Texts of the files that `isResolutionManifest` accepts, by path: tsconfig.json, package.json, go.mod, Cargo.toml and so on. */
  readonly manifests: ReadonlyMap<string, string>;
};

export type Resolution = {
  /** In byte order. Empty: another package, or nothing that could be found. */
  readonly paths: readonly string[];
  /**
   * The language's own rules led to exactly these files. False for a guess, such as a namespace that several folders
   * share or a name that was matched by its ending.
   */
  readonly isExact: boolean;
};

export type Resolver = {
  /** `from` is the importing file. */
  resolve(from: string, imported: ImportFact): Resolution;
  /**
   * Files that this one uses without an import: the same package in Go, Java, Kotlin and C#, the same namespace in PHP, autoloaded
   * constants in Ruby. By the names that they define and this file contains, so never exact.
   */
  resolveUnimported(from: string): Resolution;
};

export const UNRESOLVED: Resolution = { paths: [], isExact: false };

/** The rules of one language, over the same input as the resolver. */
export type LanguageResolver = {
  resolve(from: string, imported: ImportFact): Resolution;
  /** Null in languages where every use of another file has an import. */
  readonly resolveUnimported: ((from: string) => readonly string[]) | null;
};

/** Edges between files, without edges from a file to itself. */
export type ImportGraph = {
  readonly dependencies: ReadonlyMap<string, ReadonlySet<string>>;
  readonly dependents: ReadonlyMap<string, ReadonlySet<string>>;
};
