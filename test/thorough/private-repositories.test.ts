/** The app, a change that names a repository which only the operator's token can read, and a warning. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createScenario } from "../support/app/scenario.ts";
import { eventually } from "../support/eventually.ts";
import { startLoopbackHosts } from "../support/loopback-hosts.ts";
import {
  TOKEN,
  SECRET,
  workflowAt,
  answerAsGithub,
  assertNothingPrivate,
} from "../support/private-repository-fixtures.ts";

test("[P8] the app warns of a token that can read private repositories, and doesn't use it for them", async (t) => {
  const hosts = await startLoopbackHosts(t, answerAsGithub);
  const { KODIAI_OFFLINE = "", NODE_OPTIONS = "", XDG_CACHE_HOME = "" } = hosts.env;
  const scenario = await createScenario(t, {
    environment: { KODIAI_OFFLINE, NODE_OPTIONS, KODIAI_DATA: XDG_CACHE_HOME, GITHUB_TOKEN: TOKEN },
  });
  const { fake, repository } = scenario;
  await fake.commit(repository, { ".github/workflows/ci.yml": workflowAt("1.0.0") });
  const pullRequest = await fake.openPullRequest(repository, {
    title: "Bump",
    files: { ".github/workflows/ci.yml": workflowAt("2.0.0") },
  });
  const app = await scenario.start();
  await eventually("the warning", () => app.output().includes("GITHUB_TOKEN can read private repositories"));
  await fake.send(await fake.events.pullRequest("opened", pullRequest));
  await scenario.settled();
  const published = fake
    .commentsOf(pullRequest)
    .map(({ body }) => body)
    .join("\n");
  assert.match(published, /Engines are faster\./, app.output());
  assert.doesNotMatch(published, new RegExp(SECRET));
  assertNothingPrivate({
    ...hosts,
    requests: hosts.requests.filter(({ path }) => !path.startsWith("/user/repos")),
  });
  scenario.check();
});
