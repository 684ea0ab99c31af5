import assert from "node:assert/strict";
import { test } from "node:test";
import { renderStarterConfig } from "./render-default-config.ts";

test("the file that init writes shows the budgets that hold without it", () => {
  const text = renderStarterConfig();
  assert.match(text, /\n {2}# Most for one review\. 2 by default; .*\n {2}#perReviewUsd: 2\n/);
  assert.match(
    text,
    /\n {2}# Most per repository and day\. 50 by default; .*\n {2}#perRepositoryDayUsd: 50\n/,
  );
});
