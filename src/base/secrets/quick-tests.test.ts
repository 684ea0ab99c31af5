/** The quick tests before an expression never refuse what the expression accepts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as assertProperty, constantFrom, property } from "fast-check";
import { findNamedValues } from "./named-values.ts";
import { isRepetitive } from "./secret-values.ts";
import { someRuns } from "../../../test/support/extent.ts";

const VALUE = "k3vR9tW2xL7mQ4zN8dH5";

/** The text between a name and its value, one for each character that an expression may begin with. */
const BETWEEN: readonly (readonly [before: string, after: string])[] = [
  ["=", "\n"],
  [" = '", "'"],
  ['\t:= "', '"'],
  [': "', '"'],
  ["' : '", "'"],
  ['"] = "', '"'],
  ["`) = '", "'"],
  ['\\": \\"', '\\"'],
  ["?: string = '", "'"],
  ["!= '", "'"],
  [" is '", "'"],
  [`${" ".repeat(20)}= '`, "'"],
  [`${" ".repeat(20)} is '`, "'"],
  ['", "value": "', '"'],
  [",value='", "'"],
  [" value='", "'"],
  ["\nvalue: ", "\n"],
  ["\r\nvalue: ", "\n"],
  [" \n  value: ", "\n"],
  ['" { default = "', '"'],
  ["', '", "'"],
  ["('", "'"],
  [">", "<"],
  ["'>", "<"],
  ["</key><string>", "<"],
  ["=@'", "'"],
  ['= b"', '"'],
  ["=$'", "'"],
];

for (const [before, after] of BETWEEN) {
  test(`a value after a name and ${JSON.stringify(before)} is found`, () => {
    const text = `\n  api_token${before}${VALUE}${after}`;
    const start = text.indexOf(VALUE);
    assert.deepEqual(findNamedValues(text), [{ kind: "named-secret", start, end: start + VALUE.length }]);
  });
}

for (const before of ["ENV API_TOKEN ", "ENV\u00a0\t API_TOKEN ", "--api-token ", "API_TOKEN '"]) {
  test(`a value after ${JSON.stringify(before)} is found`, () => {
    const text = `\n${before}${VALUE}${before.endsWith("'") ? "'" : "\n"}`;
    assert.equal(findNamedValues(text).length, 1);
  });
}

test("characters that repeat are those that the expression finds", () => {
  const expression = /(.)\1{4}|(..)\2{3}|(....)\3{2}/;
  const piece = constantFrom("a", "b", "ab", "abcd", "\n", "\u2028", "x1");
  assertProperty(
    property(array(piece, { maxLength: 24 }), (pieces) => {
      const value = pieces.join("");
      assert.equal(isRepetitive(value), expression.test(value));
    }),
    { numRuns: someRuns(3_000) },
  );
});
