import { NO_MODELS } from "../../../test/support/no-models.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { createInProcessReader } from "../../../test/support/in-process-reader.ts";
import { type ModelAct, recordedModel, testClock } from "../../../test/support/recorded-model.ts";
import { noConfig } from "../../config/repo-config/no-config.ts";
import type { Model, ModelEvent } from "../../model/model.ts";
import { NO_OPERATOR_PRICES } from "../../model/prices.ts";
import type { Reservation, Spending } from "../../model/spending.ts";
import { stopCode } from "../../model/stop-code.ts";
import type { PlainStopReason } from "../../model/stop-reason.ts";
import { createGuard } from "../../review/untrusted/create-guard.ts";
import type { ReadContext, Tool } from "../../tools/tool.ts";
import { createMemorySpending } from "../spending/create-memory-spending.ts";
import { createListener } from "./create-listener.ts";
import { type Talk, talkToModel, type TalkState } from "./talk-to-model.ts";

type NoteContext = ReadContext & { readonly notes: string[] };

const note: Tool<NoteContext, { word: string }> = {
  name: "note",
  description: "Keeps a word.",
  schema: z.object({ word: z.string() }),
  async execute({ word }, { notes }) {
    notes.push(word);
    return { text: `kept ${word}`, isFinal: word === "last" };
  },
};

const writes = (word: unknown): ModelAct => ({ tool: "note", args: { word } });
const fails = (
  reason: PlainStopReason,
  kind: "failed" | "overloaded" | "refused" | "timed-out" = "failed",
): ModelAct => ({
  ends: { kind, stopReason: { kind: reason } },
});
const SPENDS: ModelAct = { spends: { input: 1_000, output: 100 } };

/** Counts what was reserved and not settled. */
function watchedSpending(real: Spending) {
  let open = 0;
  const spending: Spending = {
    ...real,
    async reserve(usd, model) {
      const reserved = await real.reserve(usd, model);
      if (reserved.kind === "refused") return reserved;
      open++;
      const settle: Reservation["settle"] = (cost) => {
        open--;
        return reserved.settle(cost);
      };
      return { ...reserved, settle };
    },
  };
  return { spending, open: () => open };
}

type Scene = {
  readonly models: readonly Model[];
  readonly clock?: ReturnType<typeof testClock>;
  readonly spending?: Spending;
  readonly talk?: Partial<Talk<NoteContext>>;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ModelEvent, at: TalkState) => void;
};

async function talk({ models, clock = testClock(), spending = createMemorySpending(null), ...scene }: Scene) {
  const { signal = new AbortController().signal } = scene;
  const watched = watchedSpending(spending);
  const contexts: NoteContext[] = [];
  const ending = talkToModel<NoteContext>(
    {
      prompt: { system: "rules", user: "material", question: "why?" },
      tools: [note],
      open() {
        const context: NoteContext = {
          change: {
            kind: "diff",
            description: "",
            title: "",
            body: "",
            base: null,
            head: null,
            commits: [],
            files: [],
            notes: [],
          },
          repository: null,
          head: "working-tree",
          base: null,
          reader: createInProcessReader(),
          readChecks: null,
          code: null,
          guard: createGuard("f00dfeed"),
          signal,
          notes: [],
        };
        contexts.push(context);
        return context;
      },
      config: noConfig().root.values,
      timeoutMs: 100_000,
      maxTurns: 7,
      remind: () => "Go on.",
      words: { work: "talk", kept: "Nothing is kept.", hurry: "Hurry up." },
      ...scene.talk,
    },
    {
      models: {
        choice: {
          ...NO_MODELS.choice,
          choose: async () => ({
            models,
            noModel: models.length === 0 ? "unavailable" : null,
            problems: ["a key is missing"],
          }),
        },
        money: { openSpending: () => watched.spending, operatorPrices: NO_OPERATOR_PRICES },
      },
      now: clock.now,
      signal,
      onEvent: scene.onEvent ?? (() => {}),
    },
  );
  const end = await ending.finally(() => assert.equal(watched.open(), 0, "a reservation is open"));
  return { end, contexts };
}

async function ended(scene: Scene) {
  const { end, contexts } = await talk(scene);
  assert.ok(end.kind === "ended");
  return { ...end, contexts, code: stopCode(end.outcome.stopReason), notes: end.context.notes };
}

const PRICED = "openai:gpt-5";

