import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { countO200kTokens } from "./count-o200k-tokens.ts";
import { assertLinear } from "../../test/support/assert-linear.ts";

/** Counted with tiktoken 1.0.22. */
const COUNTED: readonly (readonly [text: string, tokens: number])[] = [
  ["", 0],
  ["hello world", 2],
  ["<|endoftext|> and <|fim_prefix|>", 14],
  ["\ufeffimport a", 3],
  ["a\u0085b \u0085\n", 7],
  ["\ud800 lone", 2],
  ["   \n\n  x\t\t", 4],
  ["日本語テキスト", 5],
  ["👩\u200d👩\u200d👧\u200d👦", 11],
  ["'LL can't DON'T", 4],
  ["a/b//c\n//\n/x", 8],
  ["x\r\n\r\ny", 3],
  ['const { a, b } = await import("./c.ts");\n', 13],
  ["x86_64-unknown-linux-gnu", 9],
  ["deadbeefcafe0123456789", 9],
  ["ÄÖÜäöüß naïve coöperate", 12],
  ["ก็ดีนะครับ", 5],
  ["\u200b\u200d\u00ad", 3],
  ["supercalifragilisticexpialidocious", 10],
  ["a".repeat(2_000), 250],
  ["A".repeat(2_000), 250],
  [" ".repeat(2_000), 17],
  ["=".repeat(2_000), 31],
  ["日".repeat(2_000), 1_000],
  ["é".repeat(2_000), 2_000],
  ["ab".repeat(2_000), 1_000],
  ["0".repeat(2_000), 667],
  ["```".repeat(1_000), 1_500],
];

test("counts are tiktoken's", () => {
  for (const [text, tokens] of COUNTED) assert.equal(countO200kTokens(text), tokens, JSON.stringify(text));
});

test("unbroken runs take time in proportion to their length", () => {
  assert.equal(countO200kTokens("a".repeat(100_000)), 12_500);
  assertLinear("日".repeat(400_000), (text) => assert.equal(countO200kTokens(text), text.length / 2));
});

test("a text that starts with # after a line end adds its own tokens", () => {
  const body = fc.string({ unit: "binary", maxLength: 60 });
  fc.assert(
    fc.property(body, body, (first, second) => {
      const [before, after] = [`# ${first}\n`, `# ${second}\n`];
      assert.equal(countO200kTokens(before + after), countO200kTokens(before) + countO200kTokens(after));
    }),
  );
});
