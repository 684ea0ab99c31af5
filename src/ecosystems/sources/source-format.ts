/** A file with settings that say where packages come from, and how it is read. */

/** As one file says it, for packages of its ecosystem. */
export type Source = {
  /** Names of the packages that come from there; a trailing `*` matches any ending. `*` alone: every package may. */
  readonly pattern: string;
  /** An address, or the name of a well-known registry. Anything else, such as a variable, is no public registry. */
  readonly url: string;
};

export type SourceFormat = {
  /** Matches a path; the first group is the folder whose packages the file is about. */
  readonly path: RegExp;
  /** Null for a text that can't be understood. */
  readonly read: (text: string) => readonly Source[] | null;
};
