/** Where a project's settings say that packages come from. */
import type { EcosystemId } from "../ecosystem.ts";

/** As one file says it, for packages of its ecosystem. */
export type Source = {
  /** Names of the packages that come from there; a trailing `*` matches any ending. `*` alone: every package may. */
  readonly pattern: string;
  /** An address, or the name of a well-known registry. Anything else, such as a variable, is no public registry. */
  readonly url: string;
};

export type RegistrySource = Source & { readonly ecosystem: EcosystemId };

/** A file with such settings. */
export type SourceFile = { readonly path: string; readonly ecosystem: EcosystemId };

export type RegistrySources = {
  readonly sources: readonly RegistrySource[];
  /** Settings that can't be understood. */
  readonly unread: readonly SourceFile[];
};

export type SourceFormat = {
  /** Matches a path; the first group is the folder whose packages the file is about. */
  readonly path: RegExp;
  /** Null for a text that can't be understood. */
  readonly read: (text: string) => readonly Source[] | null;
};

export const ALL_PACKAGES = "*";

export const forAll = (url: string): Source => ({ pattern: ALL_PACKAGES, url });
