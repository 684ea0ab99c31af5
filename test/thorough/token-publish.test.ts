/** `kodiai review --pr URL --publish` with a token of a person, one that may only read, and none; killed in between, and twice at once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_REVIEW, ONE_REVIEW } from "../support/app/scenario.ts";
import {
  createWorkflowScenario,
  publishWith,
  READ_ONLY,
  WORKFLOW_PERMISSIONS,
} from "../support/token-fixtures.ts";

test("a person's token publishes without a check, which only apps have", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const { fake, pullRequest } = scenario;
  const token = fake.personalToken("grace");
  for (const run of ["first", "second"]) {
    const { code, stderr } = await publishWith(scenario, token);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /publishing with the token of grace\n(?:.*\n)*.*may not write the check/, run);
    const authors = [...fake.reviewsOf(pullRequest), ...fake.commentsOf(pullRequest)].map(
      ({ author }) => author.login,
    );
    assert.deepEqual(authors, ["grace", "grace"], run);
    assert.equal(fake.reviewCommentsOf(pullRequest).length, 2, run);
  }
  assert.deepEqual(fake.violations, []);
});

test("killed after its review was submitted and started again, it says nothing twice", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const token = scenario.fake.appToken(WORKFLOW_PERMISSIONS);
  const killed = await publishWith(scenario, token, { environment: { KODIAI_FAULT_POINT: "after-submit" } });
  assert.notEqual(killed.code, 0);
  assert.deepEqual(
    [scenario.published().reviews, scenario.published().summaries],
    [1, 0],
    "it was killed between the two",
  );
  const { code, stderr } = await publishWith(scenario, token);
  assert.equal(code, 0, stderr);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check();
});

test("two at once publish once", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const token = scenario.fake.appToken(WORKFLOW_PERMISSIONS);
  const both = await Promise.all([publishWith(scenario, token), publishWith(scenario, token)]);
  for (const { code, stderr } of both) assert.equal(code, 0, stderr);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  // Each process sends one write at a time, but the two don't know of each other.
  scenario.check({ isOverlapAllowed: true });
});

test("a token that may only read publishes nothing, and nothing fails for it", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const token = scenario.fake.appToken(READ_ONLY);
  const { code, stdout, stderr } = await publishWith(scenario, token, { args: ["--format", "json"] });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^read-only-token: http/m);
  assert.match(stderr, /the token may not write the review .* and the summary .* and the check/);
  assert.equal((JSON.parse(stdout) as { findings: readonly unknown[] }).findings.length, 2);
  assert.deepEqual(scenario.published(), NO_REVIEW);
  scenario.check();
});

test("without a token and without the App, it says what to set", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const { code, stderr } = await publishWith(scenario, "", { environment: { GITHUB_TOKEN: "" } });
  assert.equal(code, 2);
  assert.match(stderr, /there is no token for http/);
  assert.match(stderr, /GITHUB_TOKEN/);
});
