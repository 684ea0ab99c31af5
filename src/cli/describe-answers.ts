/** Describes a recorded model run turn by turn: reasoning, text and tool calls. */
import { count } from "../base/count.ts";
import type { RecordedRun, RunStep } from "../jobs/recording/recording.ts";

/** Tool arguments and results are truncated. The recording has all of them. */
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
  // A turn whose response broke off was retried, so it has several texts.
  const wordsOf = (number: number, kind: "thinking" | "text"): string =>
    said
      .filter((each) => each.turn === number && each[kind] !== "")
      .map((each) => each[kind])
      .join("\n(retried)\n");
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
      indented(answer === null ? "(no result: the run had ended)" : shortened(answer.text)),
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
