import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_MODELS } from "../../../test/support/no-models.ts";
import { noConfig } from "../../config/repo-config/no-config.ts";
import { modelsIfNamed } from "./models-if-named.ts";

const config = noConfig().root.values;

test("models: without a configured model nothing is loaded", async () => {
  const access = modelsIfNamed(() => assert.fail("nothing may be loaded"));
  const { models, noModel } = await access.choice.choose(config);
  assert.deepEqual(models, []);
  assert.equal(noModel, "not-configured");
});

test("models: a model in the repository's configuration is loaded, even as a fallback", async () => {
  for (const named of [{ model: "openai:x" }, { fallbackModels: ["openai:x"] }]) {
    const real = { ...NO_MODELS, randomWord: () => "real" };
    const access = modelsIfNamed(async () => real);
    assert.equal((await access.choice.choose({ ...config, ...named })).noModel, "not-configured");
    assert.equal(access.randomWord(), "real");
    assert.equal(access.money.operatorPrices, real.money.operatorPrices);
  }
});
