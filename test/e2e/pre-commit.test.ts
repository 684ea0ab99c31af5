/** Real commits with Kodiai's hook: a finding stops a commit. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { BIN } from "../support/built-program.ts";
import { BAD, GOOD, type Outcome, repositoryWithHook } from "../support/repository-with-hook.ts";

const { made, commit } = repositoryWithHook();

test("a finding stops the commit, whichever way it is staged", () => {
  made.write("a.py", GOOD);
  made.git("add", ".");
  assert.equal(commit().isCommitted, true, "the first commit");
  const ways: readonly (() => Outcome)[] = [
    () => {
      made.git("add", ".");
      return commit();
    },
    () => commit("--all"),
    () => commit("a.py"),
    // Only the staged part has it.
    () => {
      made.git("add", ".");
      made.write("a.py", GOOD);
      return commit();
    },
  ];
  for (const [index, way] of ways.entries()) {
    made.write("a.py", BAD);
    const { isCommitted, printed } = way();
    assert.equal(isCommitted, false, `way ${index}`);
    assert.match(printed, /a\.py:2 .*leftover-debugger/, `way ${index}`);
  }
});

test("a finding that isn't staged doesn't stop the commit", () => {
  made.write("b.py", GOOD);
  made.git("add", "b.py");
  made.write("b.py", BAD);
  assert.equal(commit().isCommitted, true);
  made.git("checkout", "--quiet", "b.py");
});

test("pre-commit runs the same program, which the package has", () => {
  const root = dirname(dirname(BIN));
  const [hook, ...others] = parse(readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8")) as [
    { readonly entry: string; readonly language: string; readonly pass_filenames: boolean },
  ];
  const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly bin: Readonly<Record<string, string>>;
  };
  assert.deepEqual(others, []);
  assert.deepEqual([hook.language, hook.pass_filenames], ["node", false]);
  assert.equal(bin[hook.entry], "bin/kodiai-hook.js");
});
