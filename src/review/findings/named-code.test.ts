import assert from "node:assert/strict";
import { test } from "node:test";
import { nameDifferentCode } from "./named-code.ts";

const CASES: readonly (readonly [one: string, other: string, isDifferent: boolean])[] = [
  ["The promise of `save` is not awaited", "The promise of `load` is not awaited", true],
  ["The promise of `save` is not awaited", "`save` returns a promise that no caller awaits", false],
  ["The promise of `save` is not awaited", "A promise is not awaited", false],
  ["A promise is not awaited", "A query is built from text", false],
  ["save() is not awaited", "load() is not awaited", true],
  ["save() is not awaited", "`save(user)` is not awaited", false],
  ["userName reaches a query", "orderId reaches a query", true],
  ["user_name reaches a query", "`user_name` reaches a query", false],
  // One name in common is enough.
  ["`owner` reaches a query in `find`", "`name` reaches a query in `find`", false],
  ["`Save` fails", "`save` fails", false],
  // Words of a language and single letters name no code of the change.
  ["`await` is missing", "`async` is missing", false],
  ["`null` is returned", "`undefined` is returned", false],
  ["`i` is never read", "`j` is never read", false],
  ["Unused import of `fs`", "Unused import of `path`", true],
  ["", "", false],
];

for (const [one, other, isDifferent] of CASES) {
  test(`"${one}" and "${other}" ${isDifferent ? "name different code" : "may be the same"}`, () => {
    const [first, second] = [
      { title: one, body: "" },
      { title: other, body: "" },
    ];
    assert.equal(nameDifferentCode(first, second), isDifferent);
    assert.equal(nameDifferentCode(second, first), isDifferent);
  });
}

test("code that the other finding mentions in its text or in plain words is no different code", () => {
  const one = { title: "`save` is not awaited", body: "Its rejection is lost." };
  const other = { title: "Mail leaves before `persist`", body: "The promise of `save` is pending." };
  assert.ok(!nameDifferentCode(one, other));
  assert.ok(!nameDifferentCode(one, { title: "The promise of save in `persist` is lost", body: "" }));
  assert.ok(nameDifferentCode(one, { ...other, body: "The promise is pending." }));
});
