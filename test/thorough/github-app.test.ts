/** The whole app in the variations of its main path: forks, clean changes, pushes in between, and repeated requests. */
import assert from "node:assert/strict";
import { parseRecording } from "../../src/jobs/recording/parse-recording.ts";
import { parseReviewJob } from "../../src/jobs/review-job.ts";
import { readRecording } from "../../src/store/repositories/recordings.ts";
import { readRunsOfJob } from "../../src/store/repositories/runs.ts";
import { eventually } from "../support/eventually.ts";
import { AFTER, ONE_REVIEW } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";

test("with review.summary: always, a clean change gets a summary and a green check, and no review without comments", async (openScenario) => {
  const scenario = await openScenario({
    config: "review:\n  summary: always\n",
    pullRequest: { files: { "README.md": "# Shop\n" } },
  });
  await scenario.start();
  await scenario.send("opened");
  await scenario.settled();
  assert.deepEqual(scenario.published(), {
    reviews: 0,
    comments: [],
    summaries: 1,
    conclusions: ["success"],
  });
  assert.match(scenario.fake.commentsOf(scenario.pullRequest)[0]?.body ?? "", /No findings in 1 file/);
  scenario.check();
});

test("a fork, and a fork that was deleted, are reviewed, and again when their check is run again", async (openScenario) => {
  for (const isDeleted of [false, true]) {
    const scenario = await openScenario({ pullRequest: { fork: "grace", author: "grace" } });
    if (isDeleted) await scenario.fake.deleteFork(scenario.pullRequest);
    await scenario.start();
    await scenario.send("opened");
    await scenario.settled();
    assert.deepEqual(scenario.published(), ONE_REVIEW);
    const [check] = scenario.fake.checksOf(scenario.pullRequest);
    assert.ok(check !== undefined);
    await scenario.fake.send(await scenario.fake.events.checkRerequested(check));
    await eventually("the second job", async () => (await scenario.settled()).length === 2);
    assert.deepEqual(scenario.published(), ONE_REVIEW);
    scenario.check();
  }
});

test("[P14] a second push while the first review runs: only the newest head is published", async (openScenario) => {
  const scenario = await openScenario();
  const { fake, pullRequest } = scenario;
  await scenario.start();
  const first = pullRequest.head;
  const off = fake.onRequest("checks/create", async () => {
    off();
    await fake.push(pullRequest, { ...AFTER, "src/more.ts": "debugger;\n" });
    await scenario.send("synchronize");
  });
  await scenario.send("opened");
  const jobs = await scenario.settled();
  assert.notEqual(pullRequest.head, first);
  assert.deepEqual(
    jobs.map(({ state, reason }) => `${state} ${reason}`),
    [`superseded superseded-by:${jobs[1]?.id}`, "done published"],
  );
  assert.deepEqual(
    fake.reviewsOf(pullRequest).map(({ commit }) => commit),
    [pullRequest.head],
  );
  const old = fake.world.checkRuns.find(({ head }) => head === first);
  assert.equal(old?.conclusion, "cancelled");
  scenario.check();
});

test("a push without an event is noticed before publishing, and the new head is reviewed", async (openScenario) => {
  const scenario = await openScenario();
  const { fake, pullRequest } = scenario;
  await scenario.start();
  const off = fake.onResponse("pulls/create-review", async () => {
    off();
    await fake.push(pullRequest, { ...AFTER, "src/more.ts": "debugger;\n" });
  });
  await scenario.send("opened");
  const jobs = await scenario.settled();
  assert.deepEqual(
    jobs.map(({ state }) => state),
    ["superseded", "done"],
  );
  assert.deepEqual(
    fake.reviewsOf(pullRequest).map(({ commit, state }) => [commit, state]),
    [[pullRequest.head, "COMMENTED"]],
  );
  scenario.check();
});

