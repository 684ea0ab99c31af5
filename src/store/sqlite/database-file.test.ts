import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { assertFreeSpace } from "./database-file.ts";

test("the error for an almost full disk names the space that is left", () => {
  assertFreeSpace(tmpdir(), 1);
  assert.throws(() => assertFreeSpace(tmpdir(), Number.MAX_SAFE_INTEGER), {
    code: "database",
    retryable: true,
    message: /is almost full: \d+ MB left/,
  });
});
