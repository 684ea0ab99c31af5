/** Asks the question of a deep review, prints the answer, and writes its files. */
import { count } from "../base/count.ts";
import { printable } from "../base/printable.ts";
import { askModel } from "../jobs/deep-review/ask-model.ts";
import {
  composeAnswerFiles,
  describeAnswerUsage,
  printableLines,
} from "../jobs/deep-review/compose-answer-files.ts";
import { type AnswerState, stateOf } from "../jobs/deep-review/deep-answer.ts";
import { createCitationMarker } from "../jobs/deep-review/mark-citations.ts";
import type { ModelAccess } from "../jobs/model-review/model-access.ts";
import { describeStopReason } from "../review/publication/compose/describe-stop-reason.ts";
import type { AnswerDisplay } from "./answer-display.ts";
import type { CliDeps } from "./command.ts";
import type { DeepChoice, DeepPack } from "./deep-review-pack.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { OutputFolder } from "./output-folder.ts";

export type DeepQuestion = {
  readonly question: string;
  readonly pack: DeepPack & { readonly text: string };
  readonly config: DeepChoice["config"];
  readonly model: DeepChoice["models"][0];
  readonly access: ModelAccess;
  readonly isCopied: boolean;
};

const EXIT_CODES: Readonly<Record<AnswerState, ExitCode>> = {
  complete: EXIT.ok,
  truncated: EXIT.incomplete,
  stopped: EXIT.interrupted,
  failed: EXIT.failure,
};

const HEADINGS: Readonly<Record<AnswerState, string | null>> = {
  complete: null,
  truncated: "the answer is truncated",
  stopped: "stopped",
  failed: "no complete answer",
};

export async function askAboutPack(
  { question, pack, config, model, access, isCopied }: DeepQuestion,
  { folder, display }: { readonly folder: OutputFolder; readonly display: AnswerDisplay },
  deps: CliDeps,
): Promise<ExitCode> {
  const { effort, verbosity, summary, timeoutSeconds } = config.deepReview;
  display.stage("thinking");
  const marker = createCitationMarker(pack.shown);
  const lines: string[] = [];
  const arrived = await askModel(
    { pack: pack.text, question, config, model, timeoutMs: timeoutSeconds * 1_000 },
    {
      money: access.money,
      randomWord: () => access.randomWord(),
      now: deps.now,
      signal: deps.signal,
      onPiece: (piece) => display.piece(piece),
      onLine(line) {
        const marked = marker.mark(line.replace(/\r$/, ""));
        lines.push(marked);
        display.answerLine(marked);
      },
    },
  );
  display.end();
  const answer = { ...arrived, text: lines.join("\n") };
  const citations = marker.counts();
  const files = composeAnswerFiles(answer, {
    question,
    style: { effort, verbosity, summary },
    version: deps.version,
    citations: pack.shown === null ? null : citations,
    pack: {
      base: pack.change?.base ?? null,
      head: pack.change?.head ?? null,
      tokens: pack.tokens?.final ?? null,
      chars: pack.text.length,
    },
  });
  for (const [name, text] of files) await folder.write(name, text);
  const text = printableLines(answer.text).trim();
  // On a terminal its lines are there already.
  if (text !== "" && !deps.stdout.isTerminal) deps.stdout.write(`${text}\n`);
  const state = stateOf(answer);
  const heading = HEADINGS[state];
  const kept = [...pack.artifacts.keys(), ...files.keys()].map((name) => `  ${name}\n`).join("");
  if (heading !== null)
    deps.stderr.write(`kodiai: ${heading}: ${describeStopReason(answer.outcome.stopReason)}\n`);
  if (citations.missing > 0)
    deps.stderr.write(
      `kodiai: ${count(citations.all, "citation")}, not in the pack and marked: ${citations.missing}\n`,
    );
  deps.stderr.write(`kodiai: ${describeAnswerUsage({ ...answer.outcome, costUsd: answer.costUsd })}\n`);
  deps.stderr.write(`kodiai: kept in ${printable(folder.path)}\n${kept}`);
  if (isCopied && text !== "") await copy(text, deps);
  return EXIT_CODES[state];
}

async function copy(text: string, { stderr }: CliDeps): Promise<void> {
  const { copyText } = await import("./clipboard.ts");
  const how = await copyText(text, stderr);
  stderr.write(
    how === null
      ? "kodiai: not copied: there is no clipboard. Install wl-copy or xclip, or use a terminal\n"
      : `kodiai: copied to the clipboard with ${how}\n`,
  );
}
