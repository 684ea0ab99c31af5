/** Leftovers of a replaced job: no check runs forever, and nothing is published twice. */
import assert from "node:assert/strict";
import { suite } from "node:test";
import { readRunsOfJob } from "../../src/store/repositories/runs.ts";
import { eventually } from "../support/eventually.ts";
import { AFTER, ONE_REVIEW, type Scenario } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";

/** Opens the pull request's review, and lets GitHub ask it to wait after its check was begun. */
async function startAndPark(scenario: Scenario): Promise<void> {
  await scenario.start();
  await scenario.fake.deliveries.settled();
  const fault = { kind: "secondary-limit", status: 403, retryAfterSeconds: 8 } as const;
  scenario.fake.faults.add({ operation: "pulls/create-review", fault });
  await scenario.send("opened");
  await eventually("the job to wait", async () =>
    (await scenario.jobs()).some(({ state, reason }) => state === "queued" && reason === "rate-limited"),
  );
  assert.deepEqual(scenario.published().conclusions, [null]);
}

async function runStatuses({ database }: Scenario, jobId: number | undefined): Promise<readonly string[]> {
  return (await readRunsOfJob(jobId ?? 0, database)).map(({ status }) => status);
}

/** Comments with the same words on the same code, on any head. */
function comments({ fake, pullRequest }: Scenario): readonly string[] {
  return fake.reviewCommentsOf(pullRequest).map(({ path, body }) => `${path} ${body.split("\n", 1)[0]}`);
}

