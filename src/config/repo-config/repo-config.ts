/** What the rest of the program sees of `.kodiai.yml`: values, what was set, where it came from, what was wrong. */
import type { RepoConfig } from "./schema.ts";

export type ConfigProblem = {
  readonly severity: "error" | "warning";
  /** File as the person knows it, such as ".kodiai.yml". */
  readonly file: string;
  /** 1-based; null when the problem is of the file as a whole. */
  readonly line: number | null;
  readonly column: number | null;
  /** Dotted key, "" for the file as a whole. */
  readonly key: string;
  /** What is wrong and what stands in for it: "review.mode: expected one of …, got \"strct\"; did you mean \"strict\"?". */
  readonly message: string;
};

/** A rule id written under `floor.rules`, which only those who know the rules can check. */
export type RuleMention = {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
};

/** One effective configuration. */
export type LoadedConfig = {
  readonly values: RepoConfig;
  /** True when the dotted key, or a key below it, was written in a file, also when it equals its default. */
  isSet(key: string): boolean;
  /** The file that set it ("pkg/.kodiai.yml"), or "default". */
  originOf(key: string): string;
};

/** All configuration files of a repository: the one at its root and nested ones, of which the nearest wins key by key. */
export type ConfigTree = {
  readonly root: LoadedConfig;
  forPath(path: string): LoadedConfig;
  /** Compiles a `regex:` suppression on a linear-time engine; null when it is not a pattern. */
  compilePattern(source: string): ((text: string) => boolean) | null;
  readonly problems: readonly ConfigProblem[];
  /** Paths of the files that were read, root first. */
  readonly files: readonly string[];
  /** Every rule id written in any of them; left out when there are none. */
  readonly ruleMentions?: readonly RuleMention[];
};
