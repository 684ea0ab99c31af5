/**
 * The publication: everything that is told about a change, as data. Each output format and each forge renders this
 * value and nothing else; none of them decides what is told.
 */
import * as z from "zod";
import type { EffectiveMode, ReviewIntent, RiskSignal, Scale, AuthorTier } from "../analysis/analysis.ts";
import type { ChangeKind } from "../change/change.ts";
import type { DroppedFinding, JudgedFinding } from "../findings/finding.ts";
import type { Severity } from "../../base/severity.ts";
import { OutcomeKind, PassStep, Tokens } from "../../model/outcome.ts";
import { StopReason } from "../../model/stop-reason.ts";
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
  readonly frame: readonly FrameLine[];
  /**
   * A line at the head to stand on: the anchor's first line, or for removed code the nearest line that is still there.
   * Null without an anchor and in a deleted file.
   */
  readonly headLine: number | null;
};

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

/** A part of the prompt that did not fit, wholly or in part. */
export const LeftOut = z
  .object({
    /** "diff", "guidelines": as `review/prompt` names its sections. */
    section: z.string(),
    chars: z.int().min(0),
  })
  .readonly();
export type LeftOut = z.infer<typeof LeftOut>;

/** One attempt of one reviewer at one part of the change. */
export const PassReport = z
  .object({
    /** "review", "part 2 of 3"; "floor" for the deterministic one. */
    name: z.string(),
    /** `provider:name`, or "floor". */
    model: z.string(),
    step: PassStep,
    outcome: OutcomeKind,
    stopReason: StopReason,
    /** Files it was to read. */
    files: z.int().min(0),
    turns: z.int().min(0),
    tokens: Tokens,
    /** Null when the price of the model is not known. */
    costUsd: z.number().nullable(),
    ms: z.number(),
    /** Recorded by it. */
    findings: z.int().min(0),
    /** What its prompt had no room for; left out when it had room for everything. */
    leftOut: z.array(LeftOut).readonly().exactOptional(),
  })
  .readonly();
export type PassReport = z.infer<typeof PassReport>;

/** What a model says that the change does, at the end of its part. */
export type PassOverview = {
  /** As in `PassReport`. */
  readonly pass: string;
  /** One paragraph. Written by a model that has read text of anybody: to be made safe like the body of a finding. */
  readonly text: string;
};

/** How a review came to its end. Everything but "complete" leaves the check neutral. */
export type Conclusion =
  | "complete"
  | "timeout-partial"
  | "budget-partial"
  | "model-failed"
  /** By hand: somebody pressed Ctrl-C. */
  | "stopped-partial";

/** What all models together used. */
export type ModelUsage = {
  readonly model: string;
  readonly turns: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** Null when the price of a model is not known. */
  readonly costUsd: number | null;
  /**
   * What may have been spent besides, at most: attempts whose process died and calls that were cut off have told nobody what they
   * took. Nothing else of them is in here.
   */
  readonly cutOffUsd: number;
};

export type Publication = {
  readonly verdict: Verdict;
  /** What changed, part by part; empty without a model that came to its end. */
  readonly overview: readonly PassOverview[];
  readonly change: {
    readonly kind: ChangeKind;
    readonly description: string;
    readonly title: string;
    readonly base: string | null;
    readonly head: string | null;
    readonly notes: readonly string[];
  };
  /** Most severe first, then by priority; placement says where each belongs. */
  readonly findings: readonly PublishedFinding[];
  readonly dropped: readonly DroppedFinding[];
  readonly receipt: Receipt;
  readonly details: {
    /** "floor" when no model took part. */
    readonly reviewer: string;
    /** Why no model took part, and how to have one; null when one did. */
    readonly modelNote: string | null;
    readonly mode: EffectiveMode;
    readonly scale: Scale;
    readonly intent: ReviewIntent;
    readonly authorTier: AuthorTier;
    readonly riskSignals: readonly RiskSignal[];
    /** Where the configuration came from, for people. */
    readonly configOrigin: string;
    readonly configProblems: readonly string[];
    readonly rulesRun: number;
    /** Lines of code by language, most first. */
    readonly languages: readonly { readonly language: string; readonly files: number }[];
  };
  readonly conclusion: Conclusion;
  /** In order, the floor first. */
  readonly passes: readonly PassReport[];
  /** What people should know about how it was read, as sentences. */
  readonly notices: readonly string[];
  readonly degradations: readonly Degradation[];
  /** Null when no model was called. */
  readonly usage: ModelUsage | null;
  readonly version: string;
};
