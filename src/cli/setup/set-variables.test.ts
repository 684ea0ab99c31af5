import assert from "node:assert/strict";
import { test } from "node:test";
import { setVariables } from "./set-variables.ts";

const VALUES = { APP_ID: "7", KEY: "QUJD+/==", OLD: null } as const;

const TABLE: readonly (readonly [what: string, before: string, after: string])[] = [
  ["an empty file", "", "APP_ID=7\nKEY=QUJD+/==\n"],
  [
    "other lines and comments",
    "# mine\nPORT=3000\n\n# APP_ID=1\n",
    "# mine\nPORT=3000\n\n# APP_ID=1\nAPP_ID=7\nKEY=QUJD+/==\n",
  ],
  ["no line break at the end", "PORT=3000", "PORT=3000\nAPP_ID=7\nKEY=QUJD+/==\n"],
  ["in their places", "KEY=old\nPORT=1\nexport APP_ID = 3 # old\n", "KEY=QUJD+/==\nPORT=1\nAPP_ID=7\n"],
  [
    "a value of several lines",
    'KEY="-----BEGIN\nAPP_ID=x\n-----END"\nA=1\n',
    "KEY=QUJD+/==\nA=1\nAPP_ID=7\n",
  ],
  [
    "a value of several lines of another variable",
    'NOTE="one\nAPP_ID=no\ntwo"\n',
    'NOTE="one\nAPP_ID=no\ntwo"\nAPP_ID=7\nKEY=QUJD+/==\n',
  ],
  ["a removed variable", "A=1\nOLD=https://x\nB=2\n", "A=1\nB=2\nAPP_ID=7\nKEY=QUJD+/==\n"],
  ["duplicates", "APP_ID=1\nAPP_ID=2\nKEY=x\n", "APP_ID=7\nKEY=QUJD+/==\n"],
  ["Windows line endings", "A=1\r\nAPP_ID=2\r\n", "A=1\r\nAPP_ID=7\nKEY=QUJD+/==\n"],
];

for (const [what, before, after] of TABLE)
  test(`${what}: variables are set`, () => assert.equal(setVariables(before, VALUES), after));

test("a value with spaces is quoted", () => {
  assert.equal(setVariables("", { SECRET: "a # b" }), "SECRET='a # b'\n");
});

test("a text that can't be changed safely is refused", () => {
  assert.throws(() => setVariables("", { SECRET: "it's # b" }), /SECRET can't be set in this file/);
});
