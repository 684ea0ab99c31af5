/** Hosts that avoid the proxy, and proxies that don't work: the error names them, without their password. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { OutboundProxy } from "../support/outbound-proxy.ts";
import { runOnPullRequest } from "../support/pull-request-command.ts";
import { PASSWORD, createScene } from "../support/proxy-scene.ts";

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
