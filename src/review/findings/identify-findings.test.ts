import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile } from "../../../test/support/analysis-fixtures.ts";
import { findingOf } from "../../../test/support/findings-fixtures.ts";
import type { ChangedFile } from "../change/change.ts";
import { anchorFinding } from "./anchor-finding.ts";
import type { Finding } from "./finding.ts";
import { identifyFindings } from "./identify-findings.ts";

function idsOf(
  findings: readonly Finding[],
  file: ChangedFile,
  renames = new Map<string, string>(),
): readonly string[] {
  return identifyFindings(
    findings.map((finding) => ({ finding, anchor: anchorFinding(finding, file) })),
    renames,
  ).map(({ id }) => id);
}

const CODE = ["+const query = `SELECT * FROM users WHERE id = ${id}`;", "+db.run(query);"];
const FILE = changedFile({ path: "src/a.ts", lines: CODE });
const FINDING = findingOf({
  title: "SQL is built from a string",
  category: "security",
  quote: CODE[0]?.slice(1) ?? "",
});
const [ID] = idsOf([FINDING], FILE);

test("an id is the same after a line shift, a reindentation, a rephrasing and a rename", () => {
  assert.match(ID ?? "", /^[0-9a-f]{16}$/);
  const shifted = changedFile({ path: "src/a.ts", newStart: 200, lines: ["+// a comment", ...CODE] });
  assert.deepEqual(idsOf([FINDING], shifted), [ID]);
  const indented = changedFile({ path: "src/a.ts", lines: CODE.map((line) => `+    ${line.slice(1)}`) });
  assert.deepEqual(idsOf([FINDING], indented), [ID]);
  assert.deepEqual(idsOf([{ ...FINDING, title: "User input reaches the database unescaped" }], FILE), [ID]);
  const renamed = changedFile({ path: "lib/b.ts", lines: CODE });
  assert.deepEqual(idsOf([{ ...FINDING, path: "lib/b.ts" }], renamed, new Map([["lib/b.ts", "src/a.ts"]])), [
    ID,
  ]);
});

test("an id differs for other code, another category, another file", () => {
  const others = [
    { ...FINDING, quote: "db.run(query);" },
    { ...FINDING, category: "performance" as const },
    { ...FINDING, path: "src/other.ts" },
  ];
  for (const other of others) assert.notEqual(idsOf([other], { ...FILE, path: other.path })[0], ID);
});

test("equal code twice in a file makes two findings, distinguished by their order", () => {
  const twice = changedFile({ path: "src/a.ts", lines: [...CODE, "+", ...CODE] });
  const ids = idsOf(
    [
      { ...FINDING, lineHint: 4 },
      { ...FINDING, lineHint: 1 },
    ],
    twice,
  );
  assert.deepEqual(ids, [`${ID}-2`, ID]);
});

test("two findings on one place are the same when their titles are alike, and two when they are not", () => {
  const same = { ...FINDING, title: "SQL built from strings" };
  const other = { ...FINDING, title: "Missing audit log entry" };
  const ids = [`${ID}-2`, `${ID}-2`, ID];
  assert.deepEqual(idsOf([FINDING, same, other], FILE), ids);
  assert.deepEqual(idsOf([other, same, FINDING], FILE), ids.toReversed());
});

test("a finding without a place is known by its rule, or by its title", () => {
  const [a, b, c] = idsOf(
    [
      findingOf({ rule: "r", title: "one" }),
      findingOf({ rule: "r", title: "two" }),
      findingOf({ rule: "s", title: "one" }),
    ],
    FILE,
  );
  assert.equal(a, b);
  assert.notEqual(a, c);
});
