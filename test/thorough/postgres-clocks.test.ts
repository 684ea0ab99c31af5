/**
 * Machines whose clocks are an hour apart share a database: its clock counts, so that a lease is neither taken from a worker
 * that is alive nor kept by one that is dead.
 */
import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { assertFrozenIsFenced } from "../support/app/frozen-worker.ts";
import { eventually } from "../support/eventually.ts";
import { AFTER, createScenario, ONE_REVIEW, type Scenario } from "../support/app/scenario.ts";
import { withClockAhead } from "../support/app/shifted-clock.ts";
import { engineNamed } from "../support/queue-contract/engines.ts";

const HOUR_MS = 3_600_000;

/** As the tests of the app set it. */
const LEASE_MS = 2_000;

const APART = [
  { name: "ahead", holderMs: HOUR_MS, otherMs: -HOUR_MS },
  { name: "behind", holderMs: -HOUR_MS, otherMs: HOUR_MS },
] as const;

const open = (t: TestContext): Promise<Scenario> => createScenario(t, { engine: engineNamed("postgres") });

async function dueAt({ database }: Scenario): Promise<number> {
  const [row] = await database.query<{ due_at: number }>(
    "select due_at from jobs where kind = 'review-pull-request' and state = 'running'",
  );
  return row?.due_at ?? 0;
}

/** The process's clock when it first wrote something. */
function loggedAt(output: string): number {
  return Date.parse(/"time":"([^"]+)"/.exec(output)?.[1] ?? "");
}

void suite("clocks are an hour apart", { concurrency: 2 }, () => {
  for (const { name, holderMs, otherMs } of APART) {
    test(`a worker whose clock is an hour ${name} keeps its job while it lives, and no longer`, async (t) => {
      const scenario = await open(t);
      const { fake } = scenario;
      await scenario.start(["serve", "--no-worker"], withClockAhead(otherMs));
      const holder = await scenario.start(["worker"], withClockAhead(holderMs));
      const gate = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      const off = fake.onRequest("pulls/list-reviews", () => {
        off();
        reached.resolve();
        return gate.promise;
      });
      await scenario.send("opened");
      await reached.promise;
      assert.ok(Math.abs(loggedAt(holder.output()) - Date.now() - holderMs) < HOUR_MS / 2);
      const firstDue = await dueAt(scenario);
      await scenario.start(["worker"], withClockAhead(otherMs));
      // The other one has had the time to take the job, if it thought that the lease was over.
      await eventually(
        "the lease to be renewed",
        async () => (await dueAt(scenario)) > firstDue + 2 * LEASE_MS,
      );
      const [kept] = await scenario.jobs();
      assert.deepEqual([kept?.state, kept?.attempts, kept?.isSuspect], ["running", 1, false]);

      holder.kill("SIGKILL");
      await holder.ended;
      gate.resolve();
      // With the wrong clock the lease would last an hour, which is far beyond the patience of this.
      const [job] = await scenario.settled();
      assert.deepEqual([job?.state, job?.attempts, job?.isSuspect], ["done", 2, true]);
      assert.deepEqual(scenario.published(), ONE_REVIEW);
      scenario.check();
    });

    test(`[P19] a worker whose clock is an hour ${name} is frozen past its lease and publishes nothing`, async (t) => {
      const scenario = await open(t);
      await assertFrozenIsFenced(scenario, {
        environment: withClockAhead(holderMs),
        startHeirs: () => scenario.start(["worker"], withClockAhead(otherMs)),
      });
    });
  }

  test("[P19] workers of all clocks review every pull request once", async (t) => {
    const scenario = await open(t);
    const { fake, repository } = scenario;
    const others = [];
    for (const title of ["Second", "Third", "Fourth"]) {
      others.push(await fake.openPullRequest(repository, { files: AFTER, title, branch: title }));
    }
    await scenario.start(["serve", "--no-worker"]);
    await Promise.all([-HOUR_MS, HOUR_MS, 0].map((ms) => scenario.start(["worker"], withClockAhead(ms))));
    const pullRequests = [scenario.pullRequest, ...others];
    await Promise.all(
      pullRequests.map(async (each) => fake.send(await fake.events.pullRequest("opened", each))),
    );
    const jobs = await scenario.settled();
    assert.deepEqual(
      jobs.map(({ state, attempts, deaths }) => [state, attempts, deaths]),
      pullRequests.map(() => ["done", 1, 0]),
    );
    for (const each of pullRequests) assert.deepEqual(scenario.published(each), ONE_REVIEW);
    // Several workers of one installation write at the same time.
    scenario.check({ isOverlapAllowed: true });
  });
});
