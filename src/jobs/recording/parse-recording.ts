/** Reads a recording that somebody gives us: every field is checked before anything is done with it. */
import * as z from "zod";
import { KodiaiError, messageOf } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import { CATEGORIES, SEVERITIES } from "../../base/severity.ts";
import {
  RECORDING_FORMAT,
  RECORDING_KIND,
  type RepositoryAnswers,
  type ReviewRecording,
} from "./recording.ts";

const text = z.string();
const texts = z.array(text);
const count = z.int().min(0);
const amount = z.number();

const hunk = z.object({
  oldStart: count,
  newStart: count,
  section: text,
  lines: z.array(z.string().regex(/^[ +-]/)),
});

const file = z.object({
  path: text,
  oldPath: text.nullable(),
  status: z.enum(["added", "modified", "deleted", "renamed", "copied", "type-changed"]),
  oldMode: text.nullable(),
  newMode: text.nullable(),
  oldBlob: text.nullable(),
  newBlob: text.nullable(),
  addedLines: count,
  removedLines: count,
  hunks: z.array(hunk),
  unreadable: z
    .enum([
      "binary",
      "submodule",
      "symlink",
      "lfs-pointer",
      "too-large",
      "too-many-files",
      "filtered",
      "unreadable",
      "mode-only",
    ])
    .nullable(),
  cutLines: z.array(count),
});

const change = z.object({
  kind: z.enum(["branch", "working-tree", "staged", "commit", "range", "diff", "pull-request"]),
  description: text,
  title: text,
  body: text,
  base: text.nullable(),
  head: text.nullable(),
  commits: z.array(z.object({ id: text, subject: text, body: text, author: text })),
  files: z.array(file),
  notes: texts,
});

const finding = z.object({
  title: text,
  body: text,
  severity: z.enum(SEVERITIES),
  category: z.enum(CATEGORIES),
  path: text,
  quote: text,
  lineHint: z.number().nullable(),
  sideHint: z.enum(["new", "old"]),
  suggestion: text.nullable(),
  confidence: amount,
  evidence: texts,
  source: z.enum(["floor", "model", "bump"]),
  rule: text.nullable(),
  pass: text,
  ignoredBecause: text.nullable(),
});

const tokens = z.object({
  input: amount,
  cachedInput: amount,
  cacheWriteInput: amount.exactOptional(),
  output: amount,
});

const outcomeKind = z.enum([
  "completed",
  "timed-out",
  "stopped-by-budget",
  "overloaded",
  "refused",
  "failed",
  "stopped",
]);
const step = z.enum(["full", "lean", "reduced", "floor"]);

const outcome = z.object({
  kind: outcomeKind,
  stopReason: text,
  model: text,
  turns: count,
  tokens,
  ms: amount,
});

const leftOut = z.array(z.object({ section: text, chars: count })).exactOptional();

const pass = z.object({
  name: text,
  model: text,
  step,
  outcome: outcomeKind,
  stopReason: text,
  files: count,
  turns: count,
  tokens,
  costUsd: amount.nullable(),
  ms: amount,
  findings: count,
  leftOut,
});

const entry = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("finding"),
    number: count,
    pass: text,
    finding,
    replaces: count.nullable(),
  }),
  z.object({ kind: z.literal("reviewed"), number: count, pass: text, paths: texts }),
  z.object({ kind: z.literal("summary"), number: count, pass: text, text }),
  z.object({
    kind: z.literal("outcome"),
    number: count,
    pass: text,
    step,
    outcome,
    costUsd: amount.nullable(),
    files: count,
    shownPaths: texts,
    leftOut,
    isLast: z.boolean(),
  }),
]);

function answersOf<Value extends z.ZodType>(value: Value) {
  const times = z.int().min(1);
  const answer = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("answer"), value, times }),
    z.object({ kind: z.literal("failure"), message: text, times }),
  ]);
  return z.array(answer).min(1);
}

function call<Method extends keyof RepositoryAnswers, Value extends z.ZodType>(method: Method, value: Value) {
  return z.object({ method: z.literal(method), args: z.array(z.unknown()), answers: answersOf(value) });
}

const history = { commit: text.nullable(), author: text, date: text, subject: text };

const repository = z.object({
  isShallow: z.boolean(),
  calls: z.array(
    z.discriminatedUnion("method", [
      call("readFiles", text.nullable()),
      call("readBlobs", text.nullable()),
      call("listPaths", texts.nullable()),
      call("findEntry", z.enum(["file", "folder", "symlink", "submodule"]).nullable()),
      call(
        "search",
        z.object({
          hits: z.array(z.object({ path: text, line: count, text })),
          endedBy: z.enum(["end", "hits", "time"]),
        }),
      ),
      call("readHistory", z.array(z.object(history))),
      call(
        "readBlame",
        z.array(z.object({ ...history, startLine: count, endLine: count, isEdge: z.boolean() })),
      ),
    ]),
  ),
});

/** Each is noted as often as it was. */
const degradation = z.object({ what: text, message: text, count: z.int().min(1).max(1_000_000) });

const floor = z.object({
  findings: z.array(finding),
  offPaths: texts,
  failedPaths: texts,
  unreadPaths: texts,
  // Recordings of earlier versions have no such files.
  costlyPaths: texts.default([]),
  rulesRun: count,
  report: pass,
  degradations: z.array(degradation),
});

