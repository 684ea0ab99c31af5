/** `kill -9` at every step of a review: after a restart there is exactly one review, and nothing was lost. */
import assert from "node:assert/strict";
import { suite } from "node:test";
import { FAULT_POINTS } from "../../src/base/fault-point.ts";
import { assertFrozenIsFenced } from "../support/app/frozen-worker.ts";
import { eventually } from "../support/app/running-app.ts";
import { ONE_REVIEW } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";

void suite("the process is killed", { concurrency: 3 }, () => {
  // First, since it takes longest: the others go on beside it.
  test("between create and its record, while lists lag 30 s: it waits, and adopts what is there", async (openScenario) => {
    const scenario = await openScenario();
    const { fake, pullRequest } = scenario;
    const doomed = await scenario.start(["serve"], { KODIAI_FAULT_POINT: "after-create" });
    await scenario.send("opened");
    assert.equal(await doomed.ended, "SIGKILL");
    fake.setListLag(30_000);
    await scenario.start();
    await eventually("the job to wait", async () =>
      (await scenario.jobs()).some(({ state, reason }) => state === "queued" && reason !== null),
    );
    assert.deepEqual(
      fake.reviewsOf(pullRequest).map(({ state }) => state),
      ["PENDING"],
    );
    await eventually("the review to be published", () =>
      fake.reviewsOf(pullRequest).some(({ state }) => state === "COMMENTED"),
    );
    await scenario.settled();
    assert.deepEqual(scenario.published(), ONE_REVIEW);
    scenario.check();
  });

  for (const point of FAULT_POINTS) {
    test(`${point}: the next start ends the review, once`, async (openScenario) => {
      const scenario = await openScenario();
      const doomed = await scenario.start(["serve"], { KODIAI_FAULT_POINT: point });
      const status = await scenario.send("opened");
      assert.equal(await doomed.ended, "SIGKILL", doomed.output());
      // It was on disk before anything was answered, so that also an unanswered delivery is not lost.
      assert.equal(status === 202, point !== "after-insert");
      assert.equal((await scenario.jobs()).length, 1);
      await scenario.start();
      const [job, ...others] = await scenario.settled();
      assert.deepEqual(others, []);
      assert.deepEqual([job?.state, job?.reason], ["done", "published"]);
      assert.deepEqual(scenario.published(), ONE_REVIEW);
      scenario.check();
    });
  }

  test("three times at the same job: it is not tried again, and people are told", async (openScenario) => {
    const scenario = await openScenario();
    const { fake, pullRequest } = scenario;
    for (let death = 1; death <= 3; death++) {
      const doomed = await scenario.start(["serve"], { KODIAI_FAULT_POINT: "after-findings" });
      if (death === 1) await scenario.send("opened");
      assert.equal(await doomed.ended, "SIGKILL");
    }
    await scenario.start();
    const [job] = await scenario.settled();
    assert.deepEqual([job?.state, job?.reason, job?.deaths], ["failed", "failed:poison", 3]);
    const [check] = fake.checksOf(pullRequest);
    assert.deepEqual([check?.conclusion, check?.output?.title], ["neutral", "The review failed"]);
    assert.match(check?.output?.summary ?? "", /3 times/);
    assert.equal(fake.reviewsOf(pullRequest).length, 0);
    scenario.check();
  });
});

test("a worker that is frozen past its lease and wakes up again publishes nothing", async (openScenario) => {
  const scenario = await openScenario();
  await assertFrozenIsFenced(scenario, { startHeirs: () => scenario.startWorkers() });
});

test("told to stop, the app takes no more, ends what it does and gives the rest back", async (openScenario) => {
  const scenario = await openScenario();
  const { fake } = scenario;
  const app = await scenario.start();
  const asked = new Promise<void>((resolve) => {
    const off = fake.onRequest("pulls/create-review", () => {
      off();
      app.kill("SIGTERM");
      resolve();
    });
  });
  await scenario.send("opened");
  await asked;
  assert.equal(await app.ended, "0", app.output());
  const [job] = await scenario.jobs();
  assert.deepEqual([job?.state, job?.reason], ["done", "published"]);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check({ tokensRevoked: true });
});
