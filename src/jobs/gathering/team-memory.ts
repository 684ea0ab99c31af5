/** The memory of a team's repository, as a review reads it. Null on the command line, where nothing is stored. */
import type { Category } from "../../base/severity.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { FeedbackOnFinding, Suppression } from "../../memory/feedback.ts";
import type { Learning } from "../../review/context/learning.ts";
import type { Memory } from "../../review/context/memory.ts";
import type { GatheredConfig } from "./gather-config.ts";

export type RecallRequest = {
  /** The text to compare; see memory/build-query.ts. */
  readonly query: string;
  /** Languages of the change, most frequent first. */
  readonly languages: readonly string[];
  /** Categories of findings that the change suggests. */
  readonly categories: readonly Category[];
  readonly settings: RepoConfig["memory"];
};

export type Recall = {
  /** Best first, within every limit. */
  readonly memories: readonly Memory[];
  /** How many findings were compared with the threshold. */
  readonly candidates: number;
  readonly threshold: number;
  /** The provider that was used. If it failed, the one that the repository configured, or "". */
  readonly embeddings: string;
  /** True when the embeddings failed, so that vectors weren't compared. */
  readonly isWordsOnly: boolean;
  /** Problems that made the search worse than configured, as sentences. */
  readonly problems: readonly string[];
};

/** The team's memory, unless the repository turned it off. */
export function teamMemoryOf<Memory extends Partial<TeamMemory>>(
  config: GatheredConfig,
  memory: Memory | null,
): Memory | null {
  return config.tree.root.values.memory.enabled ? memory : null;
}

/** Each function rejects if it can't answer; the gatherers tolerate that and count it. */
export type TeamMemory = {
  recall(request: RecallRequest, signal: AbortSignal): Promise<Recall>;
  /** Stored learnings of the repository that haven't expired, in any order. */
  readLearnings(): Promise<readonly Learning[]>;
  readFeedback(): Promise<TeamFeedback>;
};

type PatternLearning = { readonly id: number; readonly pattern: string };

export type TeamFeedback = {
  /** Of the team, newest first. */
  readonly feedback: readonly FeedbackOnFinding[];
  /** Also expired and undone ones. */
  readonly suppressions: readonly Suppression[];
  /** The learnings that are remembered, from one person's reason and from repeated feedback. */
  readonly explained: readonly PatternLearning[];
  readonly repeated: readonly PatternLearning[];
};
