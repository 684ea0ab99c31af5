/** The summary of a bump shows what became of earlier ones: real webhooks, real processes, both engines. */
import { NPM_HOST } from "../../src/base/npm-hosts.ts";
import assert from "node:assert/strict";
import type { PullRequest } from "../../fake-github/world.ts";
import type { Scenario } from "../support/app/scenario.ts";
import { eventually } from "../support/eventually.ts";
import { testApp as test } from "../support/app/test-app.ts";

/** A project that uses one package, at one version. */
function projectAt(version: string): Readonly<Record<string, string>> {
  const dependencies = { "pad-it": `^${version}` };
  const resolved = `https://${NPM_HOST}/pad-it/-/pad-it-${version}.tgz`;
  const packages = { "": { dependencies }, "node_modules/pad-it": { version, resolved } };
  return {
    "package.json": `${JSON.stringify({ name: "shop", dependencies }, null, 2)}\n`,
    "package-lock.json": `${JSON.stringify({ name: "shop", lockfileVersion: 3, packages }, null, 2)}\n`,
  };
}

/** The release notes that Dependabot quotes. Nothing else can be looked up here. */
const NOTES = `Bumps [pad-it](https://github.com/acme/pad-it) from 1.1.0 to 3.0.0.
<details>
<summary>Release notes</summary>
<h2>3.0.0</h2>
<h3>Breaking changes</h3>
<ul>
<li>Removed <code>pad</code>, use <code>padIt</code></li>
</ul>
</details>
`;

/** Opens a pull request from one version of the package to another, and waits for its review. */
async function bump(
  scenario: Scenario,
  to: string,
  more: { readonly body?: string } = {},
): Promise<PullRequest> {
  const { fake, repository } = scenario;
  const pullRequest = await fake.openPullRequest(repository, {
    title: "Bump",
    files: projectAt(to),
    ...more,
  });
  await tell(scenario, "opened", pullRequest);
  return pullRequest;
}

/** Merges it: the branch moves, and then the event comes. */
async function merge(scenario: Scenario, pullRequest: PullRequest, to: string): Promise<void> {
  const { fake, repository } = scenario;
  await fake.commit(repository, projectAt(to));
  await fake.closePullRequest(pullRequest, { isMerged: true });
  await tell(scenario, "closed", pullRequest);
}

/** Sends the event, and waits until its job has ended. */
async function tell(scenario: Scenario, action: string, pullRequest: PullRequest): Promise<void> {
  const { length } = await scenario.jobs();
  await scenario.fake.send(await scenario.fake.events.pullRequest(action, pullRequest));
  await eventually("the job of the event", async () => (await scenario.settled()).length > length);
}

const summaryOf = ({ fake }: Scenario, pullRequest: PullRequest): string =>
  fake.commentsOf(pullRequest)[0]?.body ?? "";

test("[P8] a bump that was merged and reverted is shown with the next bump, and lowers its confidence", async (openScenario) => {
  const scenario = await openScenario();
  const { fake, repository } = scenario;
  await fake.commit(repository, projectAt("1.0.0"));
  await scenario.start();

  const first = await bump(scenario, "1.1.0");
  assert.match(summaryOf(scenario, first), /pad-it.*1\.0\.0.*1\.1\.0/s);
  assert.doesNotMatch(summaryOf(scenario, first), /was merged on|was reverted/);
  await merge(scenario, first, "1.1.0");

  const closed = await bump(scenario, "3.0.0", { body: NOTES });
  assert.match(
    summaryOf(scenario, closed),
    /breaking, by the pull request's description: \S*- Removed .{0,3}pad.{0,3}, use .{0,3}padIt/,
  );
  assert.match(
    summaryOf(scenario, closed),
    /1\.0\.0 → 1\.1\.0 was merged on \d{4}-\d\d-\d\d(?!, and reverted)/,
  );
  assert.doesNotMatch(summaryOf(scenario, closed), /was reverted/);
  await fake.closePullRequest(closed);
  await tell(scenario, "closed", closed);

  const revert = await bump(scenario, "1.0.0", { body: `Reverts acme/shop#${first.number}` });
  await merge(scenario, revert, "1.0.0");

  const again = await bump(scenario, "1.2.0");
  const summary = summaryOf(scenario, again);
  assert.match(summary, /1\.0\.0 → 1\.1\.0 was merged on \d{4}-\d\d-\d\d, and reverted on \d{4}-\d\d-\d\d/);
  assert.match(summary, /medium: an earlier bump of the same package was reverted/);
  assert.doesNotMatch(summary, /3\.0\.0/, "a closed pull request changed nothing");
  const states = await scenario.database.query<{ pull_request: number; state: string }>(
    "select pull_request, state from bumps order by pull_request",
  );
  assert.deepEqual(
    states.map(({ pull_request: number, state }) => [number, state]),
    [
      [first.number, "merged"],
      [closed.number, "closed"],
      [revert.number, "merged"],
      [again.number, "open"],
    ],
  );
  scenario.check();
});
