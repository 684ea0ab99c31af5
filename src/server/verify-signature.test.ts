import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { verifySignature } from "./verify-signature.ts";

const SECRET = "it's a secret to everybody";
const BODY = Buffer.from('{"zen":"ünïcode \u{1F43B}"}');

function sign(body: Uint8Array, secret = SECRET, algorithm = "sha256"): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(body).digest("hex")}`;
}

const RIGHT = sign(BODY);
const HEX = RIGHT.slice("sha256=".length);

test("the signature of the same bytes with the same secret is right", () => {
  assert.equal(verifySignature(BODY, RIGHT, SECRET), true);
  assert.equal(verifySignature(new Uint8Array(), sign(new Uint8Array()), SECRET), true);
});

test("while a secret is replaced, signatures with either are right, and with a third are not", () => {
  const next = "the next secret of this test";
  for (const secret of [SECRET, next])
    assert.equal(verifySignature(BODY, sign(BODY, secret), next, SECRET), true);
  assert.equal(verifySignature(BODY, sign(BODY, "another secret"), next, SECRET), false);
  assert.equal(verifySignature(BODY, RIGHT), false);
});

test("a signature made elsewhere is right: HMAC-SHA256 in hexadecimal", () => {
  const signature = "sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8";
  const body = Buffer.from("The quick brown fox jumps over the lazy dog");
  assert.equal(verifySignature(body, signature, "key"), true);
});

test("bytes that are not text are signed as they are", () => {
  const bytes = Uint8Array.from([0xff, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80]);
  assert.equal(verifySignature(bytes, sign(bytes), SECRET), true);
  const decoded = Buffer.from(Buffer.from(bytes).toString("utf8"));
  assert.equal(verifySignature(decoded, sign(bytes), SECRET), false);
});

const WRONG: readonly (readonly [what: string, signature: string | undefined])[] = [
  ["none", undefined],
  ["an empty one", ""],
  ["one without its algorithm", HEX],
  ["another algorithm", sign(BODY, SECRET, "sha1")],
  ["another secret's", sign(BODY, "another secret")],
  ["an empty secret's", sign(BODY, "")],
  ["another body's", sign(Buffer.from("{}"))],
  ["one with one character changed", `${RIGHT.slice(0, -1)}${RIGHT.endsWith("0") ? "1" : "0"}`],
  ["one that is too short", RIGHT.slice(0, -2)],
  ["one that is too long", `${RIGHT}00`],
  ["one in capitals", `sha256=${HEX.toUpperCase()}`],
  ["one with space around it", ` ${RIGHT}`],
  ["one with a line break after it", `${RIGHT}\n`],
  ["two at once", `${RIGHT}, ${RIGHT}`],
  ["one that is not hexadecimal", `sha256=${"z".repeat(64)}`],
];

for (const [what, signature] of WRONG) {
  test(`refused: ${what}`, () => assert.equal(verifySignature(BODY, signature, SECRET), false));
}

test("a body that was changed by one byte is refused", () => {
  for (let index = 0; index < BODY.length; index++) {
    const changed = Uint8Array.from(BODY);
    changed[index] = (changed[index] ?? 0) ^ 1;
    assert.equal(verifySignature(changed, RIGHT, SECRET), false, `byte ${index}`);
  }
});
