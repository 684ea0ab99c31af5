/** Where people run it: a hook, a detached checkout, a subfolder, a linked work tree, a pipe that closes early. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { BIN } from "../support/built-program.ts";
import { runKodiai } from "../support/run-kodiai.ts";
import { type TestRepository, testRepository } from "../support/test-repository.ts";

function makeRepository(t: TestContext): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("src/app.py", "def run():\n    return 1\n");
  made.commit("root");
  return made;
}

const MISTAKE = "def run():\n    breakpoint()\n    return 1\n";

test("a pre-commit hook stops a commit with a mistake, also with `commit --all`, and lets a clean one through", (t) => {
  const made = makeRepository(t);
  made.write(
    ".git/hooks/pre-commit",
    `#!/bin/sh\nexec "${process.execPath}" "${BIN}" review --staged --fail-on major\n`,
  );
  chmodSync(join(made.path, ".git/hooks/pre-commit"), 0o755);
  made.write("src/app.py", MISTAKE);
  for (const how of [["--all"], ["src/app.py"]]) {
    const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    const run = spawnSync("git", [...identity, "commit", "--message", "x", ...how], {
      cwd: made.path,
      encoding: "utf8",
    });
    assert.equal(run.status, 1, run.stderr);
    assert.match(run.stdout + run.stderr, /Debugger statement left in/);
    assert.match(run.stdout + run.stderr, /src\/app\.py:2/);
  }
  made.write("src/app.py", "def run():\n    return 2\n");
  assert.match(made.commit("fine"), /^[0-9a-f]{40}$/);
});

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
