/** The code around a change: what a model sees of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RANDOM, openRelatedCode } from "../support/related-code-fixtures.ts";

function relatedOf(prompt: string): string {
  return /# Related code\n.*?\n# Now/s.exec(prompt)?.[0] ?? "";
}

test("a changed signature shows its certain callers, its test and its types; hunks show the whole function", async (t) => {
  const { run, server } = await openRelatedCode(t);
  const { code, stderr, stdout } = await run(["--model", "openai:scripted"]);
  assert.deepEqual([code, stderr], [0, ""], stdout);
  const prompt = server.requests[0]?.prompt ?? "";
  assert.ok(!stdout.includes("related code"), "a degradation");
  const related = relatedOf(prompt);
  assert.match(related, /=== src\/checkout\.ts:3-7 \(uses price, changed in src\/price\.ts:3; certain\)\n/);
  assert.match(related, /\n6 {3}return price\(cart\) \+ token\.length;\n/);
  assert.match(related, /=== test\/price\.test\.ts:3-5 \(.*price.*\)/);
  assert.match(related, /=== src\/cart\.ts:1-4 \(Cart, used in a changed signature of src\/price\.ts:3\)/);
  // A function that only shares the name isn't shown.
  assert.ok(!related.includes("src/stock.ts"));
  assert.ok(!related.includes("package-lock"));
  // The secret of a file that isn't part of the change is masked, too.
  assert.ok(!prompt.includes(RANDOM));
  // Both functions are shown from their first line to their last, as context.
  assert.match(prompt, /\n10 {3}return base \+ tax;\n11 \}\n/);
  assert.match(prompt, /\n13 export function long\(\): void \{\n/);
  assert.match(prompt, /\n74 {3}step\(59\);\n75 \}\n/);
});
