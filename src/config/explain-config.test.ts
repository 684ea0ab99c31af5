import assert from "node:assert/strict";
import { test } from "node:test";
import { explainConfig } from "./explain-config.ts";
import { noConfig } from "./repo-config/no-config.ts";
import { parseConfigTree } from "./repo-config/parse-config.ts";

const tree = parseConfigTree([
  {
    path: ".kodiai.yml",
    text: "review: { mode: auto, skipPaths: ['a b/**', c] }\nfloor: { rules: { x: off } }",
  },
  {
    path: "pkg/.kodiai.yml",
    text: 'review: { mode: strict, prompt: "two\\nlines" }\nfloor: { rules: { y: minor } }',
  },
]);

test("each key has its value and its origin", () => {
  const rows = new Map(explainConfig(tree, "pkg/x.ts").map((row) => [row.key, row]));
  for (const [key, value, origin, isDefault] of [
    ["review.enabled", "true", "default", true],
    ["review.mode", "strict", "pkg/.kodiai.yml", false],
    ["review.skipPaths", '["a b/**","c"]', ".kodiai.yml", false],
    ["review.severity.minLevel", "not set", "default", true],
    ["review.prompt", '"two\\nlines"', "pkg/.kodiai.yml", false],
    ["floor.rules.x", "off", ".kodiai.yml", false],
    ["floor.rules.y", "minor", "pkg/.kodiai.yml", false],
    ["prices", "{}", "default", true],
  ] as const) {
    assert.deepEqual(rows.get(key), { key, value, origin, isDefault });
  }
  const root = explainConfig(tree, "x.ts").find(({ key }) => key === "review.mode");
  assert.deepEqual(root, {
    key: "review.mode",
    value: "auto",
    origin: ".kodiai.yml",
    isDefault: false,
  });
});

test("keys are in schema order, without duplicates", () => {
  const keys = explainConfig(noConfig(), "").map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length);
  assert.deepEqual(keys.slice(0, 3), ["review.enabled", "review.mode", "review.effort"]);
  assert.equal(keys.at(-1), "telemetry.retentionDays");
  assert.ok(keys.indexOf("floor.rules") < keys.indexOf("model"));
});
