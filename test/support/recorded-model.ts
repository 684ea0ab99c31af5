/**
 * A model that plays a short list of steps: it calls the real tools it is given, spends tokens, fails or stops answering. Time passes
 * only in steps that advance the test's clock.
 */
import {
  type Ending,
  type Model,
  type ModelTask,
  NO_TOKENS,
  type Outcome,
  type Tokens,
  type ToolAnswer,
} from "../../src/model/model.ts";

import { claimsIn, verdictOn } from "./model-server/verifier-script.ts";

export type ModelAct =
  | { readonly tool: string; readonly args?: unknown }
  /** One call to the provider, if the budget allows it. */
  | { readonly spends: { readonly input: number; readonly output: number } }
  | { readonly takesMs: number }
  /** Text in a turn of its own. */
  | { readonly says: string }
  /** Stops without a final call. The steps after it are played only if there is a reminder. */
  | { readonly stops: true }
  /** Never answers again, until the deadline ends the run. */
  | { readonly hangs: true }
  /** An adapter bug: the run rejects, which must not happen. */
  | { readonly throws: string }
  | { readonly ends: Ending };

export type TestClock = { readonly now: () => number; readonly pass: (ms: number) => void };

export function testClock(): TestClock {
  let nowMs = 0;
  return { now: () => nowMs, pass: (ms) => void (nowMs += ms) };
}

export type RecordedModel = Model & {
  /** The task of each run. */
  readonly tasks: readonly ModelTask[];
  /** The tool results of each run. */
  readonly answers: readonly (readonly ToolAnswer[])[];
};

/** One list per run; a run without a list fails the test. */
export function recordedModel(
  id: string,
  runs: readonly (readonly ModelAct[])[],
  clock: TestClock = testClock(),
): RecordedModel {
  const tasks: ModelTask[] = [];
  const answers: ToolAnswer[][] = [];
  return {
    id,
    tasks,
    answers,
    async run(task, signal) {
      signal.throwIfAborted();
      if (task.tools.some(({ name }) => name === "give_verdict"))
        return play(confirming(task), { id, task, clock, answered: [] });
      const acts = runs[tasks.length];
      tasks.push(task);
      const answered: ToolAnswer[] = [];
      answers.push(answered);
      if (acts === undefined) throw new Error(`${id} was asked ${tasks.length} times`);
      return play(acts, { id, task, clock, answered });
    },
  };
}

/** A second reading confirms everything, and isn't one of the runs. */
function confirming({ prompt }: ModelTask): readonly ModelAct[] {
  return claimsIn({ prompt: prompt.user }).map((claim) => {
    const { name: tool, args } = verdictOn(claim);
    return { tool, args };
  });
}

type Play = {
  readonly id: string;
  readonly task: ModelTask;
  readonly clock: TestClock;
  readonly answered: ToolAnswer[];
};

async function play(acts: readonly ModelAct[], { id, task, clock, answered }: Play): Promise<Outcome> {
  const startedAt = clock.now();
  let turns = 0;
  let begun = 0;
  let tokens: Tokens = NO_TOKENS;
  const outcome = (ending: Ending): Outcome => {
    return { ...ending, model: id, turns, tokens, ms: clock.now() - startedAt };
  };
  for (const act of acts) {
    if ("throws" in act) throw new Error(act.throws);
    if ("ends" in act) return outcome(act.ends);
    if ("takesMs" in act) clock.pass(act.takesMs);
    else if ("says" in act) {
      turns++;
      task.onEvent({ kind: "turn", turn: ++begun });
      task.onEvent({ kind: "said", text: act.says, thinking: "" });
    } else if ("stops" in act) {
      const reminder = task.remind?.() ?? null;
      if (reminder === null) break;
    } else if ("hangs" in act) {
      clock.pass(task.limits.deadlineMs - (clock.now() - startedAt));
      return outcome({ kind: "timed-out", stopReason: { kind: "deadline" } });
    } else if ("spends" in act) {
      const { input, output } = act.spends;
      if ((await task.meter.admit({ inputTokens: input, outputTokens: Math.max(output, 1) })) === 0)
        return outcome({ kind: "stopped-by-budget", stopReason: { kind: "budget-exhausted" } });
      turns++;
      task.onEvent({ kind: "turn", turn: ++begun });
      task.meter.add({ input, cachedInput: 0, output });
      tokens = { input: tokens.input + input, cachedInput: 0, output: tokens.output + output };
    } else {
      const tool = task.tools.find(({ name }) => name === act.tool);
      if (tool === undefined) throw new Error(`${act.tool} is not offered`);
      // Each call is a separate turn, so that its result has reached the model before the next call.
      task.onEvent({ kind: "turn", turn: ++begun });
      task.onEvent({ kind: "tool", name: act.tool });
      const answer = await tool.call(act.args ?? {});
      answered.push(answer);
      if (answer.ends !== null) return outcome(answer.ends);
    }
  }
  return outcome({ kind: "completed", stopReason: { kind: "end-of-turn" } });
}
