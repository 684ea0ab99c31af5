/** The way out: one address, and no answer without an end. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { createWatchedFetch } from "./watched-fetch.ts";

async function serve(context: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address of this kind.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const SILENT = { stallMs: 1_000, onAnswer: () => undefined, onBytes: () => undefined };

test("another address than the given one is not asked", async (context) => {
  let asked = 0;
  const url = await serve(context, (_request, response) => {
    asked++;
    response.end();
  });
  const fetch = createWatchedFetch("https://api.example", SILENT);
  await assert.rejects(fetch(`${url}/v1/messages`), /another origin/);
  assert.equal(asked, 0);
});

test("an answer without an end is given up", async (context) => {
  const piece = Buffer.alloc(1024 * 1024);
  const url = await serve(context, (_request, response) => {
    const write = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", write);
    write();
  });
  let signs = 0;
  const fetch = createWatchedFetch(url, {
    ...SILENT,
    onAnswer: () => void signs++,
    onBytes: () => void signs++,
  });
  const response = await fetch(url);
  let bytes = 0;
  await assert.rejects(async () => {
    for await (const chunk of response.body ?? []) bytes += chunk.length;
  }, /exceeds 64 MiB/);
  assert.ok(bytes > 0 && bytes <= 64 * 1024 * 1024);
  assert.ok(signs > 1);
});
