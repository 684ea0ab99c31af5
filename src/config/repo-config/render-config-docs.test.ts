import assert from "node:assert/strict";
import { test } from "node:test";
import { CONFIG_EXAMPLES } from "./config-examples.ts";
import { parseConfigTree } from "./parse-config.ts";
import { renderConfigDocs } from "./render-config-docs.ts";
import { CONFIG_OUTLINE, listLeaves, type ConfigOutline } from "./schema-outline.ts";

test("every key is in the docs with a description", () => {
  const docs = renderConfigDocs();
  for (const { key, outline } of listLeaves()) {
    assert.notEqual(outline.description, "", key);
    const place = outline.shape.kind === "record" && !key.includes(".") ? `\n## ${key}\n` : `| \`${key}\` |`;
    assert.ok(docs.includes(place), key);
  }
  assert.doesNotMatch(docs, /Infinity|undefined|\[object/);
});

test("every section has a valid example", () => {
  for (const [name, { shape }] of CONFIG_OUTLINE.keys) {
    if (shape.kind === "section" || shape.kind === "record") assert.ok(CONFIG_EXAMPLES[name], name);
  }
  for (const [name, text] of Object.entries(CONFIG_EXAMPLES)) {
    const tree = parseConfigTree([{ path: ".kodiai.yml", text }]);
    assert.deepEqual(tree.problems, [], name);
    if (name !== "") assert.ok(tree.root.isSet(name), name);
  }
});

test("every list and text has a limit", () => {
  const check = ({ shape }: ConfigOutline, key: string): void => {
    if (shape.kind === "list") {
      assert.ok(shape.max > 0 && Number.isFinite(shape.max), key);
      check(shape.item, key);
    }
    if (shape.kind === "text" || shape.kind === "number") assert.ok(shape.max > 0, key);
    if (shape.kind === "section") for (const [name, inner] of shape.keys) check(inner, `${key}.${name}`);
    if (shape.kind === "either") for (const inner of [shape.word, shape.mapping]) check(inner, key);
    if (shape.kind === "record") {
      check(shape.name, key);
      check(shape.value, key);
    }
  };
  for (const [name, outline] of CONFIG_OUTLINE.keys) check(outline, name);
});
