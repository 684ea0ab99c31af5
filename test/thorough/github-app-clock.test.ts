/** The machine's clock is set back while jobs wait, on SQLite: nothing waits for the clock to catch up. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test, type TestContext } from "node:test";
import { eventually } from "../support/eventually.ts";
import { AFTER, createScenario, ONE_REVIEW } from "../support/app/scenario.ts";
import { createSettableClock } from "../support/app/shifted-clock.ts";

const HOUR_MS = 3_600_000;

/** Long enough to set the clock meanwhile; far less than the hours that it is set back by. */
const CONFIG = "review:\n  debounceSeconds: 10\n";

/** One job that a worker holds and one that is debounced, with all processes on a clock that can be set. */
async function openWaiting(t: TestContext, heirs: number) {
  const scenario = await createScenario(t, { config: CONFIG });
  const { fake, repository, folder, pullRequest } = scenario;
  const clock = createSettableClock(join(folder.path, "clock"));
  const start = (...args: readonly string[]) => scenario.start(args, clock.environment);
  const pushed = await fake.openPullRequest(repository, {
    files: AFTER,
    title: "Pushed to",
    branch: "pushed",
  });
  const server = await start("serve", "--no-worker");
  const holder = await start("worker", "--concurrency", "2");
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const off = fake.onRequest("pulls/list-reviews", () => {
    off();
    reached.resolve();
    return gate.promise;
  });
  t.after(() => gate.resolve());
  await scenario.send("opened");
  await reached.promise;
  for (let heir = 0; heir < heirs; heir++) await start("worker");
  await fake.send(await fake.events.pullRequest("synchronize", pushed));
  await eventually("the pushed one to be debounced", async () =>
    (await scenario.jobs()).some(({ state, reason }) => state === "queued" && reason === "debounced"),
  );
  const assertReviewed = async (): Promise<void> => {
    // Waits for minutes at most, never for hours.
    const jobs = await scenario.settled();
    assert.deepEqual(
      jobs.map(({ state, attempts, deaths }) => [state, attempts, deaths]),
      [
        ["done", 2, 1],
        ["done", 1, 0],
      ],
    );
    for (const each of [pullRequest, pushed]) assert.deepEqual(scenario.published(each), ONE_REVIEW);
    scenario.check({ isOverlapAllowed: true });
  };
  return { server, holder, clock, start, gate, assertReviewed };
}

void suite("the clock goes back by two hours", { concurrency: 2 }, () => {
  test("[P17] a debounced job and the job of a killed worker run within seconds", async (t) => {
    const { holder, server, clock, gate, assertReviewed } = await openWaiting(t, 1);
    clock.set(-2 * HOUR_MS);
    holder.kill("SIGKILL");
    await holder.ended;
    gate.resolve();
    await assertReviewed();
    await eventually("the step to be logged", () => server.output().includes("clock was set back"));
  });

  test("[P17] a debounced job and the job of a killed worker run within seconds of a restart", async (t) => {
    const { holder, server, clock, start, gate, assertReviewed } = await openWaiting(t, 0);
    for (const app of [holder, server]) app.kill("SIGKILL");
    await Promise.all([holder.ended, server.ended]);
    gate.resolve();
    clock.set(-2 * HOUR_MS);
    await start("serve");
    await assertReviewed();
  });
});
