/** Reads the packages of a change when the model asks: their files and changelogs at the two versions. */
import type { Lookup, PackageId } from "../../ecosystems/lookups.ts";

/** A public package that the change touches. */
export type ReadablePackage = PackageId & {
  /** Null for an added package. */
  readonly from: string | null;
  /** Null for a removed one. */
  readonly to: string | null;
};

export type DependencyQuestion = PackageId & {
  readonly version: string;
  /** The version before; only for a changelog. */
  readonly since: string | null;
  /** "declarations": the files that declare what the package exports. "files": paths alone. "file": the one at `path`. */
  readonly what: "declarations" | "changelog" | "files" | "file";
  readonly path: string | null;
};

export type DependencyTexts = {
  /** Files by their path, release notes by their version. */
  readonly texts: readonly { readonly name: string; readonly text: string }[];
  /** Files that a limit left out. */
  readonly omitted: number;
};

export type DependencyReader = {
  /** Never empty. Private packages aren't in it, and are never looked up. */
  readonly packages: readonly ReadablePackage[];
  readonly read: (asked: DependencyQuestion) => Promise<Lookup<DependencyTexts>>;
};
