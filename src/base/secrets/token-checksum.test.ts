import assert from "node:assert/strict";
import { test } from "node:test";
import { checksumOf, hasGithubChecksum } from "./token-checksum.ts";

// The CRC-32 of "123456789" is cbf43926 in every description of it, which is 3421780262 in base 10.
test("the checksum is the CRC-32 in base 62", () => {
  assert.equal(checksumOf("123456789"), "3jZRME");
});

test("short checksums are padded with zeros", () => {
  assert.equal(checksumOf(""), "000000");
});

test("a token is right only with its own checksum", () => {
  const random = "k3vR9tW2xL7mQ4zN8dH5jYcF1gT6pX";
  const token = `ghp_${random}${checksumOf(random)}`;
  assert.equal(hasGithubChecksum(token), true);
  assert.equal(hasGithubChecksum(token.replace("k3", "k4")), false);
  assert.equal(hasGithubChecksum(`npm_${"a".repeat(36)}`), false);
});
