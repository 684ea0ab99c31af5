import assert from "node:assert/strict";
import { test } from "node:test";
import { checksumOf } from "../../../base/secrets/token-checksum.ts";
import { composeOverview } from "./compose-overview.ts";

/** The shown text of one model. */
function shown(text: string): string | undefined {
  return composeOverview([{ pass: "review", text }])[0]?.text;
}

const SENTENCE = "Orders are summed with their tax now. ";
const WORDS = "tax ".repeat(300).trim();

const CASES: readonly (readonly [name: string, text: string, expected: string | undefined])[] = [
  ["a sentence stays as it is", "Adds tax to orders.", "Adds tax to orders."],
  ["lines become one paragraph", "\n# Adds\r\n\n- tax\tto\n- orders\n", "# Adds - tax to - orders"],
  ["an empty text is left out", " \n ", undefined],
  ["a text of the maximum length", "x".repeat(600), "x".repeat(600)],
  ["cut after a sentence", SENTENCE.repeat(20), `${SENTENCE.repeat(15).trim()} …`],
  ["cut between words where no sentence ends", WORDS, `${WORDS.slice(0, 595)} …`],
  ["cut between words where the only sentence is short", `So. ${WORDS}`, `So. ${WORDS.slice(0, 591)} …`],
  ["cut within a single long word", "x".repeat(700), `${"x".repeat(598)} …`],
  [
    "cut after a sentence without spaces",
    "注文に税を加える。".repeat(100),
    `${"注文に税を加える。".repeat(66)} …`,
  ],
  ["never within a character", `x${"😀".repeat(400)}`, `x${"😀".repeat(298)} …`],
];

for (const [name, text, expected] of CASES)
  test(`overview: ${name}`, () => {
    assert.equal(shown(text), expected);
    assert.ok((expected?.length ?? 0) <= 600);
  });

test("overview: each of many parts gets its share of the space", () => {
  const parts = Array.from({ length: 10 }, (_, index) => ({
    pass: `part ${index + 1} of 10`,
    text: SENTENCE.repeat(50),
  }));
  const overview = composeOverview(parts);
  assert.deepEqual(
    overview.map(({ pass }) => pass),
    parts.map(({ pass }) => pass),
  );
  for (const { text } of overview) assert.match(text, /^(?:Orders are summed with their tax now\. ){6}…$/);
});

test("overview: a secret is masked, even where the text is cut, and so is a key that spans lines", () => {
  const random = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5";
  const token = `ghp_${random}${checksumOf(random)}`;
  const said = `${"x".repeat(585)}:${token} and more`;
  assert.match(shown(said) ?? "", /^x{585}:\[masked\] …$/);
  const body = Array.from({ length: 4 }, (_, index) => `MIIEpAIBAAKCAQEA${index}`.padEnd(64, "q7Zr2Lm9"));
  const key = ["-----BEGIN RSA PRIVATE KEY-----", ...body, "-----END RSA PRIVATE KEY-----"].join("\n");
  const masked = shown(`It adds\n${key}\nfor tests.`) ?? "";
  for (const line of body) assert.ok(!masked.includes(line.slice(4, 40)), masked);
  assert.match(masked, /^It adds .*(?:\[masked\] ){4}.* for tests\.$/);
});