test("the model gets the prompt, the tools and limits, and its final call ends the talk", async () => {
  const model = recordedModel(PRICED, [[SPENDS, writes("one"), writes("last"), writes("never")]]);
  const { outcome, notes, costUsd, said } = await ended({ models: [model] });
  assert.deepEqual([outcome.kind, outcome.stopReason.kind, outcome.model], ["completed", "finished", PRICED]);
  assert.deepEqual(notes, ["one", "last"]);
  assert.equal(said, "");
  assert.ok(costUsd !== null && costUsd > 0);
  const [task] = model.tasks;
  assert.deepEqual(task?.prompt, { system: "rules", user: "material", question: "why?" });
  assert.deepEqual(
    task?.tools.map(({ name }) => name),
    ["note"],
  );
  assert.deepEqual(task?.limits, {
    deadlineMs: 100_000,
    stallMs: 100_000,
    overloadMs: 25_000,
    maxTurns: 7,
    maxOutputTokens: 32_000,
  });
});

test("without a model it says why, and nothing is reserved", async () => {
  const { end, contexts } = await talk({ models: [] });
  assert.deepEqual(end, { kind: "no-model", reason: "unavailable", problems: ["a key is missing"] });
  assert.equal(contexts.length, 0);
});

for (const failure of [
  fails("connection-lost"),
  fails("overloaded", "overloaded"),
  fails("refusal", "refused"),
  fails("context-overflow"),
  fails("stalled", "timed-out"),
  { throws: "a defect" },
] satisfies readonly ModelAct[])
  test(`after ${JSON.stringify(failure)} the next model starts from nothing`, async () => {
    const first = recordedModel(PRICED, [[SPENDS, writes("half"), failure]]);
    const second = recordedModel("anthropic:claude-sonnet-4-5", [[SPENDS, writes("last")]]);
    const { outcome, notes, contexts, costUsd } = await ended({ models: [first, second] });
    assert.deepEqual([outcome.model, outcome.kind, notes], [second.id, "completed", ["last"]]);
    assert.equal(contexts.length, 2);
    // Tokens and costs are those of both, as far as they are known.
    assert.equal(outcome.tokens.input, 2_000);
    const alone = await ended({ models: [recordedModel(second.id, [[SPENDS, writes("last")]])] });
    assert.ok((costUsd ?? 0) > (alone.costUsd ?? 0));
  });

test("when all models fail, the last failure is reported", async () => {
  const models = [
    recordedModel(PRICED, [[fails("connection-lost")]]),
    recordedModel("b:y", [[fails("refusal", "refused")]]),
  ];
  const { outcome, code } = await ended({ models });
  assert.deepEqual([outcome.model, outcome.kind, code], ["b:y", "refused", "refusal"]);
});

test("a model at its deadline or turn limit leaves no time for another", async () => {
  for (const failure of [{ hangs: true } as const, fails("turn-limit")]) {
    const second = recordedModel("b:y", []);
    const { outcome } = await ended({ models: [recordedModel("a:x", [[failure]]), second] });
    assert.equal(outcome.model, "a:x");
    assert.equal(second.tasks.length, 0);
  }
});

test("the next model gets the remaining time, and none starts in the last seconds", async () => {
  const clock = testClock();
  const first = recordedModel("a:x", [[{ takesMs: 60_000 }, fails("connection-lost")]], clock);
  const second = recordedModel("b:y", [[{ takesMs: 39_000 }, fails("connection-lost")]], clock);
  const third = recordedModel("c:z", [], clock);
  await ended({ models: [first, second, third], clock });
  assert.equal(second.tasks[0]?.limits.deadlineMs, 40_000);
  assert.equal(third.tasks.length, 0);
});

test("a budget that is too low lets no model run", async () => {
  const model = recordedModel(PRICED, []);
  const spending = createMemorySpending({ name: "--budget-usd", usd: 0.000_1 });
  const { outcome, code, costUsd } = await ended({ models: [model], spending });
  assert.deepEqual(
    [outcome.kind, code, costUsd, model.tasks.length],
    ["stopped-by-budget", "over-budget", 0, 0],
  );
});

test("a budget that runs out stops the model, and a model without a price is passed over", async () => {
  const unpriced = recordedModel("a:unknown", []);
  const model = recordedModel(PRICED, [
    Array.from({ length: 50 }, () => ({ spends: { input: 50_000, output: 4_000 } })),
  ]);
  const spending = createMemorySpending({ name: "--budget-usd", usd: 0.5 });
  const { outcome, code, costUsd } = await ended({ models: [unpriced, model], spending });
  assert.deepEqual([outcome.model, outcome.kind, code], [PRICED, "stopped-by-budget", "over-budget"]);
  assert.ok(costUsd !== null && costUsd > 0.1 && costUsd <= 0.5);
  assert.equal(unpriced.tasks.length, 0);
});

test("the cost is unknown if a price is", async () => {
  const models = [
    recordedModel("a:unknown", [[SPENDS, fails("connection-lost")]]),
    recordedModel(PRICED, [[SPENDS]]),
  ];
  assert.equal((await ended({ models })).costUsd, null);
});

