/** A model review that is closed or requested again. */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
import { FINISHING, oneByOne, testModels } from "../support/model-scenes/model-scene.ts";
import { ENDLESS, LOAD, SEARCH, whenAsked } from "../support/models-again-fixtures.ts";

testModels(
  "closing a pull request during a model's review stops the model, and nothing is published",
  async (openModelScene) => {
    const scene = await openModelScene({ script: [...oneByOne([LOAD]), ENDLESS] });
    const { fake, pullRequest, server } = scene;
    await scene.start();
    const isClosed = whenAsked(scene, 1, async () => {
      await fake.closePullRequest(pullRequest);
      await scene.send("closed");
    });
    await scene.send("opened");
    await eventually("the closing", isClosed);
    await eventually("the model to be stopped", () => server.requests[1]?.end() === "left");
    await scene.settled();
    const { reviews, summaries, comments } = scene.published();
    assert.deepEqual([reviews, summaries, comments], [0, 0, []]);
    scene.check();
  },
);

testModels(
  "a partial review says how to ask again, and what comes then is only what is new",
  async (openModelScene) => {
    const scene = await openModelScene({
      script: ({ conversation, turn }) =>
        (conversation === 1
          ? [...oneByOne([LOAD]), ENDLESS]
          : oneByOne([LOAD, SEARCH, FINISHING, FINISHING]))[turn] ?? {},
      config: "timeoutSeconds: 15\n",
    });
    const { fake, pullRequest, server } = scene;
    await scene.start();
    await scene.send("opened");
    const [first] = await scene.settled();
    assert.deepEqual([first?.state, first?.reason], ["done", "timeout-partial"]);
    assert.match(scene.summary(), /To retry, comment `@kodiai review`\./);
    const asking = fake.comment(pullRequest, { author: "ada", body: "/kodiai review" });
    await fake.send(fake.events.comment(asking));
    const [, second] = await eventually("the second review", async () => {
      const all = await scene.settled();
      return all.length === 2 && all;
    });
    assert.deepEqual([second?.state, second?.reason], ["done", "published"]);
    const again = server.requests.find(({ conversation }) => conversation === 2);
    assert.match(again?.prompt ?? "", /Callers cannot await it/, "it was shown what is open");
    assert.deepEqual(scene.published().comments, [
      "src/users.ts:7",
      "src/users.ts:4",
      "src/users.ts:10",
      "src/users.ts:9",
    ]);
    const summary = scene.summary();
    assert.match(summary, /Still open \(3\)/);
    assert.match(summary, /Reviewed: 11 added lines in 2 files/);
    assert.doesNotMatch(summary, /ran out of time|To retry/);
    scene.check({ reviewsPerHead: 2 });
  },
);
