import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_MODELS } from "../../../test/support/no-models.ts";
import { DEFAULT_CONFIG } from "../../config/repo-config/default-config.ts";
import type { Model, ModelTask, Outcome } from "../../model/model.ts";
import { NO_STRAY_CALLS } from "../../../test/support/no-stray-calls.ts";
import type { Change } from "../../review/change/change.ts";
import { createMemoryNotebook, type NotebookEntry } from "../../tools/notebook.ts";
import type { ModelAccess } from "./model-access.ts";
import { stoppableModels } from "./stoppable-models.ts";

const TASK: ModelTask = {
  prompt: { system: "", user: "" },
  tools: [],
  strayCalls: NO_STRAY_CALLS,
  limits: { deadlineMs: 1_000, stallMs: 1_000, overloadMs: 1_000, maxTurns: 9, maxOutputTokens: 9 },
  meter: { admit: async ({ outputTokens }) => outputTokens, add: () => {} },
  onEvent: () => {},
};

const DONE: Outcome = {
  kind: "completed",
  stopReason: { kind: "finished" },
  model: "a:x",
  turns: 7,
  tokens: { input: 70, cachedInput: 0, output: 7 },
  ms: 1,
};

/** Makes two calls, of which the second never ends; what was begun is counted when it is cut off. */
const STUCK: Model = {
  id: "a:x",
  run: ({ meter, onEvent }, signal) => {
    onEvent({ kind: "turn", turn: 1 });
    meter.add({ input: 100, cachedInput: 50, cacheWriteInput: 40, output: 10 });
    onEvent({ kind: "turn", turn: 2 });
    return new Promise((_resolve, reject) => {
      const cut = (): void => {
        meter.add({ input: 120, cachedInput: 0, output: 1 });
        reject(signal.reason);
      };
      if (signal.aborted) cut();
      else signal.addEventListener("abort", cut);
    });
  },
};

function accessOf(...models: readonly Model[]): ModelAccess {
  const choose = async () => ({ models, noModel: null, problems: [] });
  return { ...NO_MODELS, choice: { ...NO_MODELS.choice, choose } };
}

async function chosen(model: Model, stop: AbortSignal): Promise<Model> {
  const access = stoppableModels(accessOf(model), { signal: stop, onChosen: () => {} });
  const { models } = await access.choice.choose(DEFAULT_CONFIG);
  return models[0] ?? assert.fail("there is one");
}

test("stoppable: an interrupted run ends at once with its turns and tokens, and the meter has counted them", async () => {
  const stop = new AbortController();
  const model = await chosen(STUCK, stop.signal);
  const heard: number[] = [];
  const meter = { ...TASK.meter, add: ({ input }: { readonly input: number }) => void heard.push(input) };
  const running = model.run({ ...TASK, meter }, new AbortController().signal);
  stop.abort();
  const { ms, ...outcome } = await running;
  assert.ok(ms >= 0);
  assert.deepEqual(outcome, {
    kind: "stopped",
    stopReason: { kind: "interrupted" },
    model: "a:x",
    turns: 2,
    tokens: { input: 220, cachedInput: 50, cacheWriteInput: 40, output: 11 },
  });
  assert.deepEqual(heard, [100, 120]);
});

test("stoppable: a run that begins after the stop ends as it begins", async () => {
  const model = await chosen(STUCK, AbortSignal.abort());
  const { kind } = await model.run(TASK, new AbortController().signal);
  assert.equal(kind, "stopped");
});

test("stoppable: an aborted review rejects, even after an interruption", async () => {
  const [stop, abort] = [new AbortController(), new AbortController()];
  const model = await chosen(STUCK, stop.signal);
  const running = model.run(TASK, abort.signal);
  abort.abort(new Error("superseded"));
  stop.abort();
  await assert.rejects(running, /superseded/);
});

test("stoppable: an outcome and a failure of its own stay what they are", async () => {
  const done = await chosen({ id: "a:x", run: async () => DONE }, new AbortController().signal);
  assert.deepEqual(await done.run(TASK, new AbortController().signal), DONE);
  const broken = { id: "a:x", run: () => Promise.reject(new Error("defect")) };
  const model = await chosen(broken, new AbortController().signal);
  await assert.rejects(model.run(TASK, new AbortController().signal), /defect/);
});

test("stoppable: it is said when there is something to stop, and how much was found until then", async () => {
  const notebook = createMemoryNotebook();
  const real = (...models: readonly Model[]) => ({
    ...accessOf(...models),
    openNotebook: async () => notebook,
  });
  const counts: (() => number)[] = [];
  const stop = {
    signal: new AbortController().signal,
    onChosen: (count: () => number) => void counts.push(count),
  };
  await stoppableModels(real(), stop).choice.choose(DEFAULT_CONFIG);
  assert.equal(counts.length, 0, "there is no model");
  const access = stoppableModels(real(STUCK), stop);
  await access.choice.choose(DEFAULT_CONFIG);
  assert.deepEqual(
    counts.map((count) => count()),
    [0],
  );
  // Only its number counts here.
  const [change, finding] = [{} as Change, {} as never];
  await access.openNotebook(change);
  const entry: NotebookEntry = { kind: "finding", pass: "review", finding, replaces: null };
  await notebook.append(entry);
  await notebook.append(entry);
  await notebook.append({ ...entry, replaces: 1 });
  assert.deepEqual(
    counts.map((count) => count()),
    [2],
  );
});
