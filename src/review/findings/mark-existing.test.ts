import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile } from "../../../test/support/analysis-fixtures.ts";
import { findingOf } from "../../../test/support/findings-fixtures.ts";
import { markExisting } from "./mark-existing.ts";

const FILE = changedFile({
  path: "a.py",
  status: "modified",
  lines: ["-bad(one)", "-", "+bad(two)", "+bad(three)", " context", "+bad(four)", "+  bad(one),"],
});

function found(line: number, quote: string) {
  return findingOf({ path: "a.py", quote, lineHint: line, source: "floor", rule: "bad" });
}

function marked(
  after: readonly (readonly [number, string])[],
  before: readonly (readonly [number, string])[],
) {
  const result = markExisting(
    after.map(([line, quote]) => found(line, quote)),
    before.map(([line, quote]) => found(line, quote)),
    FILE,
  );
  return result.filter(({ isExisting }) => isExisting === true).map(({ lineHint }) => lineHint);
}

test("code that moved within the file was there before", () => {
  assert.deepEqual(marked([[5, "  bad(one),"]], [[1, "bad(one)"]]), [5]);
});

test("an edited line was there before, but only as often as before", () => {
  assert.deepEqual(
    marked(
      [
        [1, "bad(two)"],
        [2, "bad(three)"],
      ],
      [[1, "bad(one)"]],
    ),
    [1],
  );
});

test("a finding in another part of the file is new", () => {
  assert.deepEqual(marked([[4, "bad(four)"]], [[1, "bad(one)"]]), []);
});

test("a name that the file used undefined before comes from somewhere else", () => {
  const missing = (line: number, name: string) => ({
    ...found(line, `${name}.info()`),
    rule: "ruff/F821",
    title: `Undefined name: \`${name}\``,
  });
  const after = [missing(4, "logger"), missing(5, "loger")];
  const marks = markExisting(after, [missing(1, "logger")], FILE).map(
    ({ isExisting }) => isExisting === true,
  );
  assert.deepEqual(marks, [true, false]);
});
