/** A run without tools: one answer, which is watched while it arrives. */
import assert from "node:assert/strict";
import type { StreamedPiece } from "../../../src/model/model.ts";
import type { Fault } from "../model-server/script.ts";
import type { Behaviour } from "./behaviour.ts";
import { until } from "./scene.ts";

const ANSWER = { thinking: "It may be null ✓, or missing altogether.", text: "No: `a` is checked before. ✓" };

const PROMPT = { system: "You answer.", user: "Here is the pack.", question: "Is it safe?" };

const ONE = { isWithoutTools: true, prompt: PROMPT } as const;

const joined = (pieces: readonly StreamedPiece[], wanted: StreamedPiece["kind"]): string =>
  pieces.map(({ kind, delta }) => (kind === wanted ? delta : "")).join("");

export const ONE_ANSWER: readonly Behaviour[] = [
  {
    name: "without tools the run is one answer, and its pieces are reported as they arrive",
    isMain: true,
    async check({ server, run }) {
      const task = run([ANSWER], ONE);
      const outcome = await task.outcome;
      assert.deepEqual([outcome.kind, outcome.stopReason], ["completed", { kind: "end-of-turn" }]);
      assert.equal(joined(task.pieces, "thinking"), ANSWER.thinking);
      assert.equal(joined(task.pieces, "text"), ANSWER.text);
      const counts = task.pieces.map(({ outputTokens }) => outputTokens);
      assert.deepEqual(
        counts,
        counts.toSorted((a, b) => a - b),
      );
      assert.ok((counts.at(-1) ?? 0) > 0);
      assert.deepEqual([server.requests.length, server.requests[0]?.tools], [1, []]);
    },
  },
  {
    name: "the question reaches the provider after the prompt",
    isMain: true,
    async check({ server, run }) {
      await run([ANSWER], ONE).outcome;
      const sent = JSON.stringify(server.requests[0]?.body);
      assert.ok(sent.includes(PROMPT.user) && sent.indexOf(PROMPT.user) < sent.indexOf(PROMPT.question));
    },
  },
  {
    name: "pieces are reported before the answer is complete",
    isMain: true,
    async check({ run }) {
      const task = run([{ ...ANSWER, faults: [{ kind: "stall", times: "always" }] }], ONE);
      await until(() => joined(task.pieces, "text") === ANSWER.text);
      task.abort(new Error("seen"));
      await assert.rejects(task.outcome, /seen/);
    },
  },
  {
    name: "one answer is requested again before its first event",
    isMain: true,
    async check({ server, run }) {
      const task = run([{ ...ANSWER, faults: [{ kind: "status", status: 529 }] }], ONE);
      assert.equal((await task.outcome).kind, "completed");
      assert.equal(server.requests.length, 2);
      assert.equal(joined(task.pieces, "text"), ANSWER.text);
    },
  },
  {
    name: "one answer that breaks off is a failure, and is not requested again",
    isMain: true,
    async check({ run }) {
      for (const fault of [{ kind: "cut" }, { kind: "error-event" }] satisfies readonly Fault[]) {
        const task = run([{ ...ANSWER, faults: [fault] }], {
          ...ONE,
          prompt: { ...PROMPT, user: fault.kind },
        });
        const outcome = await task.outcome;
        assert.equal(outcome.kind, "failed", fault.kind);
        // Claude's program may have sent its next request by the time it's stopped, but none is admitted.
        assert.equal(task.admissions.length, 1, fault.kind);
        assert.equal(joined(task.pieces, "text"), ANSWER.text);
        assert.equal(task.added.length, 1);
      }
    },
  },
  {
    name: "one answer that reaches its limit is a failure with its pieces",
    isMain: true,
    async check({ run }) {
      const task = run([{ ...ANSWER, stop: "length" }], ONE);
      assert.deepEqual((await task.outcome).stopReason, { kind: "output-limit" });
      assert.equal(joined(task.pieces, "text"), ANSWER.text);
      // As above: Claude's program may have sent its next request.
      assert.equal(task.admissions.length, 1);
    },
  },
];
