/**
 * The publication: everything that a review reports about a change, as data. Each output format and each forge renders
 * this value and nothing else; none of them decides what is reported.
 */
import type { AnalyserReport } from "../../linters/analyser-report.ts";
import * as z from "zod";
import type {
  EffectiveMode,
  FileCategory,
  FileMark,
  ReviewIntent,
  RiskSignal,
  Scale,
} from "../analysis/analysis.ts";
import { LENSES } from "../analysis/lenses.ts";
import type { DependencyReport } from "../../ecosystems/dependency-report.ts";
import type { ChangeKind } from "../change/change.ts";
import type { FullReason } from "../change/scope.ts";
import type { Learning } from "../context/learning.ts";
import type { Memory } from "../context/memory.ts";
import type { GivenReason } from "../context/feedback-ruling.ts";
import type { VerificationReport } from "../context/verification.ts";
import type { HiddenFinding, ResolvedFinding, UnresolvedFinding } from "../findings/settle-prior.ts";
import type { DroppedFinding, JudgedFinding } from "../findings/finding.ts";
import type { SarifReport } from "../findings/sarif-report.ts";
import type { Severity } from "../../base/severity.ts";
import { OutcomeKind, PassStep, Tokens } from "../../model/outcome.ts";
import { StopReason } from "../../model/stop-reason.ts";
import type { SymbolChanges } from "./compose/compare-symbols.ts";
import type { Receipt } from "./receipt.ts";

/** A line of the code frame around a finding. */
export type FrameLine = {
  readonly kind: "added" | "removed" | "context";
  /** Line on the finding's side; null for a line of the other side. */
  readonly line: number | null;
  readonly text: string;
  /** True for the lines the finding is about. */
  readonly isAnchor: boolean;
};

export type PublishedFinding = JudgedFinding & {
  /** Stays with the finding for the life of the pull request. */
  readonly number: number;
  readonly frame: readonly FrameLine[];
  /**
   * The line at the head to attach the finding to: the anchor's first line, or for removed code the nearest remaining
   * line. Null without an anchor and in a deleted file.
   */
  readonly headLine: number | null;
};

/** A finding of an earlier review that is still there, as this review judges it. */
export type OpenFinding = UnresolvedFinding & { readonly judged: PublishedFinding };

export type Verdict = {
  readonly outcome: "clean" | "findings" | "incomplete" | "empty" | "skipped";
  /** One sentence: "3 findings (1 critical, 2 medium) in 12 files". */
  readonly headline: string;
  readonly highest: Severity | null;
};

/** Something that failed and was tolerated. */
export const Degradation = z
  .object({ what: z.string(), message: z.string(), count: z.int().min(1).max(1_000_000) })
  .readonly();
export type Degradation = z.infer<typeof Degradation>;

/** A section of the prompt that didn't fit completely. */
export const LeftOut = z
  .object({
    /** "diff", "guidelines": the section names of `review/prompt`. */
    section: z.string(),
    chars: z.int().min(0),
  })
  .readonly();
export type LeftOut = z.infer<typeof LeftOut>;

/** The size of a section of the prompt, and how much of it didn't fit. */
export const PromptSize = z
  .object({ section: z.string(), chars: z.int().min(0), cutChars: z.int().min(0) })
  .readonly();
export type PromptSize = z.infer<typeof PromptSize>;

const PassRound = z
  .object({
    number: z.union([z.literal(2), z.literal(3)]),
    lens: z.enum(LENSES),
  })
  .readonly();

/** One attempt of one reviewer at one part of the change. */
export const PassReport = z
  .object({
    /** "review", "part 2 of 3", "second round"; "floor" for the built-in rules. */
    name: z.string(),
    /** A later round of `review.passes`, and what it looked for; left out for the first. */
    round: PassRound.exactOptional(),
    /** `provider:name`, or "floor". */
    model: z.string(),
    step: PassStep,
    outcome: OutcomeKind,
    stopReason: StopReason,
    /** Files assigned to it. */
    files: z.int().min(0),
    turns: z.int().min(0),
    tokens: Tokens,
    /** Null when the model's price is unknown. */
    costUsd: z.number().nullable(),
    ms: z.number(),
    /** Findings recorded in this attempt. */
    findings: z.int().min(0),
    /** Sections that didn't fit in its prompt; left out when everything fitted. */
    leftOut: z.array(LeftOut).readonly().exactOptional(),
    /** The sections of its prompt, for statistics; left out for the built-in rules. */
    sections: z.array(PromptSize).readonly().exactOptional(),
  })
  .readonly();
export type PassReport = z.infer<typeof PassReport>;

/** A model's description of the change, written at the end of its part. */
export type PassOverview = {
  /** The name in `PassReport`. */
  readonly pass: string;
  /** One paragraph. The model has read untrusted text, so renderers must make it safe like the body of a finding. */
  readonly text: string;
};

/** A SARIF file with the number of results that became findings. */
export type SarifSummary = Pick<SarifReport, "file" | "tools" | "results" | "skipped"> & {
  readonly kept: number;
};

/** How a review ended. Everything but "complete" leaves the check neutral. */
export type Conclusion =
  | "complete"
  | "timeout-partial"
  | "budget-partial"
  | "model-failed"
  /** The user pressed Ctrl-C. */
  | "stopped-partial";