const refusal = z.object({
  kind: z.literal("refused"),
  budget: text,
  limitUsd: amount,
  spentUsd: amount,
});

const toolAnswer = z.object({
  text,
  isError: z.boolean(),
  ends: z.object({ kind: outcomeKind, stopReason: text }).nullable(),
});

const runStep = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("admit"),
    atMost: z.object({ inputTokens: amount, outputTokens: amount }),
    isAdmitted: z.boolean(),
  }),
  z.object({ kind: z.literal("add"), tokens }),
  z.object({
    kind: z.literal("event"),
    event: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("turn"), turn: amount }),
      z.object({ kind: z.literal("tool"), name: text }),
    ]),
  }),
  z.object({
    kind: z.literal("tool"),
    atMs: amount,
    tool: text,
    args: z.unknown(),
    answer: toolAnswer.nullable(),
  }),
]);

const models = z.object({
  ids: texts,
  note: text.nullable(),
  problems: texts,
  // Recordings of older versions are from before the limit.
  isWithheld: z.boolean().default(false),
  word: text.nullable(),
  startedAtMs: amount,
  isLimited: z.boolean(),
  spending: z.array(
    z.object({ call: z.enum(["reserve", "extend", "settle"]), atMs: amount, refusal: refusal.nullable() }),
  ),
  notebook: z.array(entry),
  openFindings: z.array(
    z.object({ title: text, path: text, line: z.number().nullable(), severity: z.enum(SEVERITIES) }),
  ),
  operatorPrices: z.object({
    prices: z.record(
      text,
      z.object({ inputUsd: amount, cachedInputUsd: amount.optional(), outputUsd: amount }),
    ),
    hasCeilings: z.boolean(),
  }),
  mayRetry: z.array(z.boolean()),
  checks: z
    .array(answersOf(z.array(z.object({ name: text, state: text, summary: text }))).element)
    .nullable(),
  runs: z.array(
    z.object({
      model: text,
      prompt: z.object({ system: text, user: text }),
      tools: texts,
      startedAtMs: amount,
      steps: z.array(runStep),
      // Recordings of older versions are without the words of models.
      said: z.array(z.object({ turn: amount, text, thinking: text })).default([]),
      outcome,
      endedAtMs: amount,
    }),
  ),
});

/** Only compared and shown, so that words of a newer program may stand in it. */
const reviewOutcome = z.object({
  headline: text,
  conclusion: text,
  notices: texts,
  findings: z.array(
    z.object({
      title: text,
      path: text,
      side: text,
      startLine: z.number().nullable(),
      endLine: z.number().nullable(),
      severity: text,
      category: text,
      placement: text,
      suggestion: text,
    }),
  ),
  dropped: z.array(
    z.object({ title: text, path: text, startLine: z.number().nullable(), severity: text, reason: text }),
  ),
  receipt: z.array(z.object({ path: text, status: text, reason: text.nullable(), lines: count })),
  attempts: z.array(
    z.object({
      pass: text,
      model: text,
      step: text,
      outcome: text,
      stopReason: text,
      turns: count,
      findings: count,
      costUsd: amount.nullable(),
    }),
  ),
  degradations: texts,
});

const recording: z.ZodType<ReviewRecording> = z.object({
  kind: z.literal(RECORDING_KIND),
  format: z.literal(RECORDING_FORMAT),
  program: text,
  recordedAt: amount,
  request: z.object({
    change,
    givenConfig: z.object({ path: text, text }).nullable(),
    isExplicit: z.boolean(),
    // Recordings of older versions don't have it; every tag counted then.
    tags: z.enum(["all", "title", "none"]).default("all"),
    author: z.object({ association: text.nullable(), mergedPullRequests: amount.nullable() }),
    alreadyTold: texts,
    // Nor this: what was only listed was not known then.
    listedBefore: texts.default([]),
  }),
  repository: repository.nullable(),
  floor,
  models,
  outcome: reviewOutcome,
});

const envelope = z.object({ kind: z.literal(RECORDING_KIND), format: amount, program: text });

/** `name`: for people, what is read. */
export function parseRecordingText(json: string, name: string): ReviewRecording {
  let content: unknown;
  try {
    content = JSON.parse(json);
  } catch (error) {
    throw unreadable(name, `it is no JSON (${messageOf(error)})`, error);
  }
  return parseRecording(content, name);
}

export function parseRecording(content: unknown, name: string): ReviewRecording {
  const about = envelope.safeParse(content);
  if (!about.success) throw unreadable(name, "it is no recording of Kodiai");
  const { format, program } = about.data;
  if (format > RECORDING_FORMAT) {
    throw new KodiaiError(
      "bad-json",
      `${printable(name)} was recorded by a newer Kodiai (${printable(program)}), in format ${format}`,
      { hint: `Replay it with that version; this one reads format ${RECORDING_FORMAT}.` },
    );
  }
  const parsed = recording.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "it" : issue.path.map(String).join(".");
  throw unreadable(name, `${place}: ${issue?.message ?? "wrong"}`);
}

function unreadable(name: string, why: string, cause?: unknown): KodiaiError {
  return new KodiaiError("bad-json", `${printable(name)} cannot be replayed: ${printable(why)}`, {
    hint: "It was damaged or edited. Record the review again with `kodiai review --record FILE`.",
    cause,
  });
}
