/** The app behind a proxy, hosts that avoid it, and proxies that don't work: the error names them, without their password. */
import assert from "node:assert/strict";
import { writeFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ONE_REVIEW } from "../support/app/scenario.ts";
import type { OutboundProxy } from "../support/outbound-proxy.ts";
import { PASSWORD, createScene, BUMP } from "../support/proxy-scene.ts";
import { runOnPullRequest } from "../support/pull-request-command.ts";

test("hosts in NO_PROXY and without the variables aren't reached through the proxy", async (t) => {
  const { scenario, proxy, environment, address } = await createScene(t);
  const { HTTPS_PROXY_FILE: _, ...direct } = environment;
  for (const variables of [{ ...environment, NO_PROXY: ".proxied.test" }, direct]) {
    const { code, stderr } = await runOnPullRequest(scenario, ["review", "--pr", address], variables);
    assert.notEqual(code, 0);
    // Without the proxy, nothing knows the name.
    assert.match(stderr, /github\.proxied\.test|EAI_AGAIN|ENOTFOUND/);
    assert.deepEqual(proxy.connected(), []);
  }
});

test("a `.env` file of a checkout names no proxy, and `serve` refuses one in it", async (t) => {
  const { scenario, proxy, environment, address } = await createScene(t);
  const { HTTPS_PROXY_FILE: _, ...direct } = environment;
  writeFileSync(join(scenario.folder.path, ".env"), `HTTPS_PROXY=${proxy.url}\n`);
  proxy.credentials = null;
  await runOnPullRequest(scenario, ["review", "--pr", address], direct);
  assert.deepEqual(proxy.connected(), []);
  const served = await runOnPullRequest(scenario, ["serve", "--port", "0"], direct);
  assert.equal(served.code, 2);
  assert.match(served.stderr, /HTTPS_PROXY is set in \.env; set it in the environment/);
});

const REFUSALS: readonly (readonly [title: string, change: (proxy: OutboundProxy) => void, words: RegExp])[] =
  [
    [
      "requires another password",
      (proxy) => (proxy.credentials = "someone:else"),
      /refused a connection to github\.proxied\.test:443 \(status 407\)[\s\S]*Set a valid user and password in HTTPS_PROXY/,
    ],
    [
      "doesn't allow the host",
      (proxy) => (proxy.refusal = 403),
      /refused a connection to github\.proxied\.test:443 \(status 403\)[\s\S]*Allow CONNECT to that host/,
    ],
  ];

for (const [title, change, words] of REFUSALS) {
  test(`the error names a proxy that ${title}, and not its password`, async (t) => {
    const { scenario, proxy, environment, address } = await createScene(t);
    change(proxy);
    const { code, stderr } = await runOnPullRequest(scenario, ["review", "--pr", address], environment);
    assert.notEqual(code, 0);
    assert.match(stderr, words);
    assert.ok(stderr.includes(`the proxy ${proxy.host}`), stderr);
    assert.doesNotMatch(stderr, new RegExp(PASSWORD));
  });
}

test("the error names a proxy that can't be reached, and an invalid one isn't shown", async (t) => {
  const { scenario, environment, address } = await createScene(t);
  const { HTTPS_PROXY_FILE: _, ...direct } = environment;
  const review = (HTTPS_PROXY: string) =>
    runOnPullRequest(scenario, ["review", "--pr", address], { ...direct, HTTPS_PROXY });
  const gone = await review(`http://kodiai:${PASSWORD}@127.0.0.1:9`);
  assert.match(gone.stderr, /the proxy 127\.0\.0\.1:9 can't be reached \(ECONNREFUSED\)/);
  const invalid = await review(`socks5://kodiai:${PASSWORD}@127.0.0.1:9`);
  assert.equal(invalid.code, 2);
  assert.match(invalid.stderr, /HTTPS_PROXY must be the URL of an HTTP proxy/);
  assert.doesNotMatch(gone.stderr + invalid.stderr, new RegExp(PASSWORD));
});

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
