/** The HTTP server by itself: it stops although a client keeps a connection open. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { createLog } from "../src/base/log.ts";
import { startServer } from "../src/server/server.ts";

test("a connection that sends nothing, or half a request, does not keep the server from stopping", async () => {
  const lines: string[] = [];
  const server = await startServer(
    { host: "127.0.0.1", port: 0 },
    {
      webhookPath: "/webhooks/github",
      handleWebhook: () => new Promise(() => {}),
      readiness: async () => ({ isReady: true, checks: {} }),
      // No test requests metrics here.
      metrics: {} as never,
      metricsToken: null,
      onRejected: () => {},
      servePages: null,
      log: createLog({ level: "debug", format: "text", write: (line) => lines.push(line), now: () => 0 }),
      version: "0.0.0",
      uptimeMs: () => 0,
    },
  );
  const sockets = [
    "",
    "POST /webhooks/github HTTP/1.1\r\nHost: a\r\n",
    "POST /webhooks/github HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{",
  ].map((text) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(text));
    socket.on("error", () => {});
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const healthy = await fetch(`http://127.0.0.1:${server.port}/healthz`);
  assert.equal(healthy.status, 200);
  await healthy.text();
  await server.stop();
  await assert.rejects(fetch(`http://127.0.0.1:${server.port}/healthz`));
  for (const socket of sockets) socket.destroy();
  assert.deepEqual(lines, []);
});
