import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { patienceFor } from "./patient-dispatcher.ts";

test("a short limit of silence needs nothing, a long one its own connections, which work", async (t) => {
  assert.deepEqual(await patienceFor(120_000), {});
  const options = await patienceFor(600_000);
  assert.ok(options.dispatcher !== undefined);
  assert.equal((await patienceFor(900_000)).dispatcher, options.dispatcher);
  const server = createServer((_request, response) => response.end("here"));
  t.after(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const response = await fetch(`http://127.0.0.1:${address.port}/`, options);
  assert.equal(await response.text(), "here");
  // The limits of the class, which would end a silence.
  const limits = Object.getOwnPropertySymbols(options.dispatcher).map((symbol): unknown =>
    Reflect.get(options.dispatcher ?? {}, symbol),
  );
  assert.ok(limits.some((value) => /"bodyTimeout":0/.test(JSON.stringify(value))));
});
