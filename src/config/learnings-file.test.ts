import assert from "node:assert/strict";
import { test } from "node:test";
import { endOfDay, LearningsFile } from "./learnings-file.ts";

test("entries get defaults, and each limit is enforced", () => {
  const file = { learnings: [{ text: " Use tabs. " }] };
  assert.deepEqual(LearningsFile.parse(file), {
    learnings: [{ text: "Use tabs.", kind: "preference", paths: [] }],
  });
  const bad = [
    {},
    { text: "" },
    { text: " " },
    { text: "x".repeat(501) },
    { text: "a", kind: "rule" },
    { text: "a", paths: ["{1..9}"] },
    { text: "a", paths: Array.from({ length: 21 }, () => "src/**") },
    { text: "a", expires: "2027-02-30" },
    { text: "a", expires: "soon" },
    { text: "a", extra: 1 },
  ];
  for (const entry of bad)
    assert.equal(LearningsFile.safeParse({ learnings: [entry] }).success, false, JSON.stringify(entry));
});

test("a learning applies until the end of its last day", () => {
  assert.equal(endOfDay("2027-06-30"), Date.UTC(2027, 6, 1));
  for (const day of ["2027-02-29", "2027-13-01", "27-01-01", "2027-01-01T00:00", ""])
    assert.equal(endOfDay(day), null);
});
