import assert from "node:assert/strict";
import { test } from "node:test";
import { maskCommandsOf } from "./masks.ts";

const MASKS: readonly (readonly [string, string, readonly string[]])[] = [
  ["ANTHROPIC_API_KEY", "sk-ant-12345", ["sk-ant-12345"]],
  ["INPUT_GITHUB-TOKEN", "ghs_12345678", ["ghs_12345678"]],
  ["KODIAI_MARKER_SECRET", "50%\nof it all", ["50%25%0Aof it all", "of it all"]],
  ["HTTPS_PROXY", "http://ada:s%23cret-one@proxy:3128", ["s%2523cret-one", "s#cret-one"]],
  ["OPENAI_API_KEY", "short", []],
  ["OPENAI_API_KEY_FILE", "/run/secrets/openai", []],
  ["PATH", "/usr/local/bin:/usr/bin", []],
  ["MONKEY", "banana-banana", []],
];
for (const [name, value, hidden] of MASKS)
  test(`masks: ${name}=${value}`, () =>
    assert.deepEqual(
      maskCommandsOf({ [name]: value }),
      hidden.map((text) => `::add-mask::${text}`),
    ));
