import assert from "node:assert/strict";
import { test } from "node:test";
import { composeJobSummary } from "./job-summary.ts";

test("job summary: notes come first, and several reviews have headings", () => {
  const text = composeJobSummary(
    ["Why."],
    [
      { heading: "one", body: "first\n" },
      { heading: "two", body: "second\n" },
    ],
  );
  assert.equal(text, "Why.\n\n## one\n\nfirst\n\n## two\n\nsecond\n\n");
});

test("job summary: a text over GitHub's limit is cut between lines, and says so", () => {
  const line = `${"é".repeat(99)}\n`;
  const text = composeJobSummary([], [{ heading: null, body: line.repeat(20_000) }]);
  assert.ok(Buffer.byteLength(text) <= 1_048_576);
  assert.match(text, /é{99}\n\n\n\*\*The rest of this summary is left out/);
  assert.doesNotMatch(text, /\ufffd/);
});
