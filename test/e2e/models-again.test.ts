/** A model's review that is superseded by a push, closed, or requested again: nothing is repeated, and no work is wasted. */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
import { AFTER } from "../support/app/scenario.ts";
import {
  FINISHING,
  type ModelScene,
  oneByOne,
  recording,
  testModels,
} from "../support/model-scenes/model-scene.ts";
import type { ModelTurn } from "../support/model-server/script.ts";

const ENDLESS: ModelTurn = { text: "Let me think. ".repeat(20_000), pauseMs: 50 };

const found = (quote: string, title: string) => recording({ path: "src/users.ts", quote, title });

const LOAD = found("export function load() {", "Callers cannot await it");
const SEARCH = found('    find("1");', "The search is not awaited");

/** Does it when the first request of this turn has come. */
function whenAsked({ server }: ModelScene, turn: number, act: () => Promise<unknown>): () => boolean {
  let isDone = false;
  let hasBegun = false;
  server.onRequest((request) => {
    if (hasBegun || request.turn !== turn) return;
    hasBegun = true;
    void act().then(() => (isDone = true));
  });
  return () => isDone;
}

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
    assert.match(scene.summary(), /To retry, comment `\/kodiai review`\./);
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
      "src/users.ts:4",
      "src/users.ts:7",
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
