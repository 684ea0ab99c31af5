/** Findings about code that the change breaks and doesn't touch, from the agent program. */
import { test } from "node:test";
import { assertOutsideFindings } from "../support/outside-fixtures.ts";

test("models: findings outside the change are moved or listed, and an early end is refused (claude)", (t) =>
  assertOutsideFindings(t, "claude"));
