import assert from "node:assert/strict";
import { test } from "node:test";
import { plainRun, resultAt, sarifLog } from "../../../test/support/sarif-samples.ts";
import { KodiaiError } from "../../base/errors.ts";
import { parseSarif } from "./parse-sarif.ts";

const GOOD = sarifLog(plainRun([resultAt({ path: "a.js", line: 1 })]));
const MANY = sarifLog(plainRun(Array.from({ length: 50_001 }, () => ({}))));

const BAD: readonly (readonly [what: string, text: string, expected: RegExp])[] = [
  ["empty", " \n", /^scan\.sarif is empty$/],
  ["not JSON", "3 problems found", /^scan\.sarif isn't JSON$/],
  ["not a number of JSON", '{"version":"2.1.0","runs":[{"results":[{"rank":NaN}]}]}', /isn't JSON$/],
  ["cut off", GOOD.slice(0, -5), /isn't JSON$/],
  ["other JSON", '{"results":[]}', /is JSON, but not SARIF$/],
  ["a list", "[]", /is JSON, but not SARIF$/],
  ["null", "null", /is JSON, but not SARIF$/],
  ["runs of another type", '{"version":"2.1.0","runs":{}}', /is JSON, but not SARIF$/],
  ["an older version", '{"version":"2.0.0","runs":[]}', /is SARIF 2\.0\.0, and Kodiai reads 2\.1\.0$/],
  ["a hostile version", '{"version":"\\u001b[31m","runs":[]}', /is SARIF \\x1b\[31m, and/],
  [
    "no version",
    '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","runs":[]}',
    /is SARIF without a version/,
  ],
  ["50,001 results", MANY, /has 50,001 results, and Kodiai reads at most 50,000$/],
  ["deep nesting", "[".repeat(5_000_000), /nested more than 200 levels deep$/],
];

test("a file that can't be used says why and what to do", () => {
  for (const [what, text, expected] of BAD) {
    assert.throws(
      () => parseSarif(Buffer.from(text), "scan.sarif"),
      (error) => {
        assert.ok(error instanceof KodiaiError, what);
        assert.match(error.message, expected, what);
        assert.equal(error.code, "bad-sarif");
        assert.ok(error.hint.endsWith("."), error.hint);
        return true;
      },
    );
  }
});

test("byte order marks and UTF-16 are read", () => {
  const texts = [
    Buffer.from(`\ufeff${GOOD}`),
    Buffer.from(`\ufeff${GOOD}`, "utf16le"),
    Buffer.from(`\ufeff${GOOD}`, "utf16le").swap16(),
  ];
  for (const bytes of texts) assert.equal(parseSarif(bytes, "scan.sarif").runs.length, 1);
});

test("brackets in texts are no nesting", () => {
  const text = `\\"${"[{".repeat(1_000)}`;
  assert.equal(parseSarif(Buffer.from(sarifLog(plainRun([], { name: text }))), "s").runs.length, 1);
});
