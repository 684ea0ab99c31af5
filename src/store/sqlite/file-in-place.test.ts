import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { assertFreeSpace } from "./file-in-place.ts";

test("a disk with less room than is needed is called almost full, with what is left of it", () => {
  assertFreeSpace(tmpdir(), 1);
  assert.throws(() => assertFreeSpace(tmpdir(), Number.MAX_SAFE_INTEGER), {
    code: "database",
    retryable: true,
    message: /is almost full: \d+ MB are left/,
  });
});
