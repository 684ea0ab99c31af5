/**
 * A recording: everything a review got from outside and everything it answered, captured at the ports, and its result. The
 * review can run again from it alone, without a repository, a model or a network. Secrets are masked in it.
 *
 * A schema and its type share one name. The recorder appends to its lists, so they are mutable.
 */
import * as z from "zod";
import { RepoConfigSchema } from "../../config/repo-config/schema.ts";
import { FEEDBACK_SIGNALS, TEACHING_REASONS } from "../../memory/feedback.ts";
import { NO_MODEL_REASONS } from "../../model/no-model-reason.ts";
import { Ending, Outcome, Tokens } from "../../model/outcome.ts";
import { Refusal } from "../../model/spending.ts";
import { BlameRange, EntryKind, HistoryEntry, SearchResult } from "../../repository/repository.ts";
import { ECOSYSTEM_IDS } from "../../ecosystems/ecosystem.ts";
import { Change } from "../../review/change/change.ts";
import { CheckReport } from "../../review/context/check-report.ts";
import { RELATED_REASONS } from "../../review/context/code-lookup.ts";
import { Learning } from "../../review/context/learning.ts";
import { Memory } from "../../review/context/memory.ts";
import { PriorReview } from "../../review/context/prior-review.ts";
import { CheckGap } from "../../review/findings/check-gap.ts";
import { Finding } from "../../review/findings/finding.ts";
import { SarifReport } from "../../review/findings/sarif-report.ts";
import { AnalyserReport } from "../../linters/analyser-report.ts";
import { Degradation, PassReport } from "../../review/publication/publication.ts";
import { NumberedEntry } from "../../tools/notebook-entry.ts";
import { lookupOf, RecordedReport } from "./recorded-dependencies.ts";

export const RECORDING_KIND = "kodiai-recording";

/** Raised with every change after which another version could not replay it. */
export const RECORDING_FORMAT = 5;

/** Several times what a large review needs. A larger recording would fill the memory of the process that reads it. */
export const MAX_RECORDING_CHARS = 64_000_000;

const text = z.string();
const texts = z.array(text);
const amount = z.number();

const RecordedRequest = z.object({
  change: Change,
  /** The bytes as latin1. */
  givenConfig: z.object({ path: text, text }).nullable(),
  /** Omitted by reviews that asked no host for it. */
  organization: z.object({ name: text, text: text.nullable(), isHidden: z.boolean() }).optional(),
  /** Omitted where the configuration decides. */
  verify: RepoConfigSchema.shape.review.unwrap().shape.verify.unwrap().nullable().exactOptional(),
  passes: RepoConfigSchema.shape.review.unwrap().shape.passes.unwrap().nullable().exactOptional(),
  isExplicit: z.boolean(),
  /** Missing in recordings of older versions. */
  isFull: z.boolean().default(false),
  tags: z.enum(["all", "title", "none"]),
  author: z.object({ association: text.nullable(), mergedPullRequests: amount.nullable() }),
  prior: PriorReview,
  sarif: z.array(SarifReport).readonly().exactOptional(),
});
export type RecordedRequest = z.infer<typeof RecordedRequest>;

function answersOf<Value extends z.ZodType>(value: Value) {
  /** How many times in a row. */
  const times = z.int().min(1);
  return z.array(
    z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("answer"), value, times }),
      z.object({ kind: z.literal("failure"), message: text, times }),
    ]),
  );
}

export type RecordedAnswer<Value> =
  | { kind: "answer"; value: Value; times: number }
  | { kind: "failure"; message: string; times: number };

/** Answers by method. Files and blobs are recorded one by one, even if several were requested at once. */
const REPOSITORY_ANSWERS = {
  readFiles: text.nullable(),
  readBlobs: text.nullable(),
  listPaths: texts.readonly().nullable(),
  findEntry: EntryKind.nullable(),
  search: SearchResult,
  readHistory: z.array(HistoryEntry).readonly(),
  readBlame: z.array(BlameRange).readonly(),
};

export type RepositoryMethod = keyof typeof REPOSITORY_ANSWERS;
export type RepositoryAnswer<Method extends RepositoryMethod> = z.infer<(typeof REPOSITORY_ANSWERS)[Method]>;

function callOf<Method extends RepositoryMethod>(method: Method) {
  const answers = answersOf(REPOSITORY_ANSWERS[method]).min(1);
  return z.object({ method: z.literal(method), args: z.array(z.unknown()), answers });
}

/** Everything one question was answered with, in order. */
const RepositoryCall = z.discriminatedUnion("method", [
  callOf("readFiles"),
  callOf("readBlobs"),
  callOf("listPaths"),
  callOf("findEntry"),
  callOf("search"),
  callOf("readHistory"),
  callOf("readBlame"),
]);
export type RepositoryCall = z.infer<typeof RepositoryCall>;

