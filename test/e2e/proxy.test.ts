/** Everything that a review sends leaves through the operator's proxy, with certificates of an authority of their own. */
import assert from "node:assert/strict";
import { test } from "node:test";
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
