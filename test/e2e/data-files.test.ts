/** Files that are too large to be read: data is listed and doesn't block a commit, source and configuration make a review incomplete. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { BIN } from "../support/built-program.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

/** More lines than a diff may have. */
const LINES = 21_000;

const manyLines = (lineOf: (index: number) => string): string =>
  Array.from({ length: LINES }, (_, index) => lineOf(index)).join("\n");

const CSV = `${manyLines((index) => `${index},${"0123456789".repeat(12)}`)}\n`;
const JSON_TEXT = `[\n${manyLines((index) => `  { "id": ${index}, "name": "${"abc".repeat(20)}" },`)}\n{}]\n`;
const SOURCE = `${manyLines((index) => `export const value${index} = ${index};`)}\n`;

function stage(t: TestContext, files: Readonly<Record<string, string>>) {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("a.py", "def run():\n    return 1\n");
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const [path, text] of Object.entries(files)) made.write(path, text);
  made.git("add", "--all");
  return made;
}

const HOOK = ["review", "--staged", "--offline", "--fail-on", "major"];

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
  const made = stage(t, { "data/cities.csv": CSV, "data/cities.json": JSON_TEXT });
  made.write(".git/hooks/pre-commit", `#!/bin/sh\nexec "${process.execPath}" "${BIN}" ${HOOK.join(" ")}\n`);
  chmodSync(join(made.path, ".git/hooks/pre-commit"), 0o755);
  const commit = () =>
    spawnSync(
      "git",
      ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--message", "data"],
      {
        cwd: made.path,
        encoding: "utf8",
      },
    );
  const passed = commit();
  assert.equal(passed.status, 0, passed.stderr);
  assert.match(execFileSync("git", ["log", "--format=%s"], { cwd: made.path, encoding: "utf8" }), /^data$/m);
  for (const path of ["src/values.ts", "package.json", "config/tsconfig.json", ".github/workflows/ci.yml"]) {
    made.write(path, path.endsWith(".ts") ? SOURCE : JSON_TEXT);
    made.git("add", "--all");
    const { status, stdout, stderr } = commit();
    assert.equal(status, 1, path);
    assert.match(`${stdout}${stderr}`.replaceAll(/\s+/g, " "), /Incomplete review: .*file too large/, path);
    made.git("rm", "--quiet", "--force", path);
  }
});
