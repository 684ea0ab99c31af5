/** Kept edits restore the exact text, and hold only the lines that are new. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { keepEdit, restoreEdit } from "./kept-edit.ts";

const text = fc.oneof(
  fc.constant(null),
  fc
    .array(fc.constantFrom("a", "b", "c\r", "", "long line"), { maxLength: 12 })
    .map((lines) => lines.join("\n")),
);

test("an edit that was stored is restored exactly", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const stored = JSON.parse(JSON.stringify(keepEdit({ path: "x", before, after })));
      assert.deepEqual(restoreEdit(stored, before), { path: "x", before, after });
    }),
  );
});

test("the file mode is stored with it", () => {
  const edit = { path: "run.sh", before: "a\n", after: "a\n", isExecutable: true };
  assert.deepEqual(restoreEdit(JSON.parse(JSON.stringify(keepEdit(edit))), edit.before), edit);
});

test("lines that stay aren't stored", () => {
  const before = "password = 'hunter2'\nport = 1\n";
  const kept = keepEdit({ path: "x", before, after: before.replace("1", "2") });
  assert.doesNotMatch(JSON.stringify(kept), /hunter2/);
  assert.match(JSON.stringify(kept), /port = 2/);
});

test("an edit isn't restored for a file that it wasn't made for", () => {
  const kept = keepEdit({ path: "x", before: "a\nb\nc\n", after: "a\nb\nd\n" });
  assert.equal(restoreEdit(kept, null), null);
  assert.equal(restoreEdit(kept, "a"), null);
});