const RecordedRepository = z.object({ isShallow: z.boolean(), calls: z.array(RepositoryCall) });
export type RecordedRepository = z.infer<typeof RecordedRepository>;

/** The findings of the rules are recorded: on masked code the rules wouldn't find the same. */
const RecordedFloor = z.object({
  findings: z.array(Finding).readonly(),
  offPaths: texts,
  unreadPaths: z.array(
    z.tuple([text, z.enum(["failed:rule-error", "limit:time", "limit:file-cost"])]).readonly(),
  ),
  rules: texts,
  rulesForAll: texts,
  gaps: z.array(CheckGap).readonly(),
  report: PassReport,
  analysers: z.array(AnalyserReport).readonly(),
  degradations: z.array(Degradation).readonly(),
});
export type RecordedFloor = z.infer<typeof RecordedFloor>;

const DependencyTexts = z.object({
  texts: z.array(z.object({ name: text, text })).readonly(),
  omitted: amount,
});

/** The questions of a model about the packages of the change, with the answers. */
const RecordedReading = z.object({
  packages: z
    .array(
      z.object({ ecosystem: z.enum(ECOSYSTEM_IDS), name: text, from: text.nullable(), to: text.nullable() }),
    )
    .min(1)
    .readonly(),
  calls: z.array(
    z.object({
      asked: z.object({
        ecosystem: z.enum(ECOSYSTEM_IDS),
        name: text,
        version: text,
        since: text.nullable(),
        what: z.enum(["declarations", "changelog", "files", "file"]),
        path: text.nullable(),
      }),
      answers: answersOf(lookupOf(DependencyTexts)).min(1),
    }),
  ),
});
export type RecordedReading = z.infer<typeof RecordedReading>;

/** The report about the packages of the change. */
const RecordedDependencies = z.object({
  report: RecordedReport.nullable(),
  degradations: z.array(Degradation).readonly(),
  /** Null when the tool wasn't offered. */
  reading: RecordedReading.nullable(),
});
export type RecordedDependencies = z.infer<typeof RecordedDependencies>;

const codePlace = { path: text, startLine: z.int().min(0) };

const NameAnswer = z.object({
  definitions: z.array(z.object({ path: text, line: amount, kind: text })).readonly(),
  imports: z.array(z.object({ path: text, alias: text })).readonly(),
  known: texts.readonly(),
});

const FileAnswer = z.object({
  files: z
    .array(z.object({ path: text, reasons: z.array(z.enum(RELATED_REASONS)).readonly(), commits: amount }))
    .readonly(),
  omitted: amount,
  gaps: z.array(z.enum(["imports", "history"])).readonly(),
});

/** The questions of a model about names and files of the repository, with the answers. */
const RecordedLookup = z.object({
  names: z.array(z.object({ asked: text, answers: answersOf(NameAnswer.nullable()).min(1) })),
  files: z.array(z.object({ asked: text, answers: answersOf(FileAnswer.nullable()).min(1) })),
});
export type RecordedLookup = z.infer<typeof RecordedLookup>;

/** The code around the change. */
const RecordedCode = z.object({
  relatedCode: z
    .array(
      z.object({
        ...codePlace,
        text,
        // Older versions had one more reason. Their prompts differ anyway.
        reason: z.enum(["caller", "test", "type"]).catch("type"),
        about: text,
        changedPath: text,
        changedAt: z
          .object({ line: z.int().min(0), isGone: z.boolean() })
          .nullable()
          .default(null),
      }),
    )
    .readonly(),
  shortFunctions: z.array(z.object({ ...codePlace, lines: texts.readonly() })).readonly(),
  degradations: z.array(Degradation).readonly(),
  /** Null when there was no code index. */
  lookup: RecordedLookup.nullable(),
});
export type RecordedCode = z.infer<typeof RecordedCode>;

const Recall = z.object({
  memories: z.array(Memory).readonly(),
  candidates: z.int().min(0),
  threshold: amount,
  embeddings: text,
  isWordsOnly: z.boolean(),
  problems: texts.readonly(),
});

const RecordedFeedback = z.object({
  pullRequest: z.int(),
  identity: text,
  pattern: text,
  title: text,
  signal: z.enum(FEEDBACK_SIGNALS),
  person: text,
  teaches: z.boolean(),
  reason: z.enum(TEACHING_REASONS),
  url: text.nullable(),
  at: amount,
  // Older recordings have no reasons.
  words: text.default(""),
  about: z.object({ path: text, body: text, category: text }).nullable().default(null),
});

const RecordedSuppression = z.object({
  id: z.int(),
  pattern: text,
  title: text,
  createdAt: amount,
  expiresAt: amount,
  undoneAt: amount.nullable(),
  undoneBy: text.nullable(),
});

/** Older recordings have none. */
const PatternLearnings = z
  .array(z.object({ id: z.int(), pattern: text }))
  .readonly()
  .default([]);

