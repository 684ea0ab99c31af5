/** The whole app, from a signed webhook to the published review: real processes, real HTTP, real git. */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
import { ONE_REVIEW } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";

test("[P14] a signed webhook becomes one review with comments on the right lines, one summary, one check", async (openScenario) => {
  const scenario = await openScenario();
  const { fake, pullRequest } = scenario;
  await scenario.start();
  assert.equal(await scenario.send("opened"), 202);
  const [job] = await scenario.settled();
  assert.deepEqual([job?.state, job?.reason, job?.attempts], ["done", "published", 1]);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  const [review] = fake.reviewsOf(pullRequest);
  assert.deepEqual([review?.state, review?.commit], ["COMMENTED", pullRequest.head]);
  const [sql, caught] = fake.reviewCommentsOf(pullRequest);
  assert.match(sql?.body ?? "", /^\*\*\[medium\] Possible SQL injection/);
  assert.match(caught?.body ?? "", /^\*\*\[medium\] Empty catch block swallows the error/);
  const [summary] = fake.commentsOf(pullRequest);
  assert.match(summary?.body ?? "", /2 findings \(2 medium\) in 1 of 2 files/);
  assert.match(summary?.body ?? "", /^- \d files? to read, \d+ changed lines?: /m);
  // The process ends in order, and only then are all tokens given back.
  await eventually("the tokens to be revoked", () => fake.tokens.every(({ isRevoked }) => isRevoked));
  scenario.check({ tokensRevoked: true });
});

test("[P14] redelivery, a replay under another id, two workers and two events for one head: still one review", async (openScenario) => {
  const scenario = await openScenario();
  const { fake, pullRequest } = scenario;
  await scenario.start(["serve", "--no-worker"]);
  await scenario.startWorkers(2);
  const opened = await fake.events.pullRequest("opened", pullRequest);
  const first = await fake.send(opened);
  const again = await Promise.all([
    fake.deliveries.sendAgain(first),
    fake.send(opened),
    fake.send(await fake.events.pullRequest("synchronize", pullRequest)),
    fake.send(await fake.events.pullRequest("ready_for_review", pullRequest)),
  ]);
  assert.deepEqual(
    [first, ...again].map(({ statusCode }) => statusCode),
    [202, 202, 202, 202, 202],
  );
  await scenario.settled();
  await fake.send(opened);
  const jobs = await scenario.settled();
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  assert.equal(jobs.filter(({ reason }) => reason === "published").length, 1, JSON.stringify(jobs, null, 1));
  scenario.check();
});

test("a request in a comment gets a reaction and a review of the unchanged head that repeats nothing", async (openScenario) => {
  const scenario = await openScenario();
  const { fake, pullRequest } = scenario;
  await scenario.start();
  await scenario.send("opened");
  await scenario.settled();
  const comment = fake.comment(pullRequest, { author: "ada", body: "Thanks.\n\n@kodiai review full" });
  await fake.send(fake.events.comment(comment));
  await eventually("the answer", () => fake.reactionsOf(comment).includes("+1"));
  const jobs = await scenario.settled();
  assert.deepEqual(
    jobs.map(({ reason }) => reason),
    ["published", "published"],
  );
  assert.deepEqual(fake.reactionsOf(comment), ["eyes", "+1"]);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check({ isSummary: (body) => body.includes("kodiai:summary") });
});
