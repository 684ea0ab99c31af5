/** Kodiai's hook stops no commit of large data, no empty one, no deletion, and no merge of others' findings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BAD, GOOD, repositoryWithHook } from "../support/repository-with-hook.ts";

const { made, commit } = repositoryWithHook();

/** Lines of a file, by number. */
function many(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join("\n");
}

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
  made.write("a.py", GOOD);
  made.git("add", "a.py");
  assert.equal(commit().isCommitted, true);
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
