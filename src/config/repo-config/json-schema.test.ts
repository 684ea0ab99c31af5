import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { CONFIG_EXAMPLES } from "./config-examples.ts";
import { DEFAULT_CONFIG } from "./default-config.ts";
import { renderJsonSchema } from "./json-schema.ts";
import { renderStarterConfig } from "./render-default-config.ts";

const validate = new Ajv2020().compile(JSON.parse(renderJsonSchema()));

test("editors accept what the parser accepts", () => {
  for (const value of [{}, DEFAULT_CONFIG, { review: null }, parse(renderStarterConfig())]) {
    assert.ok(validate(value), JSON.stringify(validate.errors));
  }
  for (const [name, example] of Object.entries(CONFIG_EXAMPLES)) {
    assert.ok(validate(parse(example)), `${name}: ${JSON.stringify(validate.errors)}`);
  }
});

test("editors reject what the parser rejects", () => {
  for (const value of [
    { reviews: {} },
    { review: { mode: "strct" } },
    { review: { maxComments: 51 } },
    { review: { skipPaths: "dist/**" } },
    { review: { mode: null } },
    { review: { pathInstructions: [{ paths: ["a"] }] } },
    { floor: { rules: { x: "of" } } },
    [],
  ]) {
    assert.equal(validate(value), false, JSON.stringify(value));
  }
});

test("the schema has an ID and keeps the descriptions", () => {
  const schema: unknown = JSON.parse(renderJsonSchema());
  assert.ok(typeof schema === "object" && schema !== null && "title" in schema && "$id" in schema);
  assert.equal("required" in schema, false);
  assert.match(renderJsonSchema(), /"description": "Review draft pull requests too\."/);
});
