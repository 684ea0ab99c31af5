/** `kodiai replay`: reruns a recorded review without a repository, a model or the network, and compares the results. */
import { KodiaiError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import type { ReviewRecording } from "../jobs/recording/recording.ts";
import type { Replay } from "../jobs/recording/replay-review.ts";
import { describeAnswers, turnsOf } from "./describe-answers.ts";
import { readRecording } from "../store/repositories/recordings.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { DEFAULT_WIDTH, usesColor } from "./print-review.ts";

/** Several times the size of the largest recording. A larger file would only fill the memory. */
const MAX_FILE_BYTES = 128_000_000;

export const replay: Command = {
  name: "replay",
  argumentNames: "RUN|FILE",
  positionals: { min: 1, max: 1 },
  description:
    "Reruns a recorded review from its recording and compares the results. FILE is a recording from\n`kodiai review --record FILE`. RUN is the number of a run on the server, as shown by `kodiai jobs show`; the server records\nruns if KODIAI_RECORD_RUNS=on. Calls no model and publishes nothing. Exits with 0 if the result is the same, 1 if it\ndiffers, and 4 if the recording can't be read.",
  options: {
    format: {
      type: "string",
      short: "f",
      value: "FORMAT",
      choices: ["terminal", "json"],
      help: "output format",
    },
    "show-prompt": { type: "boolean", help: "show the prompts" },
    "show-answers": {
      type: "boolean",
      help: "show the models' reasoning, text and tool calls, turn by turn",
    },
  },
  examples: [
    {
      line: "kodiai review --record review.json && kodiai replay review.json",
      comment: "record a review and rerun it",
    },
    { line: "kodiai replay 42 --show-prompt", comment: "show the prompts of run 42 on the server" },
    { line: "kodiai replay 42 --show-answers", comment: "show how the model came to its findings" },
  ],
  run,
};

async function run({ options, positionals: [name = ""] }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const recording = await readFrom(name, deps);
  const { replayReview } = await import("../jobs/recording/replay-review.ts");
  const reader = await deps.code.openReader(deps.signal);
  const { signal, version } = deps;
  const replayed = await replayReview(recording, { reader, signal, version }).finally(() => reader.close());
  const shown = { prompts: options["show-prompt"] === true, answers: options["show-answers"] === true };
  if (options["format"] === "json") await writeJson(recording, replayed, { deps, shown });
  else await writeText(recording, replayed, { deps, shown });
  return replayed.differences.length === 0 ? EXIT.ok : EXIT.findings;
}

async function readFrom(name: string, deps: CliDeps): Promise<ReviewRecording> {
  const { parseRecording, parseRecordingText } = await import("../jobs/recording/parse-recording.ts");
  if (/^\d{1,15}$/.test(name)) return parseRecording(await readRun(Number(name), deps), `run ${name}`);
  const bytes = await deps.files.readFile(name, MAX_FILE_BYTES + 1);
  if (bytes.length > MAX_FILE_BYTES) {
    throw new KodiaiError("bad-json", `${printable(name)} is larger than any recording`, {
      hint: "Check the path. `kodiai review --record FILE` writes recordings.",
    });
  }
  return parseRecordingText(Buffer.from(bytes).toString("utf8"), name);
}

async function readRun(runId: number, deps: CliDeps): Promise<unknown> {
  const records = await deps.installation.openRecords();
  try {
    const found = await readRecording(runId, records.database);
    if (found !== null) return found.content;
  } finally {
    await records.close();
  }
  throw new KodiaiError("not-found", `run ${runId} has no recording`, {
    hint: "The server records reviews if KODIAI_RECORD_RUNS=on, and keeps them for 30 days. For a file with that name, use ./NAME.",
  });
}

type Writing = {
  readonly deps: CliDeps;
  readonly shown: { readonly prompts: boolean; readonly answers: boolean };
};

async function writeText(recording: ReviewRecording, replayed: Replay, { deps, shown }: Writing) {
  if (shown.prompts) deps.stdout.write(renderPrompts(recording));
  if (shown.answers) deps.stdout.write(renderAnswers(recording));
  const format = "terminal";
  const look = { format, color: usesColor(deps), width: deps.stdout.columns ?? DEFAULT_WIDTH } as const;
  const forge = await deps.createTerminalForge({ ...look, write: async (text) => deps.stdout.write(text) });
  await forge.publish(replayed.publication);
  deps.stdout.write(renderComparison(recording, replayed));
}

function renderComparison(
  { program, recordedAt }: ReviewRecording,
  { differences, remarks }: Replay,
): string {
  const recorded = `Recorded ${describeTime(recordedAt)} by Kodiai ${program}.`;
  const lines = [
    differences.length === 0 ? `${recorded} The result is the same.` : `${recorded} The result differs:`,
    ...differences.map((difference) => `  - ${difference}`),
    ...(remarks.length === 0 ? [] : ["Notes:"]),
    ...remarks.map((remark) => `  - ${remark}`),
  ];
  return `\n${lines.map(printable).join("\n")}\n`;
}

/** A recording can have an invalid time, which must not throw here. */
function describeTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "at an unknown time" : date.toISOString();
}

function renderPrompts({ models }: ReviewRecording): string {
  if (models.runs.length === 0) return "No model was used.\n\n";
  const parts = models.runs.flatMap(({ model, prompt: { system, user } }, index) => {
    const name = `${index + 1} of ${models.runs.length}, ${model}`;
    return [`=== System prompt ${name}`, system, `=== Prompt ${name}`, user];
  });
  return printableLines(parts);
}

function renderAnswers({ models }: ReviewRecording): string {
  if (models.runs.length === 0) return "No model was used.\n\n";
  const parts = models.runs.flatMap((run, index) => [
    `=== Answers ${index + 1} of ${models.runs.length}, ${run.model}`,
    ...describeAnswers(run),
  ]);
  return printableLines(parts);
}

function printableLines(parts: readonly string[]): string {
  return `${parts.join("\n").split("\n").map(printable).join("\n")}\n\n`;
}

async function writeJson(recording: ReviewRecording, replayed: Replay, { deps, shown }: Writing) {
  const { stringifySafe } = await import("../review/publication/render/safe-json.ts");
  const { renderJson } = await import("../review/publication/render/render-json.ts");
  const { program, recordedAt, models } = recording;
  const review: unknown = JSON.parse(renderJson(replayed.publication));
  const prompts = models.runs.map(({ model, prompt }) => ({ model, ...prompt }));
  const answers = models.runs.map((run) => ({ model: run.model, turns: turnsOf(run) }));
  const { differences, remarks } = replayed;
  deps.stdout.write(
    stringifySafe({
      version: 1,
      recorded: { program, at: recordedAt },
      isSame: differences.length === 0,
      differences,
      remarks,
      ...(shown.prompts ? { prompts } : {}),
      ...(shown.answers ? { answers } : {}),
      review,
    }),
  );
}
