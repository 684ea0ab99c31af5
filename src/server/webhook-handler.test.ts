import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { createLog } from "../base/log.ts";
import { createWebhookHandler, type WebhookHandler } from "./webhook-handler.ts";

const SECRET = "a secret for this test only";
const MIB = 1024 * 1024;

function createDoor(): { readonly door: WebhookHandler; readonly rejected: string[] } {
  const rejected: string[] = [];
  const door = createWebhookHandler({
    // What is refused goes no further than here: calling anything of these fails loudly, as it should.
    database: {} as never,
    queue: {} as never,
    forge: {} as never,
    webhookSecrets: [SECRET],
    isNameKnown: () => true,
    rejections: { add: (reason) => void rejected.push(reason), flush: async () => {} },
    log: createLog({ level: "error", format: "text", write: () => {}, now: () => 0 }),
    now: () => 0,
  });
  return { door, rejected };
}

/** A request that is still being sent. */
function sending(headers: Readonly<Record<string, string>> = {}) {
  const stream = new PassThrough();
  // All that the door uses of a request is its stream and its headers.
  const incoming = Object.assign(stream, { headers }) as unknown as IncomingMessage;
  return { stream, incoming };
}

/** One that goes as far as its headers. */
function sent(): IncomingMessage {
  const body = "{}";
  const signature = createHmac("sha256", SECRET).update(body).digest("hex");
  const { stream, incoming } = sending({
    "x-hub-signature-256": `sha256=${signature}`,
    "x-github-delivery": randomUUID(),
    "x-github-event": "not a word",
    "content-length": "2",
  });
  stream.end(body);
  return incoming;
}

test("bodies that are announced and never sent keep nobody out", async () => {
  const { door, rejected } = createDoor();
  const stalled = Array.from({ length: 30 }, () => sending({ "content-length": String(25 * MIB) }));
  const answers = stalled.map(({ incoming }) => door(incoming));
  assert.equal((await door(sent())).body["error"], "bad-headers");
  for (const { stream } of stalled) stream.destroy();
  for (const { body } of await Promise.all(answers)) assert.equal(body["error"], "incomplete");
  assert.equal(rejected.filter((reason) => reason === "incomplete").length, 30);
});

test("bodies without a length take the room they take: over the limit of all together they are refused, and the room is free again", async () => {
  const { door } = createDoor();
  const chunk = Buffer.alloc(20 * MIB);
  const many = Array.from({ length: 13 }, () => sending());
  const answers = many.map(({ incoming }) => door(incoming));
  // The same bytes thirteen times over: what counts is what was received, and a test needs no room for it.
  for (const { stream } of many) stream.write(chunk);
  const first = await Promise.race(answers);
  assert.deepEqual([first.status, first.body["error"]], [503, "overloaded"]);
  for (const { stream } of many) stream.destroy();
  await Promise.all(answers);
  assert.equal((await door(sent())).body["error"], "bad-headers");
});

test("a body without a length that grows over the limit is refused while it comes", async () => {
  const { door } = createDoor();
  const { stream, incoming } = sending();
  const answer = door(incoming);
  stream.write(Buffer.alloc(13 * MIB));
  stream.write(Buffer.alloc(13 * MIB));
  const { status, body } = await answer;
  assert.deepEqual([status, body["error"]], [413, "too-large"]);
  stream.destroy();
});
