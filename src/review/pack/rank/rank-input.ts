/** The input of ranking: a change, the files around it, and what is known about them. Its order never changes the result. */
import type { FileStatus } from "../../change/change.ts";
import type { FileFacts } from "../../../languages/file-facts.ts";
import type { ImportGraph } from "../../../languages/resolve/resolver.ts";
import type { NameParts } from "./name-parts.ts";
import type { ChangeWords } from "./words-of-change.ts";

export type RankInput = {
  readonly changed: readonly ChangedPath[];
  readonly words: ChangeWords;
  /** The question that the pack is for; "" for none. */
  readonly question: string;
  /** The files at the head. Changed ones are ignored. */
  readonly candidates: readonly { readonly path: string }[];
  /** By path, as far as there are any. */
  readonly facts: ReadonlyMap<string, FileFacts>;
  readonly graph: ImportGraph;
  /** The paths that each commit before the change touched, newest first. Empty: no history. */
  readonly coChanges: readonly (readonly string[])[];
};

export type ChangedPath = {
  readonly path: string;
  /** Null for an added file. */
  readonly oldPath: string | null;
  readonly status: FileStatus;
};

/** The same for each ranker. A file's number is its index in `paths`. */
export type RankGround = Omit<RankInput, "candidates" | "changed"> & {
  /** The candidates, in byte order, each once. */
  readonly paths: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  /** By file number. */
  readonly nameParts: readonly NameParts[];
  /** Paths of the change at the head and at the base, in byte order, each once. */
  readonly changedPaths: readonly string[];
};

/** A ranker's opinion by file number: a whole number, higher for closer files; 0 for none. */
export type Scores = Float64Array;