/** Usage of all models together. */
export type ModelUsage = {
  readonly model: string;
  readonly turns: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** Null when a model's price is unknown. */
  readonly costUsd: number | null;
  /**
   * Upper bound of additional spending: attempts whose process crashed and interrupted calls never reported their usage.
   * The other fields don't include them.
   */
  readonly cutOffUsd: number;
};

/** The parts of memory that the review used. */
export type MemoryReport = {
  /** Earlier findings that the model saw, best first. */
  readonly similar: readonly Memory[];
  /** Learnings that the model saw. */
  readonly learnings: readonly Learning[];
  /** Suppressions in force in this repository, newest first, and how many findings of this review each hides. */
  readonly suppressions: readonly {
    readonly id: number;
    readonly title: string;
    readonly expiresAt: number;
    readonly hidden: number;
  }[];
  /** Findings of this review that people's feedback changed or hid. */
  readonly taught: readonly TaughtFinding[];
};

export type TaughtFinding = {
  readonly title: string;
  readonly path: string;
  readonly line: number | null;
  /** list: no comment on its line. note: only a note. */
  readonly effect: "suppress" | "lower" | "list" | "note";
  readonly reason: GivenReason;
  /** The entry to forget in order to undo it: `l7` or `s3`. */
  readonly undo: string;
};

/** Files that people read, by their purpose. "other" holds no code: fixtures, tables. */
export type ContentsKind = FileCategory | "other";

/** Why people don't read a file of the change. */
export type UncountedKind =
  | FileMark
  /** Too large, and not written by hand. */
  | "data"
  | "moved"
  | "deleted"
  /** Binary files, links and submodules. */
  | "without-text"
  /** Only its permissions change. */
  | "mode"
  /** By `review.skipPaths`. */
  | "skipped"
  /** Too many files to list. */
  | "folder";

/** The contents of a change, from the diff alone. */
export type ChangeContents = {
  /** Lines are added and removed ones. */
  readonly toRead: { readonly files: number; readonly lines: number };
  /** The files to read by what they do, in any order; the language of each file. */
  readonly kinds: readonly {
    readonly kind: ContentsKind;
    readonly files: number;
    readonly languages: readonly string[];
  }[];
  /** The other files, in any order. */
  readonly uncounted: readonly { readonly kind: UncountedKind; readonly files: number }[];
  /** Exported ones. Null when they aren't known, because a source file wasn't read. */
  readonly symbols: SymbolChanges | null;
  readonly migrations: number;
  /** Files that list dependencies, and how many of those change. */
  readonly manifests: readonly { readonly path: string; readonly packages: number }[];
};

export type Publication = {
  readonly verdict: Verdict;
  /** Descriptions of the change, part by part; empty when no model finished. */
  readonly overview: readonly PassOverview[];
  readonly change: {
    readonly kind: ChangeKind;
    readonly description: string;
    readonly title: string;
    readonly base: string | null;
    readonly head: string | null;
    readonly notes: readonly string[];
    readonly contents: ChangeContents;
  };
  /** New ones, most severe first, then by priority; `placement` is where each is shown. */
  readonly findings: readonly PublishedFinding[];
  /** Findings of earlier reviews that are still there, most severe first. */
  readonly stillOpen: readonly OpenFinding[];
  /** Findings of earlier reviews that a person has contested or waived, and that are still there. */
  readonly answered: readonly OpenFinding[];
  /** Findings of earlier reviews that are still there, and that a comment, the configuration or feedback hides. */
  readonly hidden: readonly HiddenFinding[];
  /** Findings of earlier reviews that this review has settled. Each is named once. */
  readonly resolved: readonly ResolvedFinding[];
  readonly scope: {
    /** Why everything was read; null for a review of what is new. */
    readonly full: FullReason | null;
    /** The head of the last review; null when there is none. */
    readonly since: string | null;
  };
  /** Null when the change touches no dependency. */
  readonly dependencies: DependencyReport | null;
  readonly dropped: readonly DroppedFinding[];
  /** The verdicts of second readings; null when none was wanted. */
  readonly verification: VerificationReport | null;
  readonly memory: MemoryReport;
  readonly receipt: Receipt;
  readonly details: {
    /** "floor" when no model took part. */
    readonly reviewer: string;
    /** Why no model took part; null when one did. */
    readonly modelNote: string | null;
    /** How to get a model, for the operator; null when there is nothing to do. */
    readonly modelHint: string | null;
    readonly mode: EffectiveMode;
    readonly scale: Scale;
    readonly intent: ReviewIntent;
    readonly riskSignals: readonly RiskSignal[];
    /** Where the configuration came from, as text. */
    readonly configOrigin: string;
    readonly configProblems: readonly string[];
    readonly rulesRun: number;
    /** SARIF files of other tools, in the order in which the user named them. */
    readonly sarif: readonly SarifSummary[];
    /** One per analyser that has files in the change. */
    readonly analysers: readonly AnalyserReport[];
    /** Changed files by language, most first. */
    readonly languages: readonly { readonly language: string; readonly files: number }[];
  };
  readonly conclusion: Conclusion;
  /** In order, the floor first. */
  readonly passes: readonly PassReport[];
  /** Problems of the model runs, as sentences. */
  readonly notices: readonly string[];
  /** The notices that only the operator can act on. */
  readonly advice: readonly string[];
  readonly degradations: readonly Degradation[];
  /** Null when no model was called. */
  readonly usage: ModelUsage | null;
  readonly version: string;
  /** Page that describes the built-in rules, one fragment each; null when the program has no home page. */
  readonly rulesUrl: string | null;
};
