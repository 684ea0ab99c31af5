/** A major that keeps a removed function which only throws, reviewed by the App. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createScenario } from "../support/app/scenario.ts";
import { eventually } from "../support/eventually.ts";
import { startYamlHosts, yamlProjectAt } from "../support/thrown-away-fixtures.ts";

test("the App follows it to the call site", async (t) => {
  const hosts = await startYamlHosts(t);
  const scenario = await createScenario(t);
  const { fake, repository } = scenario;
  await fake.commit(repository, yamlProjectAt("3.14.1"));
  await scenario.start(undefined, hosts.env);
  const pullRequest = await fake.openPullRequest(repository, {
    title: "Bump js-yaml",
    files: yamlProjectAt("4.1.0"),
  });
  await fake.send(await fake.events.pullRequest("opened", pullRequest));
  await eventually("the review", async () => fake.commentsOf(pullRequest).length > 0);
  await scenario.settled();
  const summary = fake.commentsOf(pullRequest)[0]?.body ?? "";
  assert.match(summary, /safeLoad.{0,3} at .{0,3}src\/settings\.js:3/);
  assert.match(summary, /`safeLoad\(\)` was removed/);
  scenario.check();
});
