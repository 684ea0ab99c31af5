/** Fixes on second pushes: a finding that is broken again comes back as a new comment, and a person's last word keeps a thread open. */
import assert from "node:assert/strict";
import { threadStates } from "../support/app/pushes.ts";
import { testModels } from "../support/model-scenes/model-scene.ts";
import {
  AGAIN,
  AMOUNT,
  FIXED,
  UNFIXED,
  confirming,
  finding,
  openReviewed,
  push,
  totalOf,
} from "../support/model-scenes/orders.ts";

testModels(
  "a fixed finding of a model is resolved, and comes back as a new comment when it is broken again",
  async (openModelScene) => {
    const scene = await openReviewed(openModelScene, [finding(AMOUNT)]);
    await push(scene, totalOf(FIXED), [confirming(1, "fixed", FIXED)]);
    assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | kodiai[bot]`]);
    assert.match(scene.summary(), /### Resolved \(1\)/);

    await push(scene, totalOf(UNFIXED), [finding(AGAIN)]);
    assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | kodiai[bot]`, `${AGAIN.title} | open`]);
    const [, comment] = scene.fake.reviewCommentsOf(scene.pullRequest);
    assert.match(comment?.body ?? "", /Back again: reported before as \[\(1\)\]/);
    scene.check();
  },
);

testModels("a thread on which a person wrote last is not resolved by a fix", async (openModelScene) => {
  const scene = await openReviewed(openModelScene, [finding(AMOUNT)]);
  const { fake, pullRequest } = scene;
  const [comment] = fake.reviewCommentsOf(pullRequest);
  assert.ok(comment !== undefined);
  fake.reply(comment, { author: "ada", body: "Orders have one of each." });
  await push(scene, totalOf(FIXED), [confirming(1, "fixed", FIXED)]);
  assert.deepEqual(await threadStates(scene), [`${AMOUNT.title} | open`]);
  scene.check();
});
