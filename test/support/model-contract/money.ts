/** Money: the meter admits every call, and every cost is reported to it. */
import assert from "node:assert/strict";
import type { Tokens } from "../../../src/model/model.ts";
import type { ModelTurn } from "../model-server/script.ts";
import { FINISH, record } from "./answers.ts";
import type { Behaviour } from "./behaviour.ts";

const isSound = ({ input, cachedInput, output }: Tokens): boolean =>
  [input, cachedInput, output].every((count) => Number.isSafeInteger(count) && count >= 0) &&
  cachedInput <= input;

export const MONEY: readonly Behaviour[] = [
  {
    name: "without leave of the meter no call is made",
    isMain: true,
    async check({ server, run }) {
      const outcome = await run([record("a")], { admit: () => 0 }).outcome;
      assert.equal(outcome.kind, "stopped-by-budget");
      assert.deepEqual(outcome.stopReason, { kind: "budget-exhausted" });
      assert.equal(outcome.turns, 0);
      assert.deepEqual(outcome.tokens, { input: 0, cachedInput: 0, output: 0 });
      assert.equal(server.requests.length, 0);
    },
  },
  {
    name: "an answer gets the room that the meter allows",
    isMain: true,
    async check({ server, run }) {
      const task = run([record("a"), FINISH], { admit: () => 600 });
      assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
      assert.equal(server.requests.length, 2);
      for (const { body } of server.requests) assert.match(JSON.stringify(body), /"max\w*tokens":600\b/i);
    },
  },
  {
    name: "a budget that ends later ends the run, and what was recorded stays",
    async check({ server, run }) {
      const task = run([record("a"), record("b"), FINISH], {
        admit: (count, outputTokens) => (count < 3 ? outputTokens : 0),
      });
      const outcome = await task.outcome;
      assert.equal(outcome.kind, "stopped-by-budget");
      assert.equal(server.requests.length, 2);
      assert.equal(task.calls.length, 2);
    },
  },
  {
    name: "the meter is asked before each call, for more as the conversation grows, and hears what each cost",
    isMain: true,
    async check({ run }) {
      const user = "line of a diff\n".repeat(1_000);
      const usage = { input: 4_300, cachedInput: 300, output: 40 };
      const task = run([{ ...record("y".repeat(700)), usage }, FINISH], {
        prompt: { system: "You review changes.", user },
      });
      const { tokens } = await task.outcome;
      const [first, second] = task.admissions;
      assert.equal(task.admissions.length, 2);
      // An estimate that is too high rather than too low.
      assert.ok(
        (first?.inputTokens ?? 0) > 4_000 && (first?.inputTokens ?? 0) < 8_000,
        String(first?.inputTokens),
      );
      assert.equal(first?.outputTokens, 1_000);
      assert.ok((second?.inputTokens ?? 0) >= (first?.inputTokens ?? 0) + 200);
      assert.deepEqual(task.added, [usage, { input: 100, cachedInput: 0, output: 10 }]);
      assert.deepEqual(tokens, { input: 4_400, cachedInput: 300, output: 50 });
    },
  },
  {
    name: "what a provider does not count is estimated",
    isMain: true,
    async check({ run }) {
      const user = "line of a diff\n".repeat(1_000);
      const options = { prompt: { system: "You review changes.", user } };
      const task = run([{ text: "word ".repeat(100), ...record("a"), usage: "none" }, FINISH], options);
      const { tokens } = await task.outcome;
      const [first] = task.added;
      assert.ok(first !== undefined && isSound(first) && isSound(tokens));
      assert.ok(first.input > 3_000 && first.input < 8_000, String(first.input));
      assert.ok(first.output > 100 && first.output < 400, String(first.output));
    },
  },
  {
    name: "a language of many tokens is set aside for and counted by these, and not by its characters",
    isMain: true,
    async check({ run }) {
      // At most 50 tokens, and 43 characters.
      const article =
        "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。";
      const prompt = { system: "You review changes.", user: article.repeat(200) };
      const said: ModelTurn = { text: article.repeat(10), ...record("a"), usage: "none" };
      const task = run([said, { ...record(article.repeat(10)), usage: "none" }, FINISH], { prompt });
      await task.outcome;
      const [first, second, third] = task.admissions.map(({ inputTokens }) => inputTokens);
      assert.ok((first ?? 0) >= 10_000 && (first ?? 0) < 20_000, `${first} set aside`);
      assert.ok((second ?? 0) >= (first ?? 0) + 500, `${second} set aside for the second call`);
      assert.ok((third ?? 0) >= (second ?? 0) + 500, `${third} set aside for the third call`);
      const [counted] = task.added;
      assert.ok((counted?.input ?? 0) >= 10_000, `${counted?.input} counted`);
      assert.ok(
        (counted?.output ?? 0) >= 500 && (counted?.output ?? 0) < 1_500,
        `${counted?.output} counted`,
      );
    },
  },
  {
    name: "calls that were refused cost nothing",
    async check({ run }) {
      const task = run([{ ...FINISH, faults: [{ kind: "status", status: 529 }] }]);
      await task.outcome;
      assert.deepEqual(task.added, [{ input: 100, cachedInput: 0, output: 10 }]);
    },
  },
];
