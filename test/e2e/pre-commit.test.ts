/** Real commits with Kodiai's hook: a finding stops a commit, and data never does. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { parse } from "yaml";
import { BIN } from "../support/built-program.ts";
import { testRepository } from "../support/test-repository.ts";

const made = testRepository();
after(() => made.remove());

before(() => {
  const hook = join(dirname(BIN), "kodiai-hook.js");
  for (const name of ["pre-commit", "pre-merge-commit"])
    writeFileSync(
      join(made.path, ".git/hooks", name),
      `#!/bin/sh\nexec '${process.execPath}' '${hook}' --no-memory\n`,
      { mode: 0o755 },
    );
  made.git("config", "user.name", "Ada");
  made.git("config", "user.email", "ada@example.org");
});

const BAD = "def f():\n    breakpoint()\n";
const GOOD = "def f():\n    return 1\n";

type Outcome = { readonly isCommitted: boolean; readonly printed: string };

function commit(...args: readonly string[]): Outcome {
  const run = spawnSync("git", ["commit", "--message", "change", ...args], {
    cwd: made.path,
    encoding: "utf8",
  });
  const printed = `${run.stdout}${run.stderr}`;
  if (run.status !== 0) made.git("reset", "--quiet", "--hard");
  return { isCommitted: run.status === 0, printed };
}

/** Lines of a file, by number. */
function many(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join("\n");
}

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

const DATA: readonly (readonly [path: string, content: () => string | Uint8Array])[] = [
  ["numbers.csv", () => many(100_000, (index) => `${index},some text,${index * 7}`)],
  ["image.bin", () => Uint8Array.from({ length: 500_000 }, (_, index) => (index * 2_654_435_761) >>> 8)],
  ["dump.sql", () => many(60_000, (index) => `INSERT INTO t VALUES (${index}, 'name');`)],
  ["notebook.ipynb", () => JSON.stringify({ cells: many(60_000, String).split("\n") }, null, 1)],
  ["yarn.lock", () => many(20_000, (index) => `"p${index}@^1.0.0":\n  version "1.0.${index}"\n`)],
  ["constants.py", () => many(60_000, (index) => `X${index} = ${index}`)],
];

for (const [path, content] of DATA) {
  test(`a large ${path} doesn't stop the commit`, () => {
    made.write(path, content());
    made.git("add", path);
    const { isCommitted, printed } = commit();
    assert.equal(isCommitted, true, printed);
    // The hook ran, and shows what it couldn't review.
    assert.match(printed, path === "dump.sql" ? /Incomplete review: 60,000 lines/ : /Change +staged changes/);
  });
}

test("an empty commit, a deletion and a merge of others' findings aren't stopped", () => {
  assert.equal(commit("--allow-empty").isCommitted, true);
  made.git("rm", "--quiet", "numbers.csv");
  assert.equal(commit().isCommitted, true);
  made.git("checkout", "--quiet", "-b", "other");
  made.write("a.py", BAD);
  assert.equal(commit("--all", "--no-verify").isCommitted, true);
  made.git("checkout", "--quiet", "main");
  made.write("a.py", `${GOOD}\n\ndef g():\n    return 2\n`);
  assert.equal(commit("--all").isCommitted, true);
  assert.throws(() => made.git("merge", "other"), "a conflict");
  made.write("a.py", BAD);
  made.git("add", ".");
  const { isCommitted, printed } = commit();
  assert.equal(isCommitted, true, printed);
  assert.match(printed, /the hook doesn't review merges/);
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