/** The answers of the team's memory. */
const RecordedMemory = z.object({
  recalls: answersOf(Recall),
  learnings: answersOf(z.array(Learning).readonly()),
  feedback: answersOf(
    z.object({
      feedback: z.array(RecordedFeedback).readonly(),
      suppressions: z.array(RecordedSuppression).readonly(),
      explained: PatternLearnings,
      repeated: PatternLearnings,
    }),
  ),
});
export type RecordedMemory = z.infer<typeof RecordedMemory>;

const ToolStep = z.object({
  kind: z.literal("tool"),
  atMs: amount,
  tool: text,
  args: z.unknown(),
  /** Null when the run was over before the answer came. */
  answer: z
    .object({
      text,
      isError: z.boolean(),
      ends: Ending.nullable(),
    })
    .nullable(),
});
export type ToolStep = z.infer<typeof ToolStep>;

const RunStep = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("admit"),
    atMost: z.object({ inputTokens: amount, outputTokens: amount }).readonly(),
    isAdmitted: z.boolean(),
  }),
  z.object({ kind: z.literal("add"), tokens: Tokens }),
  z.object({
    kind: z.literal("event"),
    event: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("turn"), turn: amount }),
      z.object({ kind: z.literal("tool"), name: text }),
    ]),
  }),
  ToolStep,
]);
export type RunStep = z.infer<typeof RunStep>;

/** One run of one model, step by step. */
const RecordedRun = z.object({
  model: text,
  prompt: z.object({ system: text, user: text }),
  tools: texts,
  startedAtMs: amount,
  steps: z.array(RunStep),
  /** The text of the model, answer by answer. Replay doesn't need it. */
  said: z.array(z.object({ turn: amount, text, thinking: text })),
  outcome: Outcome,
  endedAtMs: amount,
});
export type RecordedRun = z.infer<typeof RecordedRun>;

const SpendingAnswer = z.object({
  call: z.enum(["reserve", "extend", "settle"]),
  atMs: amount,
  refusal: Refusal.nullable(),
});
export type SpendingAnswer = z.infer<typeof SpendingAnswer>;

/** Times are those of the review's own clock; only their differences count. */
const RecordedModels = z.object({
  ids: texts,
  noModel: z.enum(NO_MODEL_REASONS).nullable(),
  problems: texts,
  /** The random word of the fences; null when no model ran. */
  word: text.nullable(),
  startedAtMs: amount,
  isLimited: z.boolean(),
  /** Null when there was no limit for the review; missing in recordings of older versions, like what follows. */
  reviewLimitUsd: amount.nullable().default(null),
  spending: z.array(SpendingAnswer),
  /** Entries of an earlier attempt. */
  notebook: z.array(NumberedEntry),
  operatorPrices: z.object({ prices: RepoConfigSchema.shape.prices, hasCeilings: z.boolean() }),
  /** Models that settings name for one task, and why one couldn't be used; left out for none. */
  named: z.array(z.object({ name: text, problem: text.nullable() })).exactOptional(),
  mayRetry: z.array(z.boolean()),
  /** Null when checks couldn't be read. */
  checks: answersOf(z.array(CheckReport).readonly()).nullable(),
  runs: z.array(RecordedRun),
});
export type RecordedModels = z.infer<typeof RecordedModels>;

/** Facts of one item. Replay only compares and shows them, so a newer program may record others. */
const Facts = z.record(text, z.union([text, amount, z.null()]));
export type Facts = z.infer<typeof Facts>;

/** The part of a publication that replay compares. The overview isn't in it: it is recorded with the tool call. */
const RecordedOutcome = z.object({
  headline: text,
  conclusion: text,
  notices: texts,
  findings: z.array(Facts),
  dropped: z.array(Facts),
  receipt: z.array(Facts),
  /** Every attempt of every reviewer, the built-in rules first. */
  attempts: z.array(Facts),
  degradations: texts,
});
export type RecordedOutcome = z.infer<typeof RecordedOutcome>;

export const ReviewRecording = z.object({
  kind: z.literal(RECORDING_KIND),
  format: z.literal(RECORDING_FORMAT),
  /** Version of the program that made it. */
  program: text,
  /** Milliseconds since 1970. */
  recordedAt: amount,
  request: RecordedRequest,
  /** Null when only a diff was known. */
  repository: RecordedRepository.nullable(),
  /** Null when the review didn't get there; missing in recordings of older versions. */
  dependencies: RecordedDependencies.nullable().default(null),
  /** Null without a model; missing in recordings of older versions. */
  code: RecordedCode.nullable().default(null),
  /** Null where nothing is remembered; missing in recordings of older versions. */
  memory: RecordedMemory.nullable().default(null),
  floor: RecordedFloor,
  models: RecordedModels,
  outcome: RecordedOutcome,
});
export type ReviewRecording = z.infer<typeof ReviewRecording>;
