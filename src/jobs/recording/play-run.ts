/**
 * Plays a recorded run of a model: it makes the same tool calls, and the tools really run. Then it returns the recorded
 * outcome.
 */
import { isDeepStrictEqual } from "node:util";
import { withoutMasks } from "../../base/secrets/mask-secrets.ts";
import type { Ending, ModelTask, ModelTool, Outcome, ToolAnswer } from "../../model/model.ts";
import type { RecordedRun, RunStep } from "./recording.ts";

export type PlayDeps = {
  /** The time that the review sees from now on. */
  readonly setClock: (atMs: number) => void;
  /** Reports a difference from the recorded run. */
  readonly remark: (text: string) => void;
};

export async function playRun(
  run: RecordedRun,
  task: ModelTask,
  signal: AbortSignal,
  deps: PlayDeps,
): Promise<Outcome> {
  deps.setClock(run.startedAtMs);
  comparePrompts(run, task, deps);
  const tools = new Map(task.tools.map((tool) => [tool.name, tool]));
  for (const step of run.steps) {
    signal.throwIfAborted();
    const end = await playStep(step, { run, task, tools, deps });
    if (end !== null) return { ...run.outcome, ...end };
  }
  deps.setClock(run.endedAtMs);
  return run.outcome;
}

type Play = {
  readonly run: RecordedRun;
  readonly task: ModelTask;
  readonly tools: ReadonlyMap<string, ModelTool>;
  readonly deps: PlayDeps;
};

/** Not null: the run ends here, unlike the recorded one. */
async function playStep(step: RunStep, play: Play): Promise<Ending | null> {
  const { task, deps, run } = play;
  switch (step.kind) {
    case "event":
      task.onEvent(step.event);
      return null;
    case "add":
      task.meter.add(step.tokens);
      return null;
    case "admit": {
      const isAdmitted = (await task.meter.admit(step.atMost)) > 0;
      if (isAdmitted || !step.isAdmitted) return null;
      deps.remark(`${run.model}: the budget now refuses a call that it allowed before`);
      return { kind: "stopped-by-budget", stopReason: { kind: "budget-exhausted" } };
    }
    case "tool":
      return playTool(step, play);
  }
}

async function playTool(
  { atMs, tool: name, args, answer: recorded }: Extract<RunStep, { kind: "tool" }>,
  { tools, deps, run }: Play,
) {
  deps.setClock(atMs);
  const tool = tools.get(name);
  if (tool === undefined) {
    deps.remark(`${run.model}: the tool ${name} isn't available any more`);
    return null;
  }
  const answer = await tool.call(args);
  if (recorded === null) return null;
  if (!isSameAnswer(recorded, answer))
    deps.remark(
      `${run.model}: ${name} returns another result: ${firstDifference(recorded.text, answer.text)}`,
    );
  // A run that this call ended before ends with its recorded outcome.
  return recorded.ends === null ? answer.ends : null;
}

function isSameAnswer(before: ToolAnswer, after: ToolAnswer): boolean {
  return (
    withoutMasks(before.text) === withoutMasks(after.text) &&
    before.isError === after.isError &&
    isDeepStrictEqual(before.ends, after.ends)
  );
}

function comparePrompts({ model, prompt }: RecordedRun, task: ModelTask, { remark }: PlayDeps): void {
  for (const part of ["system", "user"] as const) {
    const [before, after] = [prompt[part], task.prompt[part]];
    if (withoutMasks(before) !== withoutMasks(after))
      remark(`${model}: the ${part} prompt differs: ${firstDifference(before, after)}`);
  }
}

const MAX_SHOWN_CHARS = 120;

/** The first line that differs. */
function firstDifference(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const at = old.findIndex((line, index) => withoutMasks(line) !== withoutMasks(now[index] ?? ""));
  const index = at === -1 ? old.length : at;
  const show = (line: string | undefined): string =>
    line === undefined ? "nothing" : JSON.stringify(line.slice(0, MAX_SHOWN_CHARS));
  return `line ${index + 1} was ${show(old[index])} and is ${show(now[index])}`;
}
