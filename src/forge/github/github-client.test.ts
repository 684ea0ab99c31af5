/** Tests the address and the credential of GraphQL calls, and that a call says whether it writes. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createLog } from "../../base/log.ts";
import { createTokenClient } from "./github-client.ts";
import type { RateLimiter } from "./rate-limiter.ts";

test("GraphQL has its own address on github.com and on an Enterprise Server", async (t) => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end('{"data":{"ok":true}}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  // A server that listens on a port has this kind of address.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const writes: boolean[] = [];
  const limiter: RateLimiter = {
    run({ isWrite }, send) {
      writes.push(isWrite);
      return send();
    },
    pauseUntil: () => assert.fail("nothing is paused"),
  };
  for (const path of ["", "/api/v3", "/api/v3/"]) {
    const connection = {
      apiUrl: `${origin}${path}`,
      userAgent: "kodiai-test",
      now: Date.now,
      sleep: () => assert.fail("nothing is retried"),
      onRateLimit: () => assert.fail("there is no limit"),
      log: createLog({ level: "error", format: "json", write: () => {}, now: Date.now }),
    };
    const client = createTokenClient(connection, limiter, async () => ({ value: "secret", mintedAtMs: 0 }));
    const request = { graphql: path === "" ? "mutation" : "query" };
    assert.deepEqual(await client.graphql("query { viewer { login } }", { request }), { ok: true });
  }
  assert.deepEqual(received, [
    "POST /graphql token secret",
    "POST /api/graphql token secret",
    "POST /api/graphql token secret",
  ]);
  assert.deepEqual(writes, [true, false, false]);
});
