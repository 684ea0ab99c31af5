/**
 * The network between a worker and PostgreSQL fails for longer than a lease, and heals: another worker has done the review by
 * then, nothing is said twice, and the first one works on. KODIAI_TEST_LONG=1 lets it fail for two minutes.
 */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { eventually } from "../support/eventually.ts";
import { AFTER, createScenario, ONE_REVIEW, type Scenario } from "../support/app/scenario.ts";
import { startProxy } from "../support/postgres/proxy.ts";
import { engineNamed } from "../support/queue-contract/engines.ts";
import { isLong } from "../support/extent.ts";

const LONG_MS = isLong ? 120_000 : 0;

/** Before anything is visible, and when what becomes visible cannot be recorded any more. */
const FAILURES = [
  ["cut", "pulls/list-reviews"],
  ["stall", "pulls/list-reviews"],
  ["cut", "pulls/create-review"],
  ["stall", "pulls/submit-review"],
] as const;

async function startProxyFor({ folder }: Scenario) {
  const url = new URL(folder.environment["DATABASE_URL"] ?? "");
  const proxy = await startProxy(Number(url.port));
  url.port = String(proxy.port);
  return { ...proxy, environment: { DATABASE_URL: url.href } };
}

void suite("a worker cannot reach its database", { concurrency: 2 }, () => {
  for (const [failure, operation] of FAILURES) {
    test(`[P19] ${failure} at ${operation} for longer than its lease: the review comes once, and the worker is of use again`, async (t) => {
      const scenario = await createScenario(t, { engine: engineNamed("postgres") });
      const { fake, repository } = scenario;
      const proxy = await startProxyFor(scenario);
      t.after(() => proxy.close());
      await scenario.start(["serve", "--no-worker"]);
      const lonely = await scenario.start(["worker"], proxy.environment);
      const off = fake.onRequest(operation, () => {
        off();
        proxy[failure]();
      });
      await scenario.send("opened");
      await eventually("the worker to be alone", () =>
        fake.calls.some((call) => call.operation === operation),
      );
      const heir = await scenario.start(["worker"]);
      const [job] = await scenario.settled();
      assert.deepEqual([job?.state, job?.attempts, job?.isSuspect], ["done", 2, true]);
      await heir.stop();
      await setTimeout(LONG_MS);

      proxy.heal();
      const second = await fake.openPullRequest(repository, {
        files: AFTER,
        title: "Second",
        branch: "second",
      });
      await fake.send(await fake.events.pullRequest("opened", second));
      const jobs = await scenario.settled();
      assert.deepEqual(
        jobs.map(({ state, reason, isSuspect }) => [state, reason, isSuspect]),
        [
          ["done", "published", true],
          ["done", "published", false],
        ],
      );
      const isItsOwn = new RegExp(`"job":${jobs[1]?.id},.*"state":"done"`);
      await eventually("it to have done that", () => isItsOwn.test(lonely.output()));
      for (const each of [scenario.pullRequest, second])
        assert.deepEqual(scenario.published(each), ONE_REVIEW);
      scenario.check();
    });
  }
});
