/** A provider's outage: the review goes out without the model, and the model looks again once the provider is back, without a push. */
import assert from "node:assert/strict";
import { planReconcile, RECONCILE_EVERY_MS } from "../../src/jobs/reconcile.ts";
import { eventually } from "../support/eventually.ts";
import {
  FINISHING,
  type ModelScene,
  oneByOne,
  recording,
  testModels,
} from "../support/model-scenes/model-scene.ts";
import type { ModelTurn } from "../support/model-server/script.ts";

const DOWN: ModelTurn = { faults: [{ kind: "status", status: 503, times: "always" }] };

const LOAD = recording({
  path: "src/users.ts",
  quote: "export function load() {",
  title: "Callers cannot await it",
});

/** Less time would leave none for the retries of a request. */
const CONFIG = "timeoutSeconds: 5\n";

const DAY_MS = 24 * 60 * 60 * 1_000;

const RULES_COMMENTS = ["src/users.ts:4", "src/users.ts:10"];

/** Time passes, and the reconciler has run then. Returns its reason. */
function createReconciler(scene: ModelScene) {
  const { database, queue } = scene;
  let passes = 0;
  return async (afterMs: number): Promise<string> => {
    await scene.passTime(afterMs);
    passes++;
    const request = planReconcile(Date.now() + passes * RECONCILE_EVERY_MS);
    const [enqueued] = await database.transaction((sql) => queue.enqueue([request], sql));
    queue.wake();
    return eventually("the reconciler", async () => {
      const job = await queue.read(enqueued?.jobId ?? 0);
      return job?.state === "done" && (job.reason ?? "");
    });
  };
}

testModels(
  "[P17] after an outage the model reviews the same commit without a push, and nothing is said twice",
  async (openModelScene) => {
    const scene = await openModelScene({ script: () => DOWN, config: CONFIG });
    const { fake, pullRequest, server } = scene;
    await scene.start();
    await scene.send("opened");
    const [first] = await scene.settled();
    assert.deepEqual([first?.state, first?.reason], ["done", "model-unavailable"]);
    const published = { reviews: 1, comments: RULES_COMMENTS, summaries: 1, conclusions: ["neutral"] };
    assert.deepEqual(scene.published(), published);
    const [summary] = fake.commentsOf(pullRequest);
    assert.match(scene.summary(), /was overloaded/);

    const reconcile = createReconciler(scene);
    assert.doesNotMatch(await reconcile(60_000), /taken up/, "too early");
    server.script(oneByOne([LOAD, FINISHING]));
    assert.match(await reconcile(5 * 60_000), /1 review taken up$/);
    const [, second, ...more] = await scene.settled();
    assert.deepEqual([second?.state, second?.reason, more], ["done", "published", []]);
    assert.match(second?.payload ?? "", /"trigger":"model-back"/);
    assert.deepEqual(scene.published(), {
      ...published,
      reviews: 2,
      comments: [...RULES_COMMENTS, "src/users.ts:7"],
    });
    assert.deepEqual(
      fake.commentsOf(pullRequest).map(({ id }) => id),
      [summary?.id],
      "the summary is edited in place",
    );
    assert.match(scene.summary(), /Callers cannot await it/);
    assert.doesNotMatch(scene.summary(), /was overloaded/);

    assert.doesNotMatch(await reconcile(DAY_MS), /taken up/, "the model has looked");
    assert.equal((await scene.settled()).length, 2);
    scene.check({ reviewsPerHead: 2 });
  },
);

testModels(
  "a provider that stays down is called a limited number of times, and each review says the same",
  async (openModelScene) => {
    const scene = await openModelScene({ script: () => DOWN, config: CONFIG });
    await scene.start();
    await scene.send("opened");
    await scene.settled();
    const reconcile = createReconciler(scene);
    const reasons: string[] = [];
    for (let pass = 0; pass < 7; pass++) {
      reasons.push((await reconcile(DAY_MS)).replace(/^.*found,? ?/, ""));
      await scene.settled();
    }
    const once = "1 review taken up";
    assert.deepEqual(reasons, [once, once, once, once, once, once, ""]);
    const jobs = await scene.settled();
    assert.deepEqual(
      jobs.map(({ reason }) => reason),
      Array.from({ length: 7 }, () => "model-unavailable"),
    );
    assert.deepEqual(scene.published(), {
      reviews: 1,
      comments: RULES_COMMENTS,
      summaries: 1,
      conclusions: ["neutral"],
    });
    scene.check();
  },
);

testModels(
  "a commit that was closed, pushed over or reviewed with the model in the meantime isn't taken up",
  async (openModelScene) => {
    const scene = await openModelScene({ script: () => DOWN, config: CONFIG });
    const { fake, pullRequest, server } = scene;
    await scene.start();
    await scene.send("opened");
    await scene.settled();
    const reconcile = createReconciler(scene);
    await fake.closePullRequest(pullRequest);
    assert.doesNotMatch(await reconcile(DAY_MS), /taken up/);
    await fake.reopenPullRequest(pullRequest);
    server.script(oneByOne([LOAD, FINISHING]));
    await fake.send(
      fake.events.comment(fake.comment(pullRequest, { author: "ada", body: "/kodiai review" })),
    );
    await eventually("the requested review", async () => (await scene.settled()).length === 2);
    assert.deepEqual(scene.published().comments, [...RULES_COMMENTS, "src/users.ts:7"]);
    assert.doesNotMatch(await reconcile(DAY_MS), /taken up/);
    scene.check({ reviewsPerHead: 2, isSummary: (body) => body.includes("kodiai:summary") });
  },
);
