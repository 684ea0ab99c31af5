/** The prompt of one pass as data, and what it is made of. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { Analysis, ReviewPass } from "../analysis/analysis.ts";
import type { Change } from "../change/change.ts";
import type { Finding } from "../findings/finding.ts";
import type { Severity } from "../../base/severity.ts";
import type { Guard } from "../untrusted/guard.ts";

/** Told by an earlier review of the same pull request and not mended. */
export type OpenFinding = {
  readonly title: string;
  readonly path: string;
  readonly line: number | null;
  readonly severity: Severity;
};

export type PromptInput = {
  readonly change: Change;
  readonly analysis: Analysis;
  readonly config: RepoConfig;
  readonly pass: ReviewPass;
  /** "lean": half the sections and a quarter of the diff, for small windows and small budgets. */
  readonly size: "full" | "lean";
  /** Guideline files of the base branch, in the order of the configuration. */
  readonly guidelines: readonly { readonly path: string; readonly text: string }[];
  /** What the floor has found. */
  readonly evidence: readonly Finding[];
  readonly openFindings: readonly OpenFinding[];
  readonly guard: Guard;
};

export type PromptSection = {
  readonly name: string;
  readonly chars: number;
  /** Left out for its budget. */
  readonly cutChars: number;
};

export type Prompt = {
  /** Ours alone: role, rules, how to record. Holds nothing from outside. */
  readonly system: string;
  readonly user: string;
  readonly sections: readonly PromptSection[];
  /** Files whose hunks are all in the prompt. */
  readonly shownPaths: readonly string[];
};
