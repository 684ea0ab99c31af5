/** Everything that leaves the machine goes through the operator's proxy, with certificates of an authority of their own. */
import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ONE_REVIEW } from "../support/app/scenario.ts";
import { isAll } from "../support/extent.ts";
import { runOnPullRequest } from "../support/pull-request-command.ts";
import { PASSWORD, createScene, BUMP } from "../support/proxy-scene.ts";

const ALL_HOSTS = ["github.proxied.test", "models.proxied.test", "npm.proxied.test"];

for (const provider of isAll ? ["anthropic", "claude"] : ["anthropic"]) {
  test(`GitHub, git, a registry and the model ${provider}: go through the proxy`, async (t) => {
    const { scenario, proxy, model, environment, address, asked } = await createScene(t, BUMP);
    const args = ["review", "--pr", address, "--model", `${provider}:some-model`, "--format", "json"];
    const { code, stdout, stderr } = await runOnPullRequest(scenario, args, environment);
    assert.equal(code, 0, stderr);
    assert.deepEqual(proxy.connected().toSorted(), ALL_HOSTS, stderr);
    assert.ok(model.requests.length > 0, stderr);
    assert.ok(asked().includes("/left-pad"), JSON.stringify(asked()));
    assert.match(stdout, /This line was chosen by the fake model/);
    assert.doesNotMatch(`${stdout}${stderr}`, new RegExp(PASSWORD));
    scenario.check();
  });
}

test("the app publishes through the proxy, with its secrets in files", async (t) => {
  const { scenario, proxy, environment } = await createScene(t);
  const { GITHUB_PRIVATE_KEY: key = "", GITHUB_WEBHOOK_SECRET: secret = "" } = scenario.folder.environment;
  const files = { GITHUB_PRIVATE_KEY: key, GITHUB_WEBHOOK_SECRET: secret };
  const named = Object.entries(files).flatMap(([name, value]) => {
    const path = join(scenario.folder.path, name);
    writeFileSync(path, `${value}\n`);
    return [
      [name, ""],
      [`${name}_FILE`, path],
    ];
  });
  const app = await scenario.start(["serve"], {
    ...environment,
    ...Object.fromEntries(named),
    KODIAI_MODEL: "floor",
  });
  assert.equal(await scenario.send("opened"), 202);
  await scenario.settled();
  assert.deepEqual(scenario.published(), ONE_REVIEW, app.output());
  assert.ok(proxy.connected().includes("github.proxied.test"));
  assert.doesNotMatch(app.output(), new RegExp(PASSWORD));
  scenario.check();
});

test("a local review with a proxy opens no connection", async (t) => {
  const { scenario, proxy, environment } = await createScene(t, BUMP);
  const diff =
    '--- a/package.json\n+++ b/package.json\n@@ -1 +1 @@\n-{}\n+{ "dependencies": { "left-pad": "1.0.1" } }\n';
  writeFileSync(join(scenario.folder.path, "change.diff"), diff);
  const { ANTHROPIC_API_KEY: _, ...keyless } = environment;
  const { stderr } = await runOnPullRequest(scenario, ["review", "--diff", "change.diff"], {
    ...keyless,
    KODIAI_OFFLINE: "on",
  });
  assert.deepEqual(proxy.connected(), [], stderr);
  assert.ok(readdirSync(scenario.folder.path).includes("change.diff"));
});