test("findings over the comment limit count as published: neither a request nor a push repeats them", async (openScenario) => {
  const config = "review:\n  maxComments: 5\n  debounceSeconds: 0\n";
  const names = Array.from({ length: 32 }, (_, index) => `src/part${index}.ts`);
  const filesWithout = (fixed: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [name, fixed.includes(`${name}:1`) ? "// fixed\n" : `debugger; // ${name}\n`]),
    );
  const files = filesWithout([]);
  const scenario = await openScenario({ config, pullRequest: { files } });
  const { fake, pullRequest } = scenario;
  const summary = () => fake.commentsOf(pullRequest)[0]?.body ?? "";
  const again = async (count: number) => {
    await eventually(`job ${count}`, async () => (await scenario.settled()).length === count);
  };
  await scenario.start();
  await scenario.send("opened");
  await again(1);
  assert.match(summary(), /\*\*32 findings \(/);
  assert.match(summary(), /More findings \(27\)/);
  const [check] = fake.checksOf(pullRequest);
  assert.ok(check !== undefined);
  // Those without a comment are annotated, once.
  const annotated = check.annotations.map(({ path, startLine }) => `${path}:${startLine}`);
  assert.equal(annotated.length, 27);
  assert.equal(new Set([...annotated, ...scenario.published().comments]).size, 32);
  assert.equal(check.output.summary?.match(/^\| \d+ \|/gm)?.length, 5);
  assert.equal(check.output.summary?.match(/^ *- \(\d+\)/gm)?.length, 27);
  await fake.send(await fake.events.checkRerequested(check));
  await again(2);
  assert.equal(check.annotations.length, 27);
  assert.match(summary(), /No new findings in 32 files .*; 32 still open/);
  assert.match(summary(), /### Still open \(32\)[^]*More still open \(2\)/);
  assert.equal(scenario.published().comments.length, 5);
  // The author fixes the five that have comments.
  await fake.push(pullRequest, filesWithout(scenario.published().comments));
  await scenario.send("synchronize");
  await again(3);
  assert.equal(fake.reviewsOf(pullRequest).length, 1);
  assert.match(summary(), /No new findings .*; 27 still open; 5 resolved/);
  assert.equal(scenario.published().comments.length, 5);
  scenario.check();
});

test("a full review requested in a comment happens and is answered although a push replaced its job", async (openScenario) => {
  const scenario = await openScenario({ environment: { KODIAI_RECORD_RUNS: "on" } });
  const { fake, pullRequest } = scenario;
  await scenario.start();
  const off = fake.onRequest("checks/create", async () => {
    off();
    await scenario.send("synchronize");
  });
  const comment = fake.comment(pullRequest, { author: "ada", body: "/kodiai full review" });
  await fake.send(fake.events.comment(comment));
  const jobs = await eventually("the second job", async () => {
    const all = await scenario.settled();
    return all.length === 2 && all;
  });
  assert.deepEqual(
    jobs.map(({ state }) => state),
    ["superseded", "done"],
  );
  assert.deepEqual(
    jobs.map(({ payload }) => parseReviewJob(payload).isFull),
    [true, false],
  );
  const [run] = await readRunsOfJob(jobs[1]?.id ?? 0, scenario.database);
  const recording = await readRecording(run?.id ?? 0, scenario.database);
  assert.equal(parseRecording(recording?.content, "the run").request.isFull, true);
  await eventually("the answer", () => fake.reactionsOf(comment).includes("+1"));
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check({ isSummary: (body) => body.includes("kodiai:summary") });
});

test("our check is run again on request", async (openScenario) => {
  const scenario = await openScenario();
  const { fake, pullRequest } = scenario;
  await scenario.start();
  await scenario.send("opened");
  await scenario.settled();
  const [check] = fake.checksOf(pullRequest);
  assert.ok(check !== undefined);
  await fake.send(await fake.events.checkRerequested(check));
  const jobs = await eventually("the second job", async () => {
    const all = await scenario.settled();
    return all.length === 2 && all;
  });
  assert.deepEqual(
    jobs.map(({ reason }) => reason),
    ["published", "published"],
  );
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check();
});

test("[P14] a later push gets no repeated comments: open findings are in the summary", async (openScenario) => {
  const config = "review:\n  debounceSeconds: 10\n";
  const scenario = await openScenario({ config });
  const { fake, pullRequest } = scenario;
  await scenario.start();
  await scenario.send("opened");
  await scenario.settled();
  const first = pullRequest.head;
  await fake.push(pullRequest, {
    "src/users.ts": `// moved down\n${AFTER["src/users.ts"]}`,
    "src/more.ts": "debugger;\n",
  });
  await scenario.send("synchronize");
  await eventually("the job to wait for further pushes", async () =>
    (await scenario.jobs()).some(({ state, reason }) => state === "queued" && reason === "debounced"),
  );
  await eventually("the second review", () => fake.reviewsOf(pullRequest).length === 2);
  await scenario.settled();
  assert.deepEqual(
    fake.reviewCommentsOf(pullRequest).map(({ path, review }) => [path, review.commit === first]),
    [
      ["src/users.ts", true],
      ["src/users.ts", true],
      ["src/more.ts", false],
    ],
  );
  const [summary, ...others] = fake.commentsOf(pullRequest);
  assert.deepEqual(others, []);
  assert.match(summary?.body ?? "", /1 new finding \(.*; 2 more still open/);
  assert.match(summary?.body ?? "", /### Still open \(2\)/);
  scenario.check();
});
