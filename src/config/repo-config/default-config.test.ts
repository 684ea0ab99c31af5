import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { DEFAULT_CONFIG } from "./default-config.ts";
import { noConfig } from "./no-config.ts";
import { RepoConfigSchema } from "./schema.ts";

test("the generated defaults equal the schema's", () => {
  assert.deepEqual(DEFAULT_CONFIG, RepoConfigSchema.parse({}));
});

test("without a configuration every path has the defaults", () => {
  const tree = noConfig();
  assert.equal(tree.root.values, DEFAULT_CONFIG);
  assert.equal(tree.forPath("a/b.ts").values, DEFAULT_CONFIG);
  assert.equal(tree.root.isSet("review"), false);
  assert.equal(tree.root.originOf("review.mode"), "default");
  assert.deepEqual(tree.problems, []);
});

test("a run without a configuration loads neither schema nor parser", () => {
  for (const [file, allowed] of [
    ["no-config.ts", ["./default-config.ts"]],
    ["default-config.ts", []],
  ] as const) {
    const source = readFileSync(join(import.meta.dirname, file), "utf8");
    const imports = [...source.matchAll(/^import (?!type )[^;]*from "([^"]+)"/gm)].map((match) => match[1]);
    assert.deepEqual(imports, allowed, file);
  }
});
