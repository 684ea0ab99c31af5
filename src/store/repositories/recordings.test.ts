import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { deleteRecordingsBefore, readRecording, saveRecording } from "./recordings.ts";

for (const engine of ENGINES) {
  test(`${engine.name}: a recording is stored compressed, read unchanged, and replaced by a newer one`, () =>
    withStore(engine, async ({ database }) => {
      const content = {
        prompt: "line\n".repeat(100_000),
        turns: [{ text: "\u{1f99d} \0 \ud800", n: 1.5 }],
        none: null,
      };
      const runId = 5_000_000_001;
      assert.equal(await readRecording(runId, database), null);
      assert.equal(await saveRecording({ runId, at: 100, content }, database), true);
      assert.deepEqual(await readRecording(runId, database), { runId, at: 100, content });
      const [size] = await database.query<{ bytes: number }>(
        "select octet_length(body) as bytes from recordings",
      );
      assert.ok((size?.bytes ?? Infinity) < 10_000);
      await saveRecording({ runId, at: 200, content: "newer" }, database);
      assert.deepEqual(await readRecording(runId, database), { runId, at: 200, content: "newer" });
    }));

  test(`${engine.name}: a recording that is too large even when compressed isn't stored`, () =>
    withStore(engine, async ({ database }) => {
      // Base64 holds three quarters of a byte per character, so this is 9 MB that compress no further.
      const noise = randomBytes(9_000_000).toString("base64");
      assert.equal(await saveRecording({ runId: 1, at: 1, content: noise }, database), false);
      assert.equal(await readRecording(1, database), null);
      const fits = randomBytes(5_000_000).toString("base64");
      assert.equal(await saveRecording({ runId: 1, at: 1, content: fits }, database), true);
      assert.equal((await readRecording(1, database))?.content, fits);
    }));

  test(`${engine.name}: old recordings are deleted, and the error for a damaged one has a hint`, () =>
    withStore(engine, async ({ database }) => {
      for (const [runId, at] of [
        [1, 99],
        [2, 100],
      ] as const)
        await saveRecording({ runId, at, content: [] }, database);
      assert.equal(await deleteRecordingsBefore(100, database), 1);
      assert.equal(await readRecording(1, database), null);
      await database.query("update recordings set body = $1", [new Uint8Array([1, 2, 3])]);
      await assert.rejects(readRecording(2, database), { code: "database", hint: /backup/ });
    }));
}
