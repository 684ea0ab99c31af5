/** `kill -9` at every step of a review: after a restart there is exactly one review, and nothing was lost. */
import assert from "node:assert/strict";
import { suite } from "node:test";
import { FAULT_POINTS } from "../../src/base/fault-point.ts";
import { assertFrozenIsFenced } from "../support/app/frozen-worker.ts";
import { eventually } from "../support/eventually.ts";
import { AFTER, ONE_REVIEW } from "../support/app/scenario.ts";
import { testApp as test, testAppInOneProcess } from "../support/app/test-app.ts";

/** Longer than Kodiai expects lists to lag. */
const MINUTE_MS = 60_000;

/** Enough for many groups of webhooks. */
const SENDERS = 16;
const KILLED_AFTER = 200;

/** The points that stand for all others in the promises. */
const PROMISED: ReadonlyMap<string, string> = new Map([
  ["after-insert", "[P13] "],
  ["after-claim", "[P16] "],
  ["after-create", "[P14] "],
  ["after-submit", "[P14] "],
]);

void suite("the process is killed", { concurrency: 3 }, () => {
  test("[P14] between create and its record, while lists lag 30 s: it waits, and adopts what is there", async (openScenario) => {
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
    await scenario.passTime(MINUTE_MS);
    await eventually("the review to be published", () =>
      fake.reviewsOf(pullRequest).some(({ state }) => state === "COMMENTED"),
    );
    await scenario.settled();
    assert.deepEqual(scenario.published(), ONE_REVIEW);
    scenario.check();
  });

  for (const point of FAULT_POINTS) {
    test(`${PROMISED.get(point) ?? ""}${point}: the next start ends the review, once`, async (openScenario) => {
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

  test("[P13] while webhooks come in together: each that was acknowledged is on disk, with its job", async (openScenario) => {
    const scenario = await openScenario();
    const { fake, pullRequest, database } = scenario;
    const doomed = await scenario.start(["serve", "--no-worker"]);
    const webhook = await fake.events.pullRequest("opened", pullRequest);
    const acknowledged: string[] = [];
    const sender = async (): Promise<void> => {
      for (;;) {
        const { guid, statusCode } = await fake.send(webhook);
        if (statusCode !== 202) return;
        acknowledged.push(guid);
        // The others of its group have been answered by then, and the next group is being written.
        if (acknowledged.length === KILLED_AFTER) doomed.kill("SIGKILL");
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    assert.equal(await doomed.ended, "SIGKILL", doomed.output());
    assert.ok(acknowledged.length >= KILLED_AFTER);
    const rows = await database.query<{ guid: string }>(
      "select guid from deliveries where job_id in (select id from jobs)",
    );
    const found = new Set(rows.map(({ guid }) => guid));
    assert.deepEqual(
      acknowledged.filter((guid) => !found.has(guid)),
      [],
    );
  });

  test("[P17] a job that crashes three times isn't retried, and the pull request shows it", async (openScenario) => {
    const scenario = await openScenario();
    const { fake, pullRequest } = scenario;
    const doomed = await scenario.start(["serve"], { KODIAI_FAULT_POINT: "after-findings" });
    await scenario.send("opened");
    assert.equal(await doomed.ended, "SIGKILL");
    // From the second time on it crashes a process of its own, and nothing else.
    const unharmed = await scenario.start(["serve"], { KODIAI_FAULT_POINT: "after-findings" });
    const [job] = await scenario.settled();
    assert.deepEqual([job?.state, job?.reason, job?.deaths], ["failed", "failed:poison", 3]);
    const [check] = fake.checksOf(pullRequest);
    assert.deepEqual([check?.conclusion, check?.output?.title], ["neutral", "The review failed"]);
    assert.match(check?.output?.summary ?? "", /3 times/);
    assert.equal(fake.reviewsOf(pullRequest).length, 0);
    await unharmed.stop();
    assert.equal(await unharmed.ended, "0");
    scenario.check();
  });
});

test("[P14] a worker that is frozen past its lease and wakes up again publishes nothing", async (openScenario) => {
  const scenario = await openScenario();
  await assertFrozenIsFenced(scenario, { startHeirs: () => scenario.startWorkers() });
});

testAppInOneProcess(
  "[P17] when one pull request crashes its process every time, another one is reviewed once and isn't charged",
  async (openScenario) => {
    const scenario = await openScenario();
    const { fake, repository, pullRequest: innocent } = scenario;
    const bad = await fake.openPullRequest(repository, { files: AFTER, title: "Bad", branch: "bad" });
    const fault = {
      KODIAI_FAULT_POINT: "after-findings",
      KODIAI_FAULT_PULL_REQUEST: String(bad.number),
    };
    const doomed = await scenario.start(["serve"], fault);
    // The innocent one is in the middle of its review when the other one crashes.
    const reached = Promise.withResolvers<void>();
    const off = fake.onRequest("pulls/get", async () => {
      off();
      reached.resolve();
      await doomed.ended;
    });
    await scenario.send("opened");
    await reached.promise;
    await fake.send(await fake.events.pullRequest("opened", bad));
    assert.equal(await doomed.ended, "SIGKILL", doomed.output());

    const server = await scenario.start(["serve"], fault);
    const [reviewed, poisoned, ...others] = await scenario.settled();
    assert.deepEqual(others, []);
    assert.deepEqual([reviewed?.state, reviewed?.reason, reviewed?.deaths], ["done", "published", 0]);
    assert.deepEqual([poisoned?.state, poisoned?.reason, poisoned?.deaths], ["failed", "failed:poison", 3]);
    assert.deepEqual(scenario.published(innocent), ONE_REVIEW);
    const [check] = fake.checksOf(bad);
    assert.match(check?.output?.summary ?? "", /crashed its process 3 times/);
    assert.equal(fake.reviewsOf(bad).length, 0);
    // The process that takes webhooks has not crashed again.
    const third = await fake.openPullRequest(repository, { files: AFTER, title: "Third", branch: "third" });
    await fake.send(await fake.events.pullRequest("opened", third));
    await scenario.settled();
    assert.deepEqual(scenario.published(third), ONE_REVIEW);
    await server.stop();
    assert.equal(await server.ended, "0");
    scenario.check();
  },
);

test("[P17] the worker of a suspect is killed: its process gives the job back, and it is not charged", async (openScenario) => {
  const scenario = await openScenario();
  const { fake } = scenario;
  const doomed = await scenario.start(["serve"], { KODIAI_FAULT_POINT: "after-claim" });
  await scenario.send("opened");
  assert.equal(await doomed.ended, "SIGKILL");
  const worker = await scenario.start(["worker"]);
  let charged: number | undefined;
  const off = fake.onRequest("pulls/get", async () => {
    off();
    charged = (await scenario.jobs())[0]?.deaths;
    // Alone: the process of the job is not killed with it.
    process.kill(worker.pid, "SIGKILL");
  });
  await eventually("the job to be given back", async () =>
    (await scenario.jobs()).some(({ state, attempts }) => state === "queued" && attempts === 1),
  );
  await scenario.start(["worker"]);
  const [job] = await scenario.settled();
  assert.deepEqual([job?.state, job?.attempts, job?.deaths], ["done", 2, charged]);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check();
});

test("on SIGTERM the app takes no new jobs, finishes the running ones and releases the rest", async (openScenario) => {
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
