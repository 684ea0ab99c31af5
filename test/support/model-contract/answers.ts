/** How adapters handle answers: tool calls, arguments, texts, and the ways in which a model can finish. */
import assert from "node:assert/strict";
import type { ModelEvent } from "../../../src/model/model.ts";
import type { ModelTurn } from "../model-server/script.ts";
import { forever } from "../model-server/script.ts";
import type { Behaviour } from "./behaviour.ts";
import { KEY } from "./scene.ts";

const isSecondTurn = (event: ModelEvent): boolean => event.kind === "turn" && event.turn === 2;

export const record = (title: string): ModelTurn => ({
  toolCalls: [{ name: "record_finding", args: { title } }],
});

export const FINISH: ModelTurn = { toolCalls: [{ name: "finish_review", args: { title: "all done" } }] };

const NO_JSON: ModelTurn = { toolCalls: [{ name: "record_finding", args: '{"title": "a' }] };

export const ANSWERS: readonly Behaviour[] = [
  {
    name: "tools are called in order, finishing makes no further call to the provider, usage is summed",
    isMain: true,
    async check({ server, model, run }) {
      const usage = { input: 200, cachedInput: 50, output: 20 };
      const task = run([
        { text: "I look.", ...record("a"), usage },
        { ...record("b"), usage },
        { ...FINISH, usage },
      ]);
      const outcome = await task.outcome;
      assert.equal(outcome.kind, "completed");
      assert.deepEqual(outcome.stopReason, { kind: "finished" });
      assert.equal(outcome.model, model.id);
      assert.equal(outcome.turns, 3);
      assert.deepEqual(outcome.tokens, { input: 600, cachedInput: 150, output: 60 });
      assert.ok(outcome.ms > 0);
      assert.deepEqual(task.calls, [
        { name: "record_finding", args: { title: "a" } },
        { name: "record_finding", args: { title: "b" } },
        { name: "finish_review", args: { title: "all done" } },
      ]);
      assert.equal(server.requests.length, 3);
      assert.deepEqual(server.requests[2]?.toolResults, ["recorded", "recorded"]);
    },
  },
  {
    name: "the provider gets the prompt, the tools and the key, and the outcome does not have it",
    isMain: true,
    async check({ server, run }) {
      const outcome = await run([FINISH]).outcome;
      const [request] = server.requests;
      assert.match(request?.system ?? "", /You review changes\./);
      assert.match(request?.prompt ?? "", /Here is the change\./);
      assert.equal(request?.key, KEY);
      // A program may use another order.
      assert.deepEqual(request?.tools.map((name) => name.replace(/^.*__/, "")).toSorted(), [
        "finish_review",
        "give_up",
        "record_finding",
      ]);
      assert.doesNotMatch(JSON.stringify(outcome), new RegExp(KEY));
    },
  },
  {
    name: "several calls in one answer are all made, and answered in order",
    isMain: true,
    async check({ server, run }) {
      const both = {
        toolCalls: [...(record("a").toolCalls ?? []), { name: "record_finding", args: { wrong: 1 } }],
      };
      const task = run([both, FINISH]);
      assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
      assert.deepEqual(
        task.calls.map(({ name }) => name),
        ["record_finding", "record_finding", "finish_review"],
      );
      const [first, second] = server.requests[1]?.toolResults ?? [];
      assert.equal(first, "recorded");
      assert.match(second ?? "", /title is missing/);
    },
  },
  {
    name: "turns and tools are reported as they come",
    isMain: true,
    async check({ run }) {
      const task = run([record("a"), FINISH]);
      await task.outcome;
      assert.deepEqual(task.events, [
        { kind: "turn", turn: 1 },
        { kind: "tool", name: "record_finding" },
        { kind: "turn", turn: 2 },
        { kind: "tool", name: "finish_review" },
      ]);
    },
  },
  {
    name: "the model's text and thoughts are reported with each answer",
    isMain: true,
    async check({ run }) {
      const thoughtful = { ...record("a"), thinking: "It may be null ✓", text: "I record it." };
      const task = run([thoughtful, FINISH]);
      await task.outcome;
      const said = task.events.filter(({ kind }) => kind === "said");
      assert.deepEqual(said, [{ kind: "said", text: "I record it.", thinking: "It may be null ✓" }]);
      assert.ok(
        task.events.indexOf(said[0] ?? { kind: "turn", turn: 0 }) < task.events.findIndex(isSecondTurn),
      );
    },
  },
  {
    name: "arguments that are no JSON reach the tool as text, and the model hears of it",
    async check({ server, run }) {
      const task = run([NO_JSON, FINISH]);
      assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
      assert.deepEqual(task.calls[0], { name: "record_finding", args: '{"title": "a' });
      assert.equal(server.requests[1]?.toolResults.length, 1);
    },
  },
  {
    name: "what a tool says about arguments that are no JSON is what the model hears",
    async check({ server, run }) {
      assert.deepEqual((await run([NO_JSON, FINISH]).outcome).stopReason, { kind: "finished" });
      assert.match(server.requests[1]?.toolResults[0] ?? "", /title is missing/);
    },
  },
  {
    name: "arguments that no schema allows reach the tool as they are",
    async check({ run }) {
      const task = run([
        { toolCalls: [{ name: "record_finding", args: { title: 7, more: [null] } }] },
        FINISH,
      ]);
      assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
      assert.deepEqual(task.calls[0]?.args, { title: 7, more: [null] });
    },
  },
  {
    name: "a tool that ends the run gives its kind and reason",
    async check({ server, run }) {
      const outcome = await run(forever({ toolCalls: [{ name: "give_up", args: { title: "x" } }] })).outcome;
      assert.equal(outcome.kind, "failed");
      assert.deepEqual(outcome.stopReason, { kind: "malformed-tool-calls" });
      assert.equal(server.requests.length, 1);
    },
  },
  {
    name: "an unknown tool is an error for the model, and the run goes on",
    isMain: true,
    async check({ server, run }) {
      const stray = { toolCalls: [{ name: "Bash", args: { command: "id" } }] };
      const task = run([stray, record("a"), FINISH]);
      assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
      assert.deepEqual(
        task.calls.map(({ name }) => name),
        ["record_finding", "finish_review"],
      );
      assert.match(server.requests[1]?.toolResults[0] ?? "", /Bash/);
    },
  },
  {
    name: "unknown tools, three times in a row, end the run",
    isMain: true,
    async check({ server, run }) {
      // Calls in one answer count once, because the model hasn't seen the results.
      const bash = { name: "Bash", args: { command: "id" } };
      const stray: ModelTurn = { toolCalls: [bash, { ...bash, name: "Write" }, bash, bash] };
      const task = run(({ turn }) => (turn === 2 ? record("a") : stray));
      const outcome = await task.outcome;
      assert.deepEqual([outcome.kind, outcome.stopReason], ["failed", { kind: "malformed-tool-calls" }]);
      assert.equal(server.requests.length, 6);
      assert.equal(task.calls.length, 1);
    },
  },
  {
    name: "a text without calls is the end of the turn",
    isMain: true,
    async check({ run }) {
      const outcome = await run([record("a"), { text: "That is all." }]).outcome;
      assert.equal(outcome.kind, "completed");
      assert.deepEqual(outcome.stopReason, { kind: "end-of-turn" });
      assert.equal(outcome.turns, 2);
    },
  },
  {
    name: "a model that stops gets the task's reminder, and goes on",
    isMain: true,
    async check({ server, run }) {
      const reminders = ["You have not finished: ✓ first.", null];
      const task = run([record("a"), { text: "All good." }, record("b"), FINISH], {
        remind: () => reminders.shift() ?? null,
      });
      const outcome = await task.outcome;
      assert.deepEqual(
        [outcome.kind, outcome.stopReason, outcome.turns],
        ["completed", { kind: "finished" }, 4],
      );
      assert.deepEqual(
        task.calls.map(({ name }) => name),
        ["record_finding", "record_finding", "finish_review"],
      );
      const sent = server.requests.map(({ body }) => JSON.stringify(body));
      assert.deepEqual(
        sent.map((body) => body.includes("You have not finished: ✓ first.")),
        [false, false, true, true],
      );
      assert.ok(sent[2]?.includes("All good."), "its own words are still there");
      assert.deepEqual([task.admissions.length, task.added.length], [4, 4], "the turn was paid for");
    },
  },
  {
    name: "a model that stops again after a reminder has ended by itself",
    isMain: true,
    async check({ server, run }) {
      const reminders = ["You have not finished.", null];
      const outcome = await run([record("a"), { text: "All good." }, { text: "All good." }], {
        remind: () => reminders.shift() ?? null,
      }).outcome;
      assert.deepEqual(
        [outcome.kind, outcome.stopReason, outcome.turns],
        ["completed", { kind: "end-of-turn" }, 3],
      );
      assert.equal(server.requests.length, 3);
    },
  },
  {
    name: "an empty first answer is a failure",
    isMain: true,
    async check({ run }) {
      const outcome = await run([{ text: "" }]).outcome;
      assert.equal(outcome.kind, "failed");
      assert.deepEqual(outcome.stopReason, { kind: "empty-answer" });
    },
  },
  {
    name: "an empty answer after tool calls is the end of the turn",
    async check({ run }) {
      const outcome = await run([record("a"), { text: "" }]).outcome;
      assert.equal(outcome.kind, "completed");
      assert.deepEqual(outcome.stopReason, { kind: "end-of-turn" });
    },
  },
  {
    name: "a refusal is reported as one",
    isMain: true,
    async check({ run }) {
      const outcome = await run([{ text: "I cannot help with that.", stop: "refusal" }]).outcome;
      assert.equal(outcome.kind, "refused");
      assert.deepEqual(outcome.stopReason, { kind: "refusal" });
      assert.equal(outcome.turns, 1);
    },
  },
  {
    name: "an answer that reaches its limit without a call is a failure",
    async check({ run }) {
      const outcome = await run([{ text: "I think and think", stop: "length" }]).outcome;
      assert.equal(outcome.kind, "failed");
      assert.deepEqual(outcome.stopReason, { kind: "output-limit" });
    },
  },
  {
    name: "an answer that reaches its limit within a call goes on after the calls that are whole",
    async check({ server, run }) {
      const cut: ModelTurn = {
        toolCalls: [...(record("a").toolCalls ?? []), ...(NO_JSON.toolCalls ?? [])],
        stop: "length",
      };
      const task = run([cut, FINISH]);
      assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
      assert.deepEqual(
        task.calls.map(({ args }) => args),
        [{ title: "a" }, { title: "all done" }],
      );
      assert.equal(server.requests[1]?.toolResults[0], "recorded");
    },
  },
  {
    name: "an answer that reaches its limit within its only call is a failure",
    async check({ run }) {
      const task = run([{ ...NO_JSON, stop: "length" }]);
      const outcome = await task.outcome;
      assert.deepEqual([outcome.kind, outcome.stopReason], ["failed", { kind: "output-limit" }]);
      assert.deepEqual(task.calls, []);
    },
  },
  {
    name: "a refusal after a call keeps what was recorded",
    isMain: true,
    async check({ run }) {
      const task = run([{ ...record("a"), text: "No.", stop: "refusal" }]);
      assert.equal((await task.outcome).kind, "refused");
      assert.equal(task.calls.length, 1);
    },
  },
  {
    name: "characters that are cut in two on the way are whole again",
    isMain: true,
    async check({ run }) {
      const title = "Grüße 🦊 漢字 \u{10ffff} e\u0301";
      const task = run([{ text: title, ...record(title), splitBytes: 5 }, FINISH]);
      assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
      assert.deepEqual(task.calls[0]?.args, { title });
    },
  },
  {
    name: "a very long answer is read to its end",
    async check({ run }) {
      const title = "x".repeat(300_000);
      const task = run([record(title), FINISH]);
      assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
      assert.deepEqual(task.calls[0]?.args, { title });
    },
  },
];
