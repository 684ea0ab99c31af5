import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { test, type TestContext } from "node:test";
import { eventually } from "../../test/support/eventually.ts";
import { startServer } from "../../test/support/local-server.ts";
import { type RelayServer, startRelayServer } from "../../test/support/relay-server.ts";
import { createLog } from "../base/log.ts";
import type { WebhookAnswer } from "./webhook-handler.ts";
import { parseDelivery, startWebhookRelay } from "./webhook-relay.ts";

const ACCEPTED: WebhookAnswer = { status: 202, body: { delivery: "1" } };
const UNSIGNED: WebhookAnswer = {
  status: 401,
  body: { error: "bad-signature", message: "Signature mismatch." },
};

type Heard = { readonly event: string; readonly body: string };

function listen(
  t: TestContext,
  url: string,
  {
    answer = ACCEPTED,
    maxEventChars,
  }: { readonly answer?: WebhookAnswer; readonly maxEventChars?: number } = {},
): { readonly heard: Heard[]; readonly logged: () => string } {
  const heard: Heard[] = [];
  let logged = "";
  const write = (line: string): void => void (logged += line);
  const relay = startWebhookRelay(url, {
    log: createLog({ level: "debug", format: "json", write, now: () => 0 }),
    handleWebhook: async (incoming) => {
      heard.push({ event: String(incoming.headers["x-github-event"]), body: await text(incoming) });
      return answer;
    },
    ...(maxEventChars === undefined ? {} : { maxEventChars }),
  });
  t.after(() => relay.stop());
  return { heard, logged: () => logged };
}

async function post({ channelUrl }: RelayServer, body: string): Promise<void> {
  await fetch(channelUrl, { method: "POST", body, headers: { "x-github-event": "ping" } });
}

test("deliveries arrive with their headers and bytes, also after the connection was cut", async (t) => {
  const relay = await startRelayServer(t);
  const { heard } = listen(t, relay.channelUrl);
  await eventually("the connection", () => relay.connections() === 1);
  await post(relay, '{"text":"größer – 😀","n":1}');
  await eventually("the delivery", () => heard.length === 1);
  relay.cut();
  await eventually("the next connection", () => relay.connections() === 2);
  await post(relay, '{"n":2}');
  await eventually("the next delivery", () => heard.length === 2);
  assert.deepEqual(heard, [
    { event: "ping", body: '{"text":"größer – 😀","n":1}' },
    { event: "ping", body: '{"n":2}' },
  ]);
});

test("a relay that sends the text itself restores every byte", async (t) => {
  const body = String.raw`{"a": 1.0, "b":"\u003cp\u003e"}`;
  const relay = await startRelayServer(t, { sendsRawBody: true });
  const { heard } = listen(t, relay.channelUrl);
  await eventually("the connection", () => relay.connections() === 1);
  await post(relay, body);
  await eventually("the delivery", () => heard.length === 1);
  assert.deepEqual(heard, [{ event: "ping", body }]);
});

test("a rejected signature is explained: a relay may have changed the body", async (t) => {
  const relay = await startRelayServer(t);
  const { logged } = listen(t, relay.channelUrl, { answer: UNSIGNED });
  await eventually("the connection", () => relay.connections() === 1);
  await post(relay, '{"a": 1.0}');
  await eventually("the explanation", () => /relayed delivery rejected.*changed the body/.test(logged()));
});

test("an event that isn't a delivery is reported, and the next delivery arrives", async (t) => {
  const relay = await startRelayServer(t);
  const { heard, logged } = listen(t, relay.channelUrl);
  await eventually("the connection", () => relay.connections() === 1);
  relay.send("event: ping\ndata: {}\n\n: comment\n\ndata: no json\n\ndata: [1]\n\n");
  await post(relay, "{}");
  await eventually("the delivery", () => heard.length === 1);
  assert.equal(logged().match(/isn't a delivery/g)?.length, 2);
});

test("an event over the limit ends the connection, and a new one begins", async (t) => {
  const relay = await startRelayServer(t);
  const { heard, logged } = listen(t, relay.channelUrl, { maxEventChars: 1_000 });
  await eventually("the connection", () => relay.connections() === 1);
  relay.send(`data: ${"x".repeat(2_000)}`);
  await eventually("the next connection", () => relay.connections() === 2);
  assert.match(logged(), /event that is too large/);
  assert.deepEqual(heard, []);
});

test("an address that isn't a relay is reported and tried again", async (t) => {
  const { port, requests } = await startServer(t, (_request, response) => response.end("<html>"));
  const { logged } = listen(t, `http://127.0.0.1:${port}/channel`);
  await eventually("another attempt", () => requests.length > 1);
  assert.match(logged(), /answered 200 without a stream of events/);
});

test("fields of the relay and headers of its connection aren't passed on", () => {
  const sent = { "X-Hub": "a", host: "h", "content-length": "9", query: {}, timestamp: 1, body: { a: 1 } };
  const delivery = parseDelivery(JSON.stringify(sent));
  assert.deepEqual(delivery?.headers, { "x-hub": "a" });
  assert.equal(delivery?.bytes.toString(), '{"a":1}');
  assert.equal(parseDelivery("{}"), null);
});
