import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { decodeBytes, decodePath, encodePath, unquotePath } from "./decode-bytes.ts";

test("a path survives decoding and encoding, whatever its bytes", () => {
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

test("contents are UTF-8 where they can be, latin1 where not", () => {
  assert.equal(decodeBytes("plain"), "plain");
  assert.equal(decodeBytes("\xe2\x82\xac"), "€");
  assert.equal(decodeBytes("\xe9t\xe9"), "été");
});

test("git's quoting is undone", () => {
  assert.equal(unquotePath("plain"), "plain");
  assert.equal(unquotePath('"a\\\\b\\"c\\n\\303\\274"'), 'a\\b"c\n\xc3\xbc');
  assert.equal(unquotePath('"'), '"');
});
