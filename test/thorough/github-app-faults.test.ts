/** Faults of GitHub and the network during a review: it is still published, once. */
import assert from "node:assert/strict";
import { suite } from "node:test";
import type { Fault } from "../../fake-github/faults.ts";
import { eventually } from "../support/eventually.ts";
import { ONE_REVIEW } from "../support/app/scenario.ts";
import { testApp as test } from "../support/app/test-app.ts";

/** Longer than Kodiai expects lists to lag. */
const MINUTE_MS = 60_000;

const LOST: readonly Fault[] = [
  { kind: "lost", by: "502" },
  { kind: "lost", by: "reset" },
];

const WRITES = [
  "checks/create",
  "pulls/create-review",
  "pulls/submit-review",
  "issues/create-comment",
  "checks/update",
];

void suite("GitHub does what was asked, and the answer is lost", { concurrency: 6 }, () => {
  for (const [at, operation] of WRITES.entries()) {
    // Each operation and each fault occurs on both databases.
    for (const fault of at % 2 === 0 ? LOST : LOST.toReversed()) {
      const promise = operation === "pulls/create-review" ? "[P14] " : "";
      test(`${promise}${operation}, ${JSON.stringify(fault)}: it is done once`, async (openScenario) => {
        const scenario = await openScenario();
        scenario.fake.faults.add({ operation, fault });
        await scenario.start();
        await scenario.send("opened");
        const [job] = await scenario.settled();
        assert.deepEqual([job?.state, job?.reason], ["done", "published"]);
        assert.deepEqual(scenario.fake.faults.unplayed(), []);
        assert.deepEqual(scenario.published(), ONE_REVIEW);
        scenario.check();
      });
    }
  }
});

void suite("GitHub refuses or is not there", { concurrency: 4 }, () => {
  const PASSING: readonly (readonly [name: string, operation: string, fault: Fault])[] = [
    ["reset while the pull request is read", "pulls/get", { kind: "reset" }],
    ["503 while a token is minted", "apps/create-installation-access-token", { kind: "status", status: 503 }],
    ["reset before a review is created", "pulls/create-review", { kind: "reset" }],
    [
      "secondary limit at the review",
      "pulls/create-review",
      { kind: "secondary-limit", status: 403, retryAfterSeconds: 3 },
    ],
    [
      "secondary limit at the comment",
      "issues/create-comment",
      { kind: "secondary-limit", status: 429, retryAfterSeconds: 8 },
    ],
    ["the repository cannot be fetched", "git/info-refs", { kind: "status", status: 503 }],
  ];
  for (const [name, operation, fault] of PASSING) {
    // GitHub may have created the review: lists have to show that it hasn't before it's created again.
    const isOutcomeUnknown = operation === "pulls/create-review" && fault.kind === "reset";
    test(`${name}: the review comes later, once`, async (openScenario) => {
      const scenario = await openScenario();
      await scenario.start();
      // Not the first token or request of the reconciler, which runs at the start.
      await scenario.fake.deliveries.settled();
      scenario.fake.faults.add({ operation, fault });
      await scenario.send("opened");
      if (isOutcomeUnknown) {
        await eventually("the job to wait", async () =>
          (await scenario.jobs()).some(({ reason }) => reason?.startsWith("fate-unknown") === true),
        );
        await scenario.passTime(MINUTE_MS);
      }
      const [job] = await scenario.settled();
      assert.deepEqual([job?.state, job?.reason], ["done", "published"]);
      assert.deepEqual(scenario.fake.faults.unplayed(), []);
      assert.deepEqual(scenario.published(), ONE_REVIEW);
      scenario.check();
    });
  }

  test("one line is refused with 422: that finding moves to the summary, the other stays on its line", async (openScenario) => {
    const scenario = await openScenario();
    const { fake, pullRequest } = scenario;
    fake.faults.add({
      operation: "pulls/create-review",
      times: 100,
      // Of the comments in the request, the one on the empty catch.
      when: (body) => JSON.stringify(body).includes('"line":10'),
      fault: { kind: "invalid", sentence: "Pull request review thread line must be part of the diff" },
    });
    await scenario.start();
    await scenario.send("opened");
    await scenario.settled();
    assert.deepEqual(scenario.published(), { ...ONE_REVIEW, comments: ["src/users.ts:4"] });
    const summary = fake.commentsOf(pullRequest)[0]?.body ?? "";
    assert.match(summary, /Empty catch block swallows the error[\s\S]*leaves no trace of the error/);
    assert.match(summary, /Shown here because GitHub doesn't allow a comment on that line\./);
    scenario.check();
  });

  test("the pull request is closed while it is reviewed: nothing is published", async (openScenario) => {
    const scenario = await openScenario();
    const { fake, pullRequest } = scenario;
    fake.onResponse("pulls/create-review", () => fake.closePullRequest(pullRequest));
    await scenario.start();
    await scenario.send("opened");
    const [job] = await scenario.settled();
    assert.deepEqual([job?.state, job?.reason], ["skipped", "skipped:closed"]);
    assert.equal(scenario.published().reviews, 0);
    assert.equal(scenario.published().summaries, 0);
    assert.deepEqual(scenario.published().conclusions, ["cancelled"]);
    scenario.check();
  });

  test("[P17] the installation is suspended: the reason is recorded and nothing is tried again", async (openScenario) => {
    const scenario = await openScenario();
    scenario.fake.suspend(scenario.fake.installation);
    await scenario.start();
    await scenario.send("opened");
    const [job] = await scenario.settled();
    assert.deepEqual(
      [job?.state, job?.reason, job?.attempts],
      ["skipped", "skipped:installation-suspended", 1],
    );
    assert.deepEqual(scenario.published(), { reviews: 0, comments: [], summaries: 0, conclusions: [] });
    scenario.check();
  });
});
