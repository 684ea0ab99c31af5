/** Where most people run it: a pre-commit hook. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BIN } from "../support/built-program.ts";
import { makeRepository, MISTAKE } from "../support/hook-fixtures.ts";

test("a pre-commit hook stops a commit with a mistake, also with `commit --all`, and lets a clean one through", (t) => {
  const made = makeRepository(t);
  made.write(
    ".git/hooks/pre-commit",
    `#!/bin/sh\nexec "${process.execPath}" "${BIN}" review --staged --fail-on medium\n`,
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
