/** A change names a repository that only the operator's token can read. Nothing of it may be read, shown or kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type LoopbackHosts, type SentRequest, startLoopbackHosts } from "../support/loopback-hosts.ts";
import { openDesk } from "../support/model-scenes/desk.ts";
import { FINISHING, oneByOne } from "../support/model-scenes/model-scene.ts";
import { createScenario } from "../support/app/scenario.ts";
import { eventually } from "../support/eventually.ts";
import type { ServerResponse } from "node:http";

const TOKEN = "token-of-the-operator";
/** In every answer about the private repository. */
const SECRET = "the-plan-that-is-not-public";

const workflowAt = (version: string): string => `on: push
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: acme/open-engine@v${version}
      - uses: acme/secret-engine@v${version}
`;

/** GitHub as it is: what is private is there for the token only, and the web page says nothing about it. */
function answerAsGithub({ host, path, headers, body }: SentRequest, response: ServerResponse): void {
  const isSecret = path.includes("secret-engine");
  const isKnown = !isSecret || headers.authorization === `Bearer ${TOKEN}`;
  const note = `### Breaking changes\n\n- ${isSecret ? SECRET : "Engines are faster."}\n`;
  if (host === "github.com") response.writeHead(isSecret ? 404 : 200).end();
  else if (host === "api.osv.dev") answerAsOsv(body, response);
  else if (host !== "api.github.com" || !isKnown) response.writeHead(404).end();
  else if (path.startsWith("/user/repos")) response.end(JSON.stringify([{ name: "secret-engine" }]));
  else if (path.includes("/releases"))
    response.end(
      JSON.stringify(["2.0.0", "1.0.0"].map((version) => ({ tag_name: `v${version}`, body: note }))),
    );
  else
    response.end(
      JSON.stringify({
        sha: "1".repeat(40),
        commit: { committer: { date: "2024-01-31T12:00:00Z" } },
        committer: { login: note },
      }),
    );
}

/** No package has an advisory. */
function answerAsOsv(body: string, response: ServerResponse): void {
  const { queries } = JSON.parse(body) as { readonly queries: readonly unknown[] };
  response.end(JSON.stringify({ results: queries.map(() => ({})) }));
}

function assertNothingPrivate(hosts: LoopbackHosts): void {
  const withToken = hosts.requests.filter(({ headers }) => headers.authorization !== undefined);
  assert.ok(
    withToken.some(({ path }) => path.startsWith("/repos/acme/open-engine/")),
    hosts.sent(),
  );
  assert.ok(!withToken.some(({ path }) => path.includes("secret-engine")), hosts.sent());
  assert.ok(
    withToken.every(({ host }) => host === "api.github.com"),
    hosts.sent(),
  );
  assert.ok(!hosts.cached().includes(SECRET), "the cache has it");
  assert.ok(hosts.cached().includes("Engines are faster."), "the cache has what is public");
}

test("[P8] a private repository that a change names isn't read with the operator's token", async (t) => {
  const hosts = await startLoopbackHosts(t, answerAsGithub);
  const desk = await openDesk(t, {
    before: { ".github/workflows/ci.yml": workflowAt("1.0.0") },
    after: { ".github/workflows/ci.yml": workflowAt("2.0.0") },
    script: oneByOne([FINISHING]),
  });
  const { stdout, stderr } = await desk.run(["--model", "openai:scripted"], {
    ...hosts.env,
    GITHUB_TOKEN: TOKEN,
  });
  const prompts = desk.server.requests.map(({ prompt }) => prompt).join("\n");
  assert.match(prompts, /Engines are faster\./, stderr + hosts.sent());
  assert.doesNotMatch(stdout + stderr + prompts, new RegExp(SECRET));
  assertNothingPrivate(hosts);
});

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
