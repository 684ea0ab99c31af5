/** Answers with very many tool calls take linear time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelTurn } from "../support/model-server/script.ts";
import { aiSdkScene } from "../support/model-contract/ai-sdk-scene.ts";

const FINISH: ModelTurn = { toolCalls: [{ name: "finish_review", args: { title: "b" } }] };

/** Enough that something quadratic takes most of the time. */
const MANY_CALLS = 8_000;

const FEW_CALLS = 1_000;

test("an answer with many tool calls takes time in proportion to their number", async (context) => {
  const { run } = await aiSdkScene(context, "compatible");
  const cpuOf = async (count: number, user: string): Promise<number> => {
    const toolCalls = Array.from({ length: count }, (_, index) => ({
      name: "record_finding",
      args: { title: `finding ${index}` },
    }));
    const before = process.cpuUsage();
    const task = run([{ toolCalls }, FINISH], { prompt: { system: "s", user } });
    assert.deepEqual((await task.outcome).stopReason, { kind: "finished" });
    const used = process.cpuUsage(before);
    assert.deepEqual(
      task.calls.slice(0, count).map(({ args }) => args),
      toolCalls.map(({ args }) => args),
    );
    return used.user + used.system;
  };
  await cpuOf(FEW_CALLS, "to compile the code");
  const few = await cpuOf(FEW_CALLS, "few");
  const many = await cpuOf(MANY_CALLS, "many");
  const ratio = many / few;
  assert.ok(ratio < (2 * MANY_CALLS) / FEW_CALLS, `${ratio.toFixed(1)}× the time of an eighth of the calls`);
});
