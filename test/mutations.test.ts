/** The table behind `npm run mutate`: it matches the sources, covers every promise, and its results are read correctly. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { applyMutation, MUTATIONS, summarizeTap } from "../scripts/testing/mutations.ts";

test("every mutation changes its file and names test files that exist", () => {
  const files = globSync(["src/**/*.test.ts", "test/**/*.test.ts"]);
  for (const mutation of MUTATIONS) {
    const text = readFileSync(mutation.file, "utf8");
    assert.notEqual(applyMutation(text, mutation), text, mutation.what);
    const own = files.filter((file) => file.includes(mutation.tests));
    assert.ok(own.length > 0, `no test file for: ${mutation.what}`);
  }
});

test("every promise of the documents has a mutation, and every mutation a promise or a law", () => {
  const text = ["docs/security.md", "docs/reliability.md"]
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
  const promised = Array.from(text.matchAll(/^## (P\d+)\. /gm), ([, id = ""]) => id);
  assert.deepEqual(new Set(MUTATIONS.map(({ promise }) => promise)), new Set([...promised, "law"]));
});

test("no mutation is listed twice", () => {
  const keys = MUTATIONS.map(({ file, find, tests }) => `${file} ${find} ${tests}`);
  assert.equal(new Set(keys).size, keys.length);
});

test("a text that is missing or repeated in its file is an error that names the table", () => {
  const mutation = { promise: "P1", what: "", file: "a.ts", find: "x", replace: "y", tests: "" };
  assert.equal(applyMutation("axb", mutation), "ayb");
  for (const text of ["ab", "axbxc"])
    assert.throws(
      () => applyMutation(text, mutation),
      /a\.ts must contain this exactly once\. Update scripts/,
    );
  assert.throws(() => applyMutation("ab", { ...mutation, find: "" }), /exactly once/);
});

const TAP = `TAP version 13
# Subtest: [P1] one
ok 1 - [P1] one
  ---
  duration_ms: 1
  ...
    not ok 1 - [P1] [P2] inside
    ok 2 - [P1] skipped # SKIP needs Linux
not ok 2 - [P12] two
not ok 3 - /tmp/copy/test/a.test.ts
`;

test("only tests with the promise's id count, and neither skipped ones nor files that can't be loaded", () => {
  assert.deepEqual(summarizeTap(TAP, "P1"), { passed: 1, failed: 1 });
  assert.deepEqual(summarizeTap(TAP, "P12"), { passed: 0, failed: 1 });
  assert.deepEqual(summarizeTap(TAP, "P3"), { passed: 0, failed: 0 });
  assert.deepEqual(summarizeTap(TAP, "law"), { passed: 1, failed: 2 });
});
