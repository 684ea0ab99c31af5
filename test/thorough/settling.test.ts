/** Settling findings through crashes, and during a push. */
import assert from "node:assert/strict";
import { answersOn, isSummary, mention, mentionsEnded } from "../support/app/mentions.ts";
import { pushAndReview } from "../support/app/pushes.ts";
import { testAppInOneProcess } from "../support/app/test-app.ts";
import { eventually } from "../support/eventually.ts";

const CONFIG = "review:\n  debounceSeconds: 0\n  failOn: minor\n";

for (const point of ["before-settling", "before-summary", "after-summary", "after-settling"])
  testAppInOneProcess(`${point}: after a crash the check follows once`, async (openScenario) => {
    const scene = await openScenario({ config: CONFIG });
    scene.repository.roles.set("ben", "write");
    const first = await scene.start();
    await scene.send("opened");
    await scene.settled();
    await first.stop();
    const doomed = await scene.start(["serve"], { KODIAI_FAULT_POINT: point });
    await mention(scene, "@kodiai dismiss 1 no", { author: "ben" });
    assert.equal(await doomed.ended, "SIGKILL", doomed.output());
    await scene.start();
    await mention(scene, "@kodiai dismiss 2 no", { author: "ben" });
    await mentionsEnded(scene, 2);
    await eventually("the check", () => scene.published().conclusions.at(-1) === "success");
    assert.equal(answersOn(scene, scene.pullRequest).length, 2);
    assert.equal(scene.published().conclusions.length, 1);
    // A job that was killed runs in a process of its own, so its writes may overlap with the server's.
    scene.check({ isSummary, isOverlapAllowed: true });
  });

testAppInOneProcess("a push after the word: its review has it", async (openScenario) => {
  const scene = await openScenario({ config: CONFIG });
  const { fake, pullRequest } = scene;
  scene.repository.roles.set("ben", "write");
  await scene.start();
  await scene.send("opened");
  await scene.settled();
  await mention(scene, "@kodiai dismiss 1 no", { author: "ben" });
  await mention(scene, "@kodiai waive 2 no", { author: "ben" });
  assert.equal(await pushAndReview(scene, { "src/users.test.ts": "// three\n" }), "published");
  await mentionsEnded(scene, 2);
  await eventually("the check", () => scene.published().conclusions.at(-1) === "success");
  assert.equal(fake.commentsOf(pullRequest).filter(({ body }) => isSummary(body)).length, 1);
  scene.check({ isSummary });
});