void suite("a review is visible, but its job never finished", { concurrency: 2 }, () => {
  const PUSHED = { ...AFTER, "src/more.ts": "debugger;\n" };

  test("[P14] it waits to write the summary, and a push replaces it: nothing is repeated", async (openScenario) => {
    const scenario = await openScenario();
    const { fake, pullRequest } = scenario;
    await scenario.start();
    await fake.deliveries.settled();
    const fault = { kind: "secondary-limit", status: 403, retryAfterSeconds: 20 } as const;
    fake.faults.add({ operation: "issues/create-comment", fault });
    await scenario.send("opened");
    await eventually("the review to be visible, and its job to wait", async () =>
      (await scenario.jobs()).some(({ state, reason }) => state === "queued" && reason === "rate-limited"),
    );
    await fake.push(pullRequest, PUSHED);
    await scenario.send("synchronize");
    await scenario.settled();
    assert.equal(new Set(comments(scenario)).size, 3);
    assert.equal(comments(scenario).length, 3);
    assert.match(fake.commentsOf(pullRequest)[0]?.body ?? "", /1 new finding \(.*; 2 more still open/);
    scenario.check();
  });

  for (const [point, promise] of [
    ["after-submit", "[P14] "],
    ["before-submit", ""],
  ] as const) {
    test(`${promise}it is killed ${point}, and a push comes before the restart: nothing is published twice or lost`, async (openScenario) => {
      const scenario = await openScenario();
      const { fake, pullRequest } = scenario;
      const doomed = await scenario.start(["serve"], { KODIAI_FAULT_POINT: point });
      await scenario.send("opened");
      assert.equal(await doomed.ended, "SIGKILL");
      await fake.push(pullRequest, PUSHED);
      await scenario.start();
      await scenario.send("synchronize");
      await scenario.settled();
      assert.equal(new Set(comments(scenario)).size, 3, comments(scenario).join("\n"));
      assert.equal(comments(scenario).length, 3);
      scenario.check();
    });
  }
});

void suite("a job is replaced", { concurrency: 3 }, () => {
  test("by a push while it waits: the check on the old commit is ended, and the new commit is reviewed", async (openScenario) => {
    const scenario = await openScenario();
    const { fake, pullRequest } = scenario;
    await startAndPark(scenario);
    const first = pullRequest.head;
    await fake.push(pullRequest, { ...AFTER, "src/more.ts": "debugger;\n" });
    await scenario.send("synchronize");
    const jobs = await scenario.settled();
    assert.deepEqual(
      jobs.map(({ state }) => state),
      ["superseded", "done"],
    );
    assert.equal(fake.world.checkRuns.find(({ head }) => head === first)?.conclusion, "cancelled");
    assert.deepEqual(await runStatuses(scenario, jobs[0]?.id), ["superseded"]);
    assert.deepEqual(
      fake.reviewsOf(pullRequest).map(({ commit }) => commit),
      [pullRequest.head],
    );
    scenario.check();
  });

  test("by the closing of its pull request while it waits: its check is ended", async (openScenario) => {
    const scenario = await openScenario();
    const { fake, pullRequest } = scenario;
    await startAndPark(scenario);
    await fake.closePullRequest(pullRequest);
    await scenario.send("closed");
    const jobs = await scenario.settled();
    assert.deepEqual(
      jobs.map(({ state, reason }) => [state, reason]),
      [
        ["superseded", `superseded-by:${jobs[1]?.id}`],
        ["done", "closed"],
      ],
    );
    assert.deepEqual(scenario.published(), {
      reviews: 0,
      comments: [],
      summaries: 0,
      conclusions: ["cancelled"],
    });
    assert.deepEqual(await runStatuses(scenario, jobs[0]?.id), ["superseded"]);
    scenario.check();
  });

  test("by no job, but its pull request is closed while it waits: its check is concluded", async (openScenario) => {
    const scenario = await openScenario();
    const { fake, pullRequest } = scenario;
    await startAndPark(scenario);
    await fake.closePullRequest(pullRequest);
    const [job] = await scenario.settled();
    assert.deepEqual([job?.state, job?.reason], ["skipped", "skipped:closed"]);
    assert.deepEqual(scenario.published().conclusions, ["cancelled"]);
    assert.deepEqual(await runStatuses(scenario, job?.id), ["skipped"]);
    scenario.check();
  });

  for (const [first, second] of [
    ["a comment", "ready_for_review"],
    ["opened", "a comment"],
  ] as const) {
    test(`${first}, killed between its review and the record of it, by ${second}: nothing is published twice`, async (openScenario) => {
      const scenario = await openScenario();
      const { fake, pullRequest } = scenario;
      const comment = fake.comment(pullRequest, { author: "ada", body: "/kodiai review" });
      const send = (what: string) =>
        what === "a comment" ? fake.send(fake.events.comment(comment)) : scenario.send(what);
      const doomed = await scenario.start(["serve"], { KODIAI_FAULT_POINT: "after-submit" });
      await send(first);
      assert.equal(await doomed.ended, "SIGKILL", doomed.output());
      await scenario.start(["serve", "--no-worker"]);
      await send(second);
      await scenario.startWorkers();
      const jobs = await scenario.settled();
      assert.deepEqual(
        jobs.map(({ state }) => state),
        ["superseded", "done"],
      );
      assert.deepEqual(scenario.published(), ONE_REVIEW);
      await eventually("the answer", () => fake.reactionsOf(comment).includes("+1"));
      scenario.check({ isSummary: (body) => body.includes("kodiai:summary") });
    });
  }
});

test("a check that is run again and fails says so, although an earlier review had concluded it", async (openScenario) => {
  const scenario = await openScenario();
  const { fake, pullRequest } = scenario;
  await scenario.start();
  await scenario.send("opened");
  await scenario.settled();
  const [check] = fake.checksOf(pullRequest);
  assert.ok(check !== undefined);
  fake.faults.add({ operation: "git/info-refs", times: 100, fault: { kind: "status", status: 404 } });
  await fake.send(await fake.events.checkRerequested(check));
  const jobs = await eventually("the second job", async () => {
    const all = await scenario.settled();
    return all.length === 2 && all;
  });
  assert.deepEqual(
    jobs.map(({ state }) => state),
    ["done", "failed"],
  );
  const [published, ...others] = fake.checksOf(pullRequest);
  assert.deepEqual(others, []);
  assert.deepEqual([published?.conclusion, published?.output?.title], ["neutral", "The review failed"]);
  scenario.check();
});