test("three malformed calls end the attempt, and the next model tries", async () => {
  const wrong = Array.from({ length: 4 }, (_, at) => writes(at));
  const first = recordedModel("a:x", [wrong]);
  const second = recordedModel("b:y", [[writes("last")]]);
  const { outcome } = await ended({ models: [first, second] });
  assert.equal(outcome.model, "b:y");
  assert.equal(first.answers[0]?.length, 3);
});

test("a stuck model is stopped in words that fit", async () => {
  const model = recordedModel("a:x", [[writes("same"), writes("same"), writes("same")]]);
  const { code } = await ended({ models: [model] });
  assert.equal(code, "repeated-tool-calls");
  const [, again, loop] = model.answers[0] ?? [];
  assert.match(again?.text ?? "", /A third identical call in a row ends the talk\./);
  assert.match(loop?.text ?? "", /so the talk ends here\. Nothing is kept\.$/);
});

test("when time is nearly up, the model is asked to finish in words that fit", async () => {
  const clock = testClock();
  const model = recordedModel(
    "a:x",
    [[writes("one"), { takesMs: 80_000 }, writes("two"), writes("last")]],
    clock,
  );
  await ended({ models: [model], clock });
  const [one, two] = model.answers[0] ?? [];
  assert.equal(one?.text, "kept one");
  assert.equal(two?.text, "kept two\n\nHurry up.");
});

test("a model that stops is reminded once per attempt, and its last words count", async () => {
  const asked: number[] = [];
  const remind = ({ notes }: NoteContext): string => {
    asked.push(notes.length);
    return "Go on.";
  };
  const first = recordedModel("a:x", [
    [
      { says: "First." },
      { stops: true },
      writes("one"),
      { says: "Second." },
      { stops: true },
      writes("never"),
    ],
  ]);
  const { outcome, said, notes } = await ended({ models: [first], talk: { remind } });
  assert.deepEqual([outcome.kind, outcome.stopReason.kind], ["completed", "end-of-turn"]);
  assert.deepEqual([said, notes, asked], ["Second.", ["one"], [0]]);
});

test("no reminder is needed where stopping is fine", async () => {
  const model = recordedModel("a:x", [[{ says: "Done." }, { stops: true }, writes("never")]]);
  const { said, notes } = await ended({ models: [model], talk: { remind: () => null } });
  assert.deepEqual([said, notes], ["Done.", []]);
});

test("an aborted talk rejects, and its reservation is settled", async () => {
  const controller = new AbortController();
  const model: Model = {
    id: PRICED,
    async run(task, signal) {
      await task.meter.admit({ inputTokens: 10, outputTokens: 10 });
      controller.abort(new Error("stop"));
      throw signal.reason;
    },
  };
  const spending = createMemorySpending(null);
  await assert.rejects(talk({ models: [model], signal: controller.signal, spending }), /stop/);
  assert.ok((await spending.spentUsd()) > 0, "a call that was cut off counts");
});

test("a failing database is a failure, not an answer", async () => {
  const spending: Spending = {
    ...createMemorySpending(null),
    reserve: () => Promise.reject(new Error("no database")),
  };
  await assert.rejects(talk({ models: [recordedModel(PRICED, [])], spending }), /no database/);
});

test("events name the model and its cost so far", async () => {
  const seen: string[] = [];
  await ended({
    models: [recordedModel(PRICED, [[SPENDS, writes("last")]])],
    onEvent: (event, { model, spentUsd }) =>
      seen.push(`${event.kind} ${model} ${spentUsd !== null && spentUsd > 0}`),
  });
  assert.deepEqual(seen, [`turn ${PRICED} false`, `turn ${PRICED} true`, `tool ${PRICED} true`]);
});

const said = (text: string): ModelEvent => ({ kind: "said", text, thinking: "" });
const TURN: ModelEvent = { kind: "turn", turn: 1 };
const CALL: ModelEvent = { kind: "tool", name: "x" };

for (const [events, expected] of [
  [[], ""],
  [[TURN, said("a")], "a"],
  [[TURN, said("look"), CALL], ""],
  [[TURN, CALL, said("look")], ""],
  [[TURN, said("a"), TURN, said("look"), CALL], "a"],
  [[TURN, said("a"), TURN, said(" ")], "a"],
  [[TURN, said("a"), TURN, said("b")], "b"],
  [[TURN, said("cut of"), said("cut off, again")], "cut off, again"],
] satisfies readonly (readonly [readonly ModelEvent[], string])[])
  test(`last words of ${JSON.stringify(events.map((event) => (event.kind === "said" ? event.text : event.kind)))}`, () => {
    const listener = createListener();
    for (const event of events) listener.hear(event);
    assert.equal(listener.said(), expected);
  });
