/** Files that are too large to be read: data is listed and doesn't block a commit, source and configuration make a review incomplete. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { runKodiai } from "../support/run-kodiai.ts";
import { manyLines, JSON_TEXT, stage, HOOK, stageWithHook } from "../support/data-file-fixtures.ts";

const CSV = `${manyLines((index) => `${index},${"0123456789".repeat(12)}`)}\n`;

const SOURCE = `${manyLines((index) => `export const value${index} = ${index};`)}\n`;

test("large data is listed with the reason, and the review is complete", async (t) => {
  const data = { "data/cities.csv": CSV, "data/cities.json": JSON_TEXT, "logs/server.log": CSV };
  const made = stage(t, { ...data, "src/a.ts": "export const a = 1;\n" });
  const { code, stdout } = await runKodiai([...HOOK, "--format", "json"], { cwd: made.path });
  const { receipt, verdict } = JSON.parse(stdout);
  assert.deepEqual([code, verdict.outcome, receipt.coverage.isComplete], [0, "clean", true]);
  assert.deepEqual(
    receipt.files.map(({ path, status, reason }: Record<string, string>) => [path, status, reason ?? null]),
    [...Object.keys(data).map((path) => [path, "unreviewable", "data-file"]), ["src/a.ts", "reviewed", null]],
  );
  const terminal = await runKodiai([...HOOK, "--no-memory"], { cwd: made.path });
  const words = terminal.stdout.replaceAll(/\s+/g, " ");
  assert.match(words, /Skipped [\d,]+ lines in 3 files \(data, too large to be read\): .*data\/cities\.csv/);
  assert.match(words, /Kodiai didn't read it, not even for secrets\./);
  assert.match(words, /No findings in 1 of 4 files/);
});

test("the documented hook lets a commit of large data pass, and stops source that it couldn't read", async (t) => {
  const { made, commit, assertStopped } = stageWithHook(t, {
    "data/cities.csv": CSV,
    "data/cities.json": JSON_TEXT,
  });
  const passed = commit();
  assert.equal(passed.status, 0, passed.stderr);
  assert.match(execFileSync("git", ["log", "--format=%s"], { cwd: made.path, encoding: "utf8" }), /^data$/m);
  assertStopped("src/values.ts", SOURCE);
});
