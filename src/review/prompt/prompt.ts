/** The prompt of one pass as data, and what it is made of. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { Analysis, ReviewPass } from "../analysis/analysis.ts";
import type { HunkTriage } from "../analysis/hunk-triage.ts";
import type { Change } from "../change/change.ts";
import type { FilePart } from "../change/scope.ts";
import type { Context } from "../context/context.ts";
import type { Finding } from "../findings/finding.ts";
import type { Guard } from "../untrusted/guard.ts";

/** One part of a review: what a model gets in addition to the change, its analysis and the context. */
export type PromptTask = {
  readonly config: RepoConfig;
  readonly pass: ReviewPass;
  /** "lean": half the sections and a quarter of the diff, for small context windows and budgets. */
  readonly size: "full" | "lean";
  /** Findings of the built-in rules. */
  readonly evidence: readonly Finding[];
  /** How closely the hunks of a very large change are read; omitted: all of them closely. */
  readonly triage?: HunkTriage;
  readonly guard: Guard;
};

/** The input of each section. */
export type PromptInput = PromptTask & {
  readonly change: Change;
  readonly analysis: Analysis;
  readonly context: Context;
};

export type PromptSection = {
  readonly name: string;
  readonly chars: number;
  /** Characters left out because of its budget. */
  readonly cutChars: number;
};

export type Prompt = {
  /** Fixed text: role, rules, how to record. Contains nothing from outside. */
  readonly system: string;
  readonly user: string;
  readonly sections: readonly PromptSection[];
  /** Files whose hunks are all in the prompt. */
  readonly shownPaths: readonly string[];
  /** The hunks in the prompt of files that are only shown in part. */
  readonly shownParts: readonly FilePart[];
};
