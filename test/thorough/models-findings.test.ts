/** A model's findings with every provider, from a fork, and without findings. */
import assert from "node:assert/strict";
import { FINISHING, oneByOne, testModels } from "../support/model-scenes/model-scene.ts";
import { options, assertFive } from "../support/model-findings-fixtures.ts";

testModels(
  "five findings of a model behind Anthropic's own interface become the same comments",
  async (openModelScene) => {
    await assertFive(await openModelScene(options("anthropic")), "anthropic:scripted");
  },
);

testModels(
  "five findings of a model behind the Claude Agent SDK become the same comments",
  async (openModelScene) => {
    await assertFive(await openModelScene(options("claude")), "claude:scripted");
  },
);

testModels(
  "five findings of a model on a server of one's own become the same comments",
  async (openModelScene) => {
    await assertFive(await openModelScene(options("compatible")), "compatible:scripted");
  },
);

testModels("a pull request from a fork is reviewed by the model as any other", async (openModelScene) => {
  const scene = await openModelScene({
    ...options("openai"),
    pullRequest: { fork: "grace", author: "grace" },
  });
  await assertFive(scene, "openai:scripted");
});

testModels(
  "a model that reads everything and finds nothing: no review, no summary, a green check that says who read it",
  async (openModelScene) => {
    const scene = await openModelScene({
      script: oneByOne([FINISHING]),
      pullRequest: { files: { "README.md": "# Shop\n" } },
    });
    await scene.start();
    await scene.send("opened");
    await scene.settled();
    assert.deepEqual(scene.published(), {
      reviews: 0,
      comments: [],
      summaries: 0,
      conclusions: ["success"],
    });
    assert.match(
      scene.fake.checksOf(scene.pullRequest)[0]?.output.title ?? "",
      /No findings in 1 file \(1 added line reviewed by openai:scripted and built-in rules\)/,
    );
    scene.check();
  },
);
