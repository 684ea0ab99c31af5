/** Recordings: a review is recorded, everything it had is taken away, and it comes to the same again. */
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { copyOfUsual, replay, type Json } from "../support/replay-fixtures.ts";

test("replay: a recorded review comes to the same without repository and provider, field by field", async (t) => {
  const { folder, file, reviewed, server } = await copyOfUsual(t);
  assert.equal(reviewed.code, 0, reviewed.stderr);
  assert.match(reviewed.stderr, /wrote the recording to .*review\.json/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(server.requests.length, 6);
  const replayed = await replay(folder, [file, "--format", "json"]);
  assert.equal(replayed.code, 0, replayed.stdout + replayed.stderr);
  const { isSame, differences, remarks, review } = JSON.parse(replayed.stdout) as Json;
  assert.deepEqual({ isSame, differences, remarks }, { isSame: true, differences: [], remarks: [] });
  assert.deepEqual(review, JSON.parse(reviewed.stdout));
  const text = await replay(folder, [file]);
  assert.match(text.stdout, /Callers cannot await it/);
  assert.match(text.stdout, /The result is the same\.\n$/);
  assert.doesNotMatch(text.stdout, /System prompt/);
  const prompts = await replay(folder, [file, "--show-prompt"]);
  assert.match(prompts.stdout, /=== System prompt 1 of 2, compatible:scripted\n/);
  assert.match(prompts.stdout, /src\/users\.ts/);
});
