import assert from "node:assert/strict";
import { test } from "node:test";
import { hashParts, hashTexts } from "./hash.ts";

test("many texts have the same hashes as each of them alone", () => {
  const texts = new Set([
    "",
    "a",
    "é",
    "\ud800",
    "😀",
    "line\n",
    ...Array.from({ length: 2_000 }, (_, each) => `text ${each}`),
  ]);
  const few = new Set([...texts].slice(0, 10));
  for (const hashed of [hashTexts(texts, 32), hashTexts(few, 32)])
    for (const [text, hash] of hashed) assert.equal(hash, hashParts([text], 32));
  assert.deepEqual([hashTexts(texts).size, hashTexts(few).size], [texts.size, few.size]);
});
