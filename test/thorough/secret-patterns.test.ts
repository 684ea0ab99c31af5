/** Masking of hostile texts takes linear time, and very long ones are masked to their ends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findSecrets } from "../../src/base/secrets/find-secrets.ts";
import { findKeyLines } from "../../src/base/secrets/key-bodies.ts";
import { maskCredentials } from "../../src/base/secrets/mask-credentials.ts";
import { maskSecrets } from "../../src/base/secrets/mask-secrets.ts";
import { createSameLengthMask } from "../../src/base/secrets/same-length-mask.ts";

/** Random characters that no issuer gave out; each token is put together here so that no scanner takes it for one. */
const RANDOM = "k3vR9tW2xL7mQ4zN8dH5jYcF1gT6pXsEbA0uKwZrM5yPqJ7nVf3GhD9cLt2RxB8mQ4zW6kNvT1sYpE5jHgA7dFuC0";

const BASE32 = "Q5ZGLXW2MPKD6TVR";

/** Apart from what is around it, so that no scanner takes a test for a key. */
const KEY_NAME = "PRIVATE KEY";

const part = (length: number, from = 0): string => RANDOM.slice(from, from + length);

/** Beginnings of everything that is looked for, and what joins, ends or wraps it. */
const HOSTILE: readonly string[] = [
  ..."a AKIA secret= ://a: -----BEGIN eyJ T3BlbkFJ sk- n\\n A_ _ 0:AA token: password= ?sig= auth=( ghp_ key- YWFh".split(
    " ",
  ),
  'password: "',
  "aws secret ",
  "eyJaaaaaaaaaaaa.",
  "   ",
  "\n",
  '" + "',
  '"\n"',
  "\\\n",
  "bearer ",
  "basic ",
  "curl -u a:b ",
  "mysql -pa1b2c3 ",
  "kind: Secret\ndata:\n a: bbbbbbbb\n",
  "kind: Secret\n---\n",
  "name: TOKEN\nvalue: ",
  "PASSWORD ",
  "-----BEGIN PRIVATE KEY-----",
  "-----END PRIVATE KEY-----\n",
  `${part(64)}\n`,
  `"${part(40)}"`,
  `ghp_${part(36)} `,
  '\\"password\\":\\"',
  "secret: string = ",
  "AKIAQ5ZGLXW2MPKD6TVR ",
  "YWFhYWFhYWFhYWFhYWFhYWFh ",
  "<password>",
  " -paaaaa",
];

/** Four times the text may take four times as long, and as much again for what the machine does meanwhile; never sixteen. */
const MAX_RATIO = 10;

/** Below this the clock measures itself. */
const MIN_MS = 8;

test("four times as much hostile text takes about four times as long", () => {
  const cpuMs = (piece: string, chars: number): number => {
    const text = piece.repeat(Math.ceil(chars / piece.length));
    const times = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      findSecrets(text);
      return process.cpuUsage(before).user / 1_000;
    });
    return Math.min(...times);
  };
  const slow = HOSTILE.filter((piece) => {
    const ratio = cpuMs(piece, 200_000) / Math.max(MIN_MS, cpuMs(piece, 50_000));
    return ratio > MAX_RATIO;
  });
  assert.deepEqual(slow, []);
});

/** More than a call can take arguments. */
const MANY = 130_000;

const VALUE = "b7Rk2pXv";

const CROWDED: readonly (readonly [what: string, text: string, secret: string])[] = [
  ["tokens of one format", `AKIA${BASE32} `.repeat(MANY), BASE32],
  ["values of a Kubernetes secret", `kind: Secret\ndata:\n${` a: ${VALUE}\n`.repeat(MANY)}`, VALUE],
  ["characters in a line", `-----BEGIN ${KEY_NAME}-----\n${part(80).repeat(MANY / 10)}\n`, part(40, 4)],
];

for (const [what, text, secret] of CROWDED) {
  test(`${MANY} ${what} are all masked`, () => {
    const masked = createSameLengthMask()(text);
    assert.equal(masked.length, text.length);
    for (const each of [masked, maskSecrets(text)]) assert.ok(!each.includes(secret));
  });
}

test(`${MANY} parts of a key on one line are all found, and a line of many megabytes is no trouble`, () => {
  const header = `-----BEGIN ${KEY_NAME}-----\n`;
  assert.equal(findKeyLines(`${header}${`${part(40)}.`.repeat(MANY)}\n`).length, MANY);
  assert.ok(findKeyLines(`${header}${part(80).repeat(MANY)}\n`).length > 1);
});

test("a very long hostile text is masked in linear time", () => {
  for (const piece of [
    "eyJ",
    "eyJ-",
    "eyJaaaaaaaa.",
    "token ",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----",
    "gh",
  ]) {
    const text = piece.repeat(300_000);
    assert.ok(maskCredentials(text).length <= text.length);
  }
});
