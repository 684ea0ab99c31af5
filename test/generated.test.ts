/** Files that are made from code are as the code would make them now. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { test } from "node:test";

test("the schema, the defaults, docs/configuration.md and docs/rules.md are up to date", () => {
  const project = dirname(import.meta.dirname);
  const run = spawnSync(process.execPath, ["scripts/generate.ts", "--check"], {
    cwd: project,
    encoding: "utf8",
  });
  assert.equal(run.status, 0, run.stderr);
});
