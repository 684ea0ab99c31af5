import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import type { Tokens } from "../model.ts";
import { NO_STRAY_CALLS } from "../../../test/support/no-stray-calls.ts";
import { startAgentRun } from "./agent-run.ts";

const OF_SESSION = { uuid: randomUUID(), session_id: "s" };

const REQUESTING: SDKMessage = { type: "system", subtype: "status", status: "requesting", ...OF_SESSION };

const THINKING: SDKMessage = {
  type: "system",
  subtype: "thinking_tokens",
  estimated_tokens: 100,
  estimated_tokens_delta: 100,
  ...OF_SESSION,
};

const retry = (status: number | null, delayMs: number): SDKMessage => ({
  type: "system",
  subtype: "api_retry",
  attempt: 1,
  max_retries: 10,
  retry_delay_ms: delayMs,
  error_status: status,
  error: "unknown",
  ...OF_SESSION,
});

function startRun(): ReturnType<typeof startAgentRun> & { readonly added: readonly Tokens[] } {
  const added: Tokens[] = [];
  const run = startAgentRun({
    prompt: { system: "s", user: "u" },
    tools: [],
    strayCalls: NO_STRAY_CALLS,
    limits: { deadlineMs: 60_000, stallMs: 1_000, overloadMs: 5_000, maxTurns: 3, maxOutputTokens: 10 },
    meter: { admit: async ({ outputTokens }) => outputTokens, add: (tokens) => void added.push(tokens) },
    onEvent: () => {},
  });
  return { ...run, added };
}

test("a model that thinks in secret has not stalled, and one that then falls silent has", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const run = startRun();
  let isEnded = false;
  void run.ended.then(() => (isEnded = true));
  run.onMessage(REQUESTING);
  for (let beat = 0; beat < 5; beat++) {
    context.mock.timers.tick(900);
    run.onMessage(THINKING);
  }
  await Promise.resolve();
  assert.equal(isEnded, false);
  context.mock.timers.tick(1_000);
  assert.deepEqual(await run.ended, { kind: "timed-out", stopReason: { kind: "stalled" } });
  run.stop();
});

test("the wait before the next attempt is no silence", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const run = startRun();
  run.onMessage(REQUESTING);
  run.onMessage(retry(529, 4_000));
  context.mock.timers.tick(4_900);
  run.onMessage(retry(529, 6_000));
  assert.deepEqual(await run.ended, { kind: "overloaded", stopReason: { kind: "http-error", status: 529 } });
  assert.deepEqual(run.stop(), { turns: 0, tokens: { input: 0, cachedInput: 0, output: 0 } });
  assert.deepEqual(run.added, []);
});

test("a refusal that will stay is not asked about again", async () => {
  const run = startRun();
  run.onMessage(retry(401, 500));
  assert.deepEqual(await run.ended, { kind: "failed", stopReason: { kind: "http-error", status: 401 } });
  run.stop();
});
