/** Names of private packages stay in the house: no registry, no advisory database and no proxy gets one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startLoopbackHosts } from "../support/loopback-hosts.ts";
import { openDesk } from "../support/model-scenes/desk.ts";
import { FINISHING, oneByOne } from "../support/model-scenes/model-scene.ts";
import { testRepository } from "../support/test-repository.ts";
import { runKodiai } from "../support/run-kodiai.ts";

const SETTINGS = {
  ".yarnrc.yml": 'npmScopes:\n  acme:\n    npmRegistryServer: "https://npm.acme.internal"\n',
  "pyproject.toml": '[[tool.uv.index]]\nname = "house"\nurl = "https://pypi.acme.internal/simple"\n',
};

/** A public and a private package of npm and Go each, and one of Python that may be either. */
const projectAt = (version: string): Readonly<Record<string, string>> => ({
  "package.json": `${JSON.stringify({ name: "shop", dependencies: { "left-pad": version, "@acme/billing-core": version } }, null, 2)}\n`,
  "go.mod": `module git.acme.internal/shop\n\ngo 1.22\n\nrequire (\n\tgithub.com/pkg/errors v${version}\n\tgit.acme.internal/ledger v${version}\n)\n`,
  "requirements.txt": `house-rules==${version}\n`,
});

const PUBLIC = ["left-pad", "github.com/pkg/errors"];
const PRIVATE = /acme|billing|ledger|house/;

test("[P8] no private package is named to anyone, also not when a model asks for it", async (t) => {
  const hosts = await startLoopbackHosts(t, (_, response) => void response.writeHead(404).end());
  const reading = (name: string) => ({
    name: "read_dependency",
    args: { package: name, version: "new", what: "files" },
  });
  const desk = await openDesk(t, {
    before: { ...SETTINGS, ...projectAt("1.0.0") },
    after: projectAt("2.0.0"),
    script: oneByOne([
      reading("@acme/billing-core"),
      reading("git.acme.internal/ledger"),
      reading("house-rules"),
      FINISHING,
    ]),
  });
  const { stdout, stderr } = await desk.run(["--model", "openai:scripted"], hosts.env);
  for (const name of PUBLIC) assert.ok(hosts.sent().includes(name), `${name} in\n${hosts.sent()}${stderr}`);
  assert.doesNotMatch(hosts.sent(), PRIVATE);
  for (const answer of desk.server.requests.at(-1)?.toolResults.slice(0, 3) ?? [])
    assert.match(answer, /isn't a public package of this change/);
  assert.match(stdout, /billing-core/, "the review shows the package itself");
});

test("[P8] settings that can't be read make every package of their kind private, and the review says so", async (t) => {
  const hosts = await startLoopbackHosts(t, (_, response) => void response.writeHead(404).end());
  const made = testRepository();
  t.after(() => made.remove());
  for (const [path, text] of Object.entries(projectAt("1.0.0"))) made.write(path, text);
  made.write("bunfig.toml", "[install\n");
  made.commit("before");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const [path, text] of Object.entries(projectAt("2.0.0"))) made.write(path, text);
  made.commit("after");
  const { stdout } = await runKodiai(["review", "--no-memory"], { cwd: made.path, env: hosts.env });
  assert.match(stdout.replaceAll(/\s+/g, " "), /bunfig\.toml can't be read, so no npm package was looked up/);
  assert.ok(hosts.sent().includes("github.com/pkg/errors"), hosts.sent());
  assert.doesNotMatch(hosts.sent(), /left-pad|billing|ledger/);
});
