import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { decodeBytes, decodePath, encodePath, unquotePath } from "./decode-bytes.ts";

test("a path with any bytes survives decoding and encoding", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const latin1 = Buffer.from(bytes).toString("latin1");
      assert.equal(encodePath(decodePath(latin1)), latin1);
    }),
  );
});

test("different paths stay different", () => {
  assert.notEqual(decodePath("a\xff"), decodePath("a\xfe"));
  assert.notEqual(decodePath("a\xff"), decodePath("a\xc3\xbf"));
});

test("contents are decoded as UTF-8 if valid, otherwise as latin1", () => {
  assert.equal(decodeBytes("plain"), "plain");
  assert.equal(decodeBytes("\xe2\x82\xac"), "€");
  assert.equal(decodeBytes("\xe9t\xe9"), "été");
});

test("git's quoting is reversed", () => {
  assert.equal(unquotePath("plain"), "plain");
  assert.equal(unquotePath('"a\\\\b\\"c\\n\\303\\274"'), 'a\\b"c\n\xc3\xbc');
  assert.equal(unquotePath('"'), '"');
});
