/** What a model did in a recorded run, turn by turn: what it thought and wrote, and which tools it called. */
import { count } from "../base/count.ts";
import type { RecordedRun, RunStep } from "../jobs/recording/recording.ts";

/** Arguments and answers of tools: their beginning tells what it was about; all of it is in the recording. */
const MAX_TOOL_CHARS = 600;

export type AnsweredTurn = {
  readonly turn: number;
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly ToolStep[];
};

type ToolStep = Pick<Extract<RunStep, { kind: "tool" }>, "tool" | "args" | "answer">;

export function turnsOf({ steps, said }: Pick<RecordedRun, "steps" | "said">): readonly AnsweredTurn[] {
  const calls = new Map<number, ToolStep[]>();
  let turn = 0;
  for (const step of steps) {
    if (step.kind === "event" && step.event.kind === "turn") ({ turn } = step.event);
    if (step.kind !== "tool") continue;
    const { tool, args, answer } = step;
    calls.set(turn, [...(calls.get(turn) ?? []), { tool, args, answer }]);
  }
  const numbers = [...new Set([...calls.keys(), ...said.map((each) => each.turn)])];
  // A turn whose answer broke off was asked again: it has several.
  const wordsOf = (number: number, kind: "thinking" | "text"): string =>
    said
      .filter((each) => each.turn === number && each[kind] !== "")
      .map((each) => each[kind])
      .join("\n(asked again)\n");
  return numbers
    .toSorted((a, b) => a - b)
    .map((number) => ({
      turn: number,
      thinking: wordsOf(number, "thinking"),
      text: wordsOf(number, "text"),
      calls: calls.get(number) ?? [],
    }));
}

export function describeAnswers(run: Pick<RecordedRun, "steps" | "said">): readonly string[] {
  const turns = turnsOf(run).flatMap(({ turn, thinking, text, calls }) => [
    `--- Turn ${turn}`,
    ...(thinking === "" ? [] : ["Thinking:", indented(thinking)]),
    ...(text === "" ? [] : ["Text:", indented(text)]),
    ...calls.flatMap(({ tool, args, answer }) => [
      `Calls ${tool} ${shortened(JSON.stringify(args))}`,
      indented(answer === null ? "(no answer: the run was over)" : shortened(answer.text)),
    ]),
  ]);
  const none = "(The model wrote no text.)";
  return run.said.length === 0 ? [none, ...turns] : turns;
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, "  ");
}

function shortened(text: string): string {
  const left = text.length - MAX_TOOL_CHARS;
  return left <= 0
    ? text
    : `${text.slice(0, MAX_TOOL_CHARS).toWellFormed()} … (${count(left, "more character")})`;
}
