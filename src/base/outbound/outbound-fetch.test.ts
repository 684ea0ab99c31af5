import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../../test/support/local-server.ts";
import { dispatcherFor, outboundFetch } from "./outbound-fetch.ts";

test("a short limit of silence needs nothing, a long one its own connections, which work", async (t) => {
  assert.equal(await dispatcherFor(false, false), null);
  const dispatcher = await dispatcherFor(false, true);
  assert.ok(dispatcher !== null);
  assert.equal(await dispatcherFor(false, true), dispatcher);
  const { port } = await startServer(t, (_request, response) => response.end("here"));
  const response = await outboundFetch(`http://127.0.0.1:${port}/`, {}, 600_000);
  assert.equal(await response.text(), "here");
  // The limits of the class, which would end a silence.
  const limits = Object.getOwnPropertySymbols(dispatcher).map((symbol): unknown =>
    Reflect.get(dispatcher, symbol),
  );
  assert.ok(limits.some((value) => /"bodyTimeout":0/.test(JSON.stringify(value))));
});
