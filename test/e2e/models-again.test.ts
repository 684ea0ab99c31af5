/** A model's review that is superseded by a push, closed, or requested again: nothing is repeated, and no work is wasted. */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
import { AFTER } from "../support/app/scenario.ts";
import { FINISHING, oneByOne, testModels } from "../support/model-scenes/model-scene.ts";
import { ENDLESS, LOAD, SEARCH, whenAsked } from "../support/models-again-fixtures.ts";

testModels(
  "a push during a model's review stops the model at once, and only the new head is published",
  async (openModelScene) => {
    const scene = await openModelScene({
      script: ({ conversation, turn }) =>
        (conversation === 1 ? [...oneByOne([LOAD]), ENDLESS] : oneByOne([SEARCH, FINISHING]))[turn] ?? {},
      config: "review:\n  debounceSeconds: 0\n",
    });
    const { fake, pullRequest, server } = scene;
    await scene.start();
    const isPushed = whenAsked(scene, 1, async () => {
      await fake.push(pullRequest, { ...AFTER, "src/more.ts": "debugger;\n" });
      await scene.send("synchronize");
    });
    await scene.send("opened");
    await eventually("the push", isPushed);
    await eventually("the model to be stopped", () => server.requests[1]?.end() === "left");
    const jobs = await eventually("both reviews", async () => {
      const all = await scene.settled();
      return all.length === 2 && all;
    });
    assert.deepEqual(
      jobs.map(({ state, reason }) => `${state} ${reason}`),
      [`superseded superseded-by:${jobs[1]?.id}`, "done published"],
    );
    assert.deepEqual(
      fake.reviewsOf(pullRequest).map(({ commit }) => commit),
      [pullRequest.head],
    );
    assert.deepEqual(scene.published().comments.toSorted(), [
      "src/more.ts:1",
      "src/users.ts:10",
      "src/users.ts:4",
      "src/users.ts:9",
    ]);
    scene.check();
  },
);
