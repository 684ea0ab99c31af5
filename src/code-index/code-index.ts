/**
 * The CodeIndex port: facts about the files of a repository. Facts are kept by blob id, so a second run reads only new
 * blobs. The history is kept next to them. A cache that is broken, foreign or read-only costs time and is reported; it never changes an answer.
 */
import type { KeptText, Revision, TreeFile } from "../repository/repository.ts";
import type { FileFacts } from "../languages/file-facts.ts";

/** Why a file has no facts. */
export type NoFactsReason = "too-large" | "unreadable" | "over-limit" | "failed";

export type CacheProblem = "corrupt" | "foreign" | "read-only" | "unavailable";

export type FactsRead = {
  /** By path. Files in languages without a lexer have words, but no imports and definitions. */
  readonly facts: ReadonlyMap<string, FileFacts>;
  readonly failed: readonly { readonly path: string; readonly reason: NoFactsReason }[];
  /** How many files were known, and how many were read. */
  readonly known: number;
  readonly read: number;
  /** Null when the cache worked. */
  readonly cacheProblem: CacheProblem | null;
};

export type CodeIndex = {
  /** Rejects only when `signal` is aborted or the reader can't be started. `onProgress` gets the number of finished files. */
  readFacts(
    revision: Revision,
    files: readonly TreeFile[],
    options: { readonly signal: AbortSignal; readonly onProgress?: (done: number, all: number) => void },
  ): Promise<FactsRead>;
  /** The paths that commits changed, as the repository writes them. */
  readonly keptCommits: KeptText;
  close(): void;
};
