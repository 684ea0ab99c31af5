/** A model's findings about code that the change breaks and doesn't touch, from its calls to what the command line shows. */
import { test } from "node:test";
import { assertOutsideFindings } from "../support/outside-fixtures.ts";

test("models: findings outside the change are moved or listed, and an early end is refused (openai)", (t) =>
  assertOutsideFindings(t, "openai"));
