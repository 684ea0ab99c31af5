import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_MODELS } from "../../../test/support/no-models.ts";
import { noConfig } from "../../config/repo-config/no-config.ts";
import { modelsIfNamed } from "./models-if-named.ts";

const config = noConfig().root.values;

test("models: where nobody names one, nothing is loaded and the review says how to have one", async () => {
  const access = modelsIfNamed(() => assert.fail("nothing may be loaded"));
  const { models, note } = await access.choice.choose(config);
  assert.deepEqual(models, []);
  assert.match(note ?? "", /floor alone; set ANTHROPIC_API_KEY/);
});

test("models: one that the repository names is looked for, also as a fallback", async () => {
  for (const named of [{ model: "openai:x" }, { fallbackModels: ["openai:x"] }]) {
    const real = { ...NO_MODELS, randomWord: () => "real" };
    const access = modelsIfNamed(async () => real);
    assert.equal((await access.choice.choose({ ...config, ...named })).note, "none");
    assert.equal(access.randomWord(), "real");
    assert.equal(access.money.operatorPrices, real.money.operatorPrices);
  }
});
