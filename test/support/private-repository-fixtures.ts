/** A GitHub with a repository that only the operator's token can read, and a change that names it. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import type { LoopbackHosts, SentRequest } from "./loopback-hosts.ts";

export const TOKEN = "token-of-the-operator";

/** In every answer about the private repository. */
export const SECRET = "the-plan-that-is-not-public";

export const workflowAt = (version: string): string => `on: push
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: acme/open-engine@v${version}
      - uses: acme/secret-engine@v${version}
`;

/** GitHub as it is: what is private is there for the token only, and the web page says nothing about it. */
export function answerAsGithub({ host, path, headers, body }: SentRequest, response: ServerResponse): void {
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

export function assertNothingPrivate(hosts: LoopbackHosts): void {
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
