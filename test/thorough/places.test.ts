/** Where people run it: a detached checkout, a subfolder, a linked work tree, a pipe that closes early. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { BIN } from "../support/built-program.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { makeRepository, MISTAKE } from "../support/hook-fixtures.ts";

test("a detached checkout, as CI makes it, and a subfolder", async (t) => {
  const made = makeRepository(t);
  made.git("checkout", "--quiet", "-b", "feature");
  made.write("src/app.py", MISTAKE);
  made.commit("x");
  made.git("checkout", "--quiet", "--detach");
  for (const cwd of [made.path, join(made.path, "src")]) {
    const { code, stdout } = await runKodiai(["review", "--base", "main"], { cwd });
    assert.equal(code, 0);
    assert.match(stdout, /^src\/app\.py:2 +\(1\) leftover-debugger/m);
  }
});

test("a linked work tree is reviewed as its own branch", async (t) => {
  const made = makeRepository(t);
  const linked = mkdtempSync(join(tmpdir(), "kodiai-linked-"));
  t.after(() => rmSync(linked, { recursive: true, force: true }));
  made.git("worktree", "add", "--quiet", "-b", "other", linked);
  spawnSync("sh", ["-c", "printf 'breakpoint()\\n' > new.py"], { cwd: linked });
  const { stdout } = await runKodiai(["review"], { cwd: linked });
  assert.match(stdout, /^new\.py:1 +\(1\) leftover-debugger/m);
  assert.match(stdout, /other with uncommitted work against main/);
});

test("a reader that closes the pipe early is no error", (t) => {
  const made = makeRepository(t);
  made.write(
    "src/app.py",
    Array.from({ length: 3_000 }, (_, index) => `def f${index}():\n    breakpoint()\n`).join(""),
  );
  const run = spawnSync("sh", ["-c", `"${process.execPath}" "${BIN}" review -f json | head -c 10`], {
    cwd: made.path,
    encoding: "utf8",
  });
  assert.deepEqual([run.stdout.length, run.stderr], [10, ""]);
});

test("a long report reaches a slow reader whole", (t) => {
  const made = makeRepository(t);
  for (let index = 0; index < 400; index++) made.write(`src/file${index}.py`, MISTAKE.repeat(3));
  const run = spawnSync("sh", ["-c", `"${process.execPath}" "${BIN}" review -f json | (sleep 1; cat)`], {
    cwd: made.path,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  assert.equal(JSON.parse(run.stdout).receipt.files.length, 400);
});
