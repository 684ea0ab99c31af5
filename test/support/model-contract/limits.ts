/** Limits: aborting, the deadline, silence, and the number of turns. Recorded findings are kept. */
import assert from "node:assert/strict";
import { forever } from "../model-server/script.ts";
import { record } from "./answers.ts";
import type { Behaviour } from "./behaviour.ts";
import { SILENCE_MS, until } from "./scene.ts";

/** Takes minutes and keeps sending. */
const TRICKLE = { text: "word ".repeat(2_000), pauseMs: 500 } as const;

const STALL = { text: "half of", faults: [{ kind: "stall", times: "always" }] } as const;

export const TIME: readonly Behaviour[] = [
  {
    name: "aborted in the middle of an answer it rejects with the reason, and leaves the provider",
    isMain: true,
    async check({ server, run }) {
      const task = run([record("a"), TRICKLE]);
      await until(() => (server.requests[1]?.sentPieces() ?? 0) > 3);
      const reason = new Error("no longer wanted");
      task.abort(reason);
      await assert.rejects(task.outcome, (error) => error === reason);
      assert.equal(task.calls.length, 1);
      await until(() => server.requests[1]?.end() === "left");
    },
  },
  {
    name: "aborted before it begins it rejects, and calls no provider",
    async check({ server, run }) {
      const reason = new Error("too late");
      await assert.rejects(
        run([record("a")], { signal: AbortSignal.abort(reason) }).outcome,
        (error) => error === reason,
      );
      assert.equal(server.requests.length, 0);
    },
  },
  {
    name: "aborted while it waits for an overloaded provider it rejects with the reason",
    async check({ server, run }) {
      // The agent program doesn't wait for minutes: it gives up at once.
      const faults = [{ kind: "status", status: 429, retryAfterSeconds: 30, times: "always" }] as const;
      const task = run([{ faults }]);
      await until(() => server.requests.length > 0);
      const reason = new Error("no longer wanted");
      task.abort(reason);
      await assert.rejects(task.outcome, (error) => error === reason);
    },
  },
  {
    name: "the deadline ends an answer that never ends",
    isMain: true,
    async check({ run }) {
      // Long enough for a program to start and the first answer to arrive on a busy machine.
      const task = run([record("a"), TRICKLE], { limits: { deadlineMs: 15_000 } });
      const outcome = await task.outcome;
      assert.equal(outcome.kind, "timed-out");
      assert.deepEqual(outcome.stopReason, { kind: "deadline" });
      assert.equal(task.calls.length, 1);
      assert.equal(outcome.turns, 2);
      // The call that was cut off still cost something.
      assert.equal(task.added.length, 2);
    },
  },
  {
    name: "a provider that falls silent in the middle has stalled",
    isMain: true,
    async check({ run }) {
      const task = run([record("a"), STALL], { limits: { stallMs: SILENCE_MS } });
      const outcome = await task.outcome;
      assert.equal(outcome.kind, "timed-out");
      assert.deepEqual(outcome.stopReason, { kind: "stalled" });
      assert.equal(task.calls.length, 1);
      assert.equal(task.added.length, 2);
    },
  },
  {
    name: "a provider that takes a request and never answers has stalled",
    isMain: true,
    async check({ run }) {
      const faults = [{ kind: "silence", times: "always" }] as const;
      const outcome = await run([{ faults }], { limits: { stallMs: 600 } }).outcome;
      assert.equal(outcome.kind, "timed-out");
      assert.deepEqual(outcome.stopReason, { kind: "stalled" });
      assert.equal(outcome.turns, 0);
    },
  },
  {
    name: "a slow answer that is never silent has not stalled",
    async check({ run }) {
      const slow = { ...record("a"), text: "word ".repeat(200), pauseMs: 150 };
      const task = run([slow], { limits: { stallMs: SILENCE_MS } });
      assert.deepEqual((await task.outcome).stopReason, { kind: "end-of-turn" });
      assert.ok(task.elapsedMs() > SILENCE_MS);
    },
  },
  {
    name: "a model that never finishes is stopped by the turn limit",
    async check({ server, run }) {
      const task = run(forever(record("again")), { limits: { maxTurns: 3 } });
      const outcome = await task.outcome;
      assert.equal(outcome.kind, "failed");
      assert.deepEqual(outcome.stopReason, { kind: "turn-limit" });
      assert.equal(server.requests.length, 3);
      assert.equal(task.calls.length, 3);
    },
  },
];
