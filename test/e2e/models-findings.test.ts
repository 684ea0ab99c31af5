/** A model's findings, from the webhook to the pull request: the right comments, on the right lines, once. */
import assert from "node:assert/strict";
import { MODEL_KEY, testModels } from "../support/model-scenes/model-scene.ts";
import { options, assertFive } from "../support/model-findings-fixtures.ts";

testModels(
  "a webhook and five findings of a model: the right comments on the right lines, the rest in the details",
  async (openModelScene) => {
    const scene = await openModelScene(options("openai"));
    await assertFive(scene, "openai:scripted");
    assert.deepEqual(new Set(scene.server.requests.map(({ key }) => key)), new Set([MODEL_KEY]));
  },
);
