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

test("a signature of the same bytes with the same secret is valid", () => {
  assert.equal(verifySignature(BODY, RIGHT, SECRET), true);
  assert.equal(verifySignature(new Uint8Array(), sign(new Uint8Array()), SECRET), true);
});

test("a published HMAC-SHA256 test vector is valid", () => {
  const signature = "sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8";
  const body = Buffer.from("The quick brown fox jumps over the lazy dog");
  assert.equal(verifySignature(body, signature, "key"), true);
});

test("bytes that aren't text are verified without decoding", () => {
  const bytes = Uint8Array.from([0xff, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80]);
  assert.equal(verifySignature(bytes, sign(bytes), SECRET), true);
  const decoded = Buffer.from(Buffer.from(bytes).toString("utf8"));
  assert.equal(verifySignature(decoded, sign(bytes), SECRET), false);
});

const INVALID: readonly (readonly [what: string, signature: string | undefined])[] = [
  ["no signature", undefined],
  ["an empty signature", ""],
  ["a signature without its algorithm", HEX],
  ["another algorithm", sign(BODY, SECRET, "sha1")],
  ["a signature with another secret", sign(BODY, "another secret")],
  ["a signature with an empty secret", sign(BODY, "")],
  ["a signature of another body", sign(Buffer.from("{}"))],
  ["a signature with one changed character", `${RIGHT.slice(0, -1)}${RIGHT.endsWith("0") ? "1" : "0"}`],
  ["a signature that is too short", RIGHT.slice(0, -2)],
  ["a signature that is too long", `${RIGHT}00`],
  ["a signature in capitals", `sha256=${HEX.toUpperCase()}`],
  ["a signature with a leading space", ` ${RIGHT}`],
  ["a signature with a trailing line break", `${RIGHT}\n`],
  ["two signatures", `${RIGHT}, ${RIGHT}`],
  ["a signature that isn't hexadecimal", `sha256=${"z".repeat(64)}`],
];

for (const [what, signature] of INVALID) {
  test(`rejected: ${what}`, () => assert.equal(verifySignature(BODY, signature, SECRET), false));
}

test("a body with one changed byte is rejected", () => {
  for (let index = 0; index < BODY.length; index++) {
    const changed = Uint8Array.from(BODY);
    changed[index] = (changed[index] ?? 0) ^ 1;
    assert.equal(verifySignature(changed, RIGHT, SECRET), false, `byte ${index}`);
  }
});
