/** Missed events in their variations: unwanted ones, heads that come back, requests before the app knows its name. */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
import { AFTER } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";

test("the sweep skips what is not wanted with a reason, and leaves pull requests from before the app came alone", async (openScenario) => {
  const scenario = await openScenario({ isSwept: true });
  const { fake, repository } = scenario;
  const draft = await fake.openPullRequest(repository, {
    title: "Not yet",
    files: AFTER,
    branch: "draft",
    isDraft: true,
  });
  const installation = fake.createInstallation("umbrella");
  const other = await fake.createRepository({ owner: "umbrella", name: "old", installation });
  const old = await fake.openPullRequest(other, { title: "Old", files: { "a.ts": "debugger;\n" } });
  // The app came to this account after the pull request.
  Object.assign(installation, { createdAtMs: fake.clock.now() + 60_000 });
  await scenario.start();
  const jobs = await eventually("both to be dealt with", async () => {
    const all = await scenario.settled();
    return all.length >= 2 && all;
  });
  assert.deepEqual(new Set(jobs.map(({ reason }) => reason)), new Set(["published", "skipped:draft"]));
  const ended = await scenario.queue.list({ states: ["done"], limit: 10 });
  const reconciled = ended.find(({ kind }) => kind === "reconcile");
  assert.equal(reconciled?.reason, "reconciled:0 asked again, 2 heads found");
  assert.deepEqual([...fake.reviewsOf(draft), ...fake.reviewsOf(old)], []);
  scenario.check();
});

test("a head that comes back after another took its place is reviewed", async (openScenario) => {
  const scenario = await openScenario();
  const { fake, pullRequest } = scenario;
  await scenario.start(["serve", "--no-worker"]);
  await scenario.send("opened");
  await fake.push(pullRequest, { "README.md": "# Shop\n" });
  await scenario.send("synchronize");
  await fake.push(pullRequest, AFTER, { isForced: true });
  await scenario.send("synchronize");
  await scenario.startWorkers();
  await scenario.settled();
  assert.equal(fake.reviewsOf(pullRequest).length, 1);
  assert.equal(fake.reviewsOf(pullRequest)[0]?.commit, pullRequest.head);
  scenario.check();
});

test("a request that arrives before the app's name is known is handled once it is", async (openScenario) => {
  const scenario = await openScenario();
  const { fake, pullRequest } = scenario;
  fake.faults.add({
    operation: "apps/get-authenticated",
    times: 2,
    fault: { kind: "status", status: 503 },
  });
  await scenario.start(["serve", "--no-worker"]);
  await eventually("GitHub to be asked in vain", () => fake.faults.unplayed().length === 0);
  const extra = { requested_reviewer: { login: fake.slug } };
  await fake.send(await fake.events.pullRequest("review_requested", pullRequest, { extra }));
  await fake.send(fake.events.comment(fake.comment(pullRequest, { author: "ada", body: "Nice." })));
  await scenario.startWorkers();
  const [job] = await scenario.settled();
  assert.match(job?.payload ?? "", /"trigger":"review-requested"/);
  assert.deepEqual([job?.state, job?.reason], ["done", "published"]);
  const translated = await eventually("the other to be read", async () => {
    const done = await scenario.queue.list({ states: ["done"], limit: 10 });
    const reasons = done.filter(({ kind }) => kind === "translate-delivery").map(({ reason }) => reason);
    return reasons.length === 2 && reasons;
  });
  assert.deepEqual(new Set(translated), new Set(["translated:queued", "translated:skipped"]));
  scenario.check({ isSummary: (body) => body.includes("kodiai:summary") });
});
