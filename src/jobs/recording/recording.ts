/**
 * A recording: all that a review was given from outside and all that came back, taken at the ports, and how it ended. The
 * review can be run again from it alone, without a repository, a model or a network. Secrets are stars in it.
 */
import type { OperatorPrices } from "../../model/prices.ts";
import type { ModelEvent, ModelPrompt, Outcome, Said, Tokens, ToolAnswer } from "../../model/model.ts";
import type { Refusal } from "../../model/spending.ts";
import type { BlameRange, EntryKind, HistoryEntry, SearchResult } from "../../repository/repository.ts";
import type { TagTrust } from "../../review/analysis/intent.ts";
import type { AuthorFacts } from "../../review/analysis/author-tier.ts";
import type { Change } from "../../review/change/change.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { OpenFinding } from "../../review/prompt/prompt.ts";
import type { Degradation, PassReport } from "../../review/publication/publication.ts";
import type { NumberedEntry } from "../../tools/notebook.ts";
import type { ShownCheck } from "../../tools/tool.ts";

export const RECORDING_KIND = "kodiai-recording";

/** Raised when an older program could no longer play what is written. */
export const RECORDING_FORMAT = 1;

/** What a large review comes to several times over; more fills the memory of whoever reads it. */
export const MAX_RECORDING_CHARS = 64_000_000;

export type ReviewRecording = {
  readonly kind: typeof RECORDING_KIND;
  readonly format: typeof RECORDING_FORMAT;
  /** Version of the program that made it. */
  readonly program: string;
  /** Milliseconds since 1970. */
  readonly recordedAt: number;
  readonly request: RecordedRequest;
  /** Null when only a diff was known. */
  readonly repository: RecordedRepository | null;
  readonly floor: RecordedFloor;
  readonly models: RecordedModels;
  readonly outcome: RecordedOutcome;
};

export type RecordedRequest = {
  readonly change: Change;
  /** The bytes as latin1. */
  readonly givenConfig: { readonly path: string; readonly text: string } | null;
  readonly isExplicit: boolean;
  readonly tags: TagTrust;
  readonly author: AuthorFacts;
  readonly alreadyTold: readonly string[];
  readonly listedBefore: readonly string[];
};

/** What was answered, and how many times in a row. */
export type RecordedAnswer<Value> =
  | { readonly kind: "answer"; readonly value: Value; readonly times: number }
  | { readonly kind: "failure"; readonly message: string; readonly times: number };

/** Files and blobs are recorded one by one, however many were asked for at once. */
export type RepositoryAnswers = {
  readonly readFiles: string | null;
  readonly readBlobs: string | null;
  readonly listPaths: readonly string[] | null;
  readonly findEntry: EntryKind | null;
  readonly search: SearchResult;
  readonly readHistory: readonly HistoryEntry[];
  readonly readBlame: readonly BlameRange[];
};

export type RepositoryMethod = keyof RepositoryAnswers;

/** All that one question was answered with, in order. */
export type RepositoryCall = {
  readonly [Method in RepositoryMethod]: {
    readonly method: Method;
    readonly args: readonly unknown[];
    readonly answers: readonly RecordedAnswer<RepositoryAnswers[Method]>[];
  };
}[RepositoryMethod];

export type RecordedRepository = {
  readonly isShallow: boolean;
  readonly calls: readonly RepositoryCall[];
};

/** What the rules found is kept as it was: they would not find again what is stars now. */
export type RecordedFloor = {
  readonly findings: readonly Finding[];
  readonly offPaths: readonly string[];
  /** Files that the rules did not read: a rule failed, the time was over, the file took too much. */
  readonly failedPaths: readonly string[];
  readonly unreadPaths: readonly string[];
  readonly costlyPaths: readonly string[];
  readonly rulesRun: number;
  readonly report: PassReport;
  readonly degradations: readonly Degradation[];
};

/** Times are those of the review's own clock; only their differences count. */
export type RecordedModels = {
  readonly ids: readonly string[];
  readonly note: string | null;
  readonly problems: readonly string[];
  /** A limit kept the models from being used. */
  readonly isWithheld: boolean;
  /** Of the fences; null when no model was asked. */
  readonly word: string | null;
  readonly startedAtMs: number;
  readonly isLimited: boolean;
  readonly spending: readonly SpendingAnswer[];
  /** What an earlier attempt had left in the notebook. */
  readonly notebook: readonly NumberedEntry[];
  readonly openFindings: readonly OpenFinding[];
  readonly operatorPrices: OperatorPrices;
  readonly mayRetry: readonly boolean[];
  /** Null where there was nobody to ask. */
  readonly checks: readonly RecordedAnswer<readonly ShownCheck[]>[] | null;
  readonly runs: readonly RecordedRun[];
};

export type SpendingAnswer = {
  readonly call: "reserve" | "extend" | "settle";
  readonly atMs: number;
  readonly refusal: Refusal | null;
};

/** One run of one model, step by step. */
export type RecordedRun = {
  readonly model: string;
  readonly prompt: ModelPrompt;
  readonly tools: readonly string[];
  readonly startedAtMs: number;
  readonly steps: readonly RunStep[];
  /** What the model wrote, answer by answer. Nothing is played from it. */
  readonly said: readonly SaidInTurn[];
  readonly outcome: Outcome;
  readonly endedAtMs: number;
};

export type SaidInTurn = Said & { readonly turn: number };

export type RunStep =
  | {
      readonly kind: "admit";
      readonly atMost: { readonly inputTokens: number; readonly outputTokens: number };
      readonly isAdmitted: boolean;
    }
  | { readonly kind: "add"; readonly tokens: Tokens }
  | { readonly kind: "event"; readonly event: Exclude<ModelEvent, { kind: "said" }> }
  | {
      readonly kind: "tool";
      readonly atMs: number;
      readonly tool: string;
      readonly args: unknown;
      /** Null when the run was over before the answer came. */
      readonly answer: ToolAnswer | null;
    };

/**
 * What is compared: what people are told, and how it came about. What the model said of the change is not in it: it is as it was
 * recorded with the call.
 */
export type RecordedOutcome = {
  readonly headline: string;
  readonly conclusion: string;
  readonly notices: readonly string[];
  readonly findings: readonly RecordedFinding[];
  readonly dropped: readonly UntoldFinding[];
  readonly receipt: readonly RecordedLines[];
  /** Of reviewers at parts of the change, the floor first. */
  readonly attempts: readonly RecordedAttempt[];
  readonly degradations: readonly string[];
};

export type RecordedFinding = {
  readonly title: string;
  readonly path: string;
  readonly side: string;
  readonly startLine: number | null;
  readonly endLine: number | null;
  readonly severity: string;
  readonly category: string;
  readonly placement: string;
  readonly suggestion: string;
};

export type RecordedLines = {
  readonly path: string;
  readonly status: string;
  readonly reason: string | null;
  readonly lines: number;
};

export type UntoldFinding = {
  readonly title: string;
  readonly path: string;
  readonly startLine: number | null;
  readonly severity: string;
  readonly reason: string;
};

export type RecordedAttempt = {
  readonly pass: string;
  readonly model: string;
  readonly step: string;
  readonly outcome: string;
  readonly stopReason: string;
  readonly turns: number;
  readonly findings: number;
  readonly costUsd: number | null;
};
