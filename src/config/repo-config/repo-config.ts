/** The parsed `.kodiai.yml`: values, which keys are set, where each came from, and problems. */
import type { RepoConfig } from "./schema.ts";

export type ConfigProblem = {
  readonly severity: "error" | "warning";
  /** Path from the root of the repository, such as ".kodiai.yml". */
  readonly file: string;
  /** 1-based; null if the problem concerns the whole file. */
  readonly line: number | null;
  readonly column: number | null;
  /** Dotted key; "" for the whole file. */
  readonly key: string;
  /** The problem and its consequence: "review.mode: expected one of …, got \"strct\"; did you mean \"strict\"?". */
  readonly message: string;
};

/** A rule ID under `floor.rules`. check-rule-ids.ts checks it against the list of rules. */
export type RuleMention = {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
};

/** One effective configuration. */
export type LoadedConfig = {
  readonly values: RepoConfig;
  /** True if a file sets the dotted key or a key below it, even to its default. */
  isSet(key: string): boolean;
  /** The file that set it ("pkg/.kodiai.yml"), or "default". */
  originOf(key: string): string;
};

/** All configuration files of a repository, root and nested, above the defaults of its owner. The nearest file wins for each key. */
export type ConfigTree = {
  readonly root: LoadedConfig;
  forPath(path: string): LoadedConfig;
  /** Compiles a `regex:` suppression on a linear-time engine; null if it isn't a valid pattern. */
  compilePattern(source: string): ((text: string) => boolean) | null;
  readonly problems: readonly ConfigProblem[];
  /** The organization's file, then the paths of the files read, root first. */
  readonly files: readonly string[];
  /** Every rule ID in these files; omitted if there are none. */
  readonly ruleMentions?: readonly RuleMention[];
};
