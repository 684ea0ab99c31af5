import assert from "node:assert/strict";
import { createHmac, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { ENGINES, withStore } from "../../test/support/queue-contract/engines.ts";
import { createLog } from "../base/log.ts";
import { createGithubWebhooks } from "../forge/github/github-webhooks.ts";
import { createEventReader } from "../forge/github/parse-event.ts";
import { QUEUE_DEFAULTS } from "../queue/queue.ts";
import { createRepositoryIds } from "../store/repositories/repository-ids.ts";
import { BACKLOG_LIMITS } from "./backlog.ts";
import { createIntake } from "./intake.ts";
import { createWebhookHandler, type WebhookHandler } from "./webhook-handler.ts";

const SECRET = "a secret for this test only";
const MIB = 1024 * 1024;

function createHandler(): { readonly handler: WebhookHandler; readonly rejected: string[] } {
  const rejected: string[] = [];
  const handler = createWebhookHandler({
    // Rejected requests never reach these, so a call to any of them fails the test.
    intake: {} as never,
    queue: {} as never,
    webhooks: createGithubWebhooks(SECRET),
    slug: () => "kodiai",
    rejections: { add: (reason) => void rejected.push(reason), flush: async () => {} },
    log: createLog({ level: "error", format: "text", write: () => {}, now: () => 0 }),
    now: () => 0,
  });
  return { handler, rejected };
}

/** A request that is still being sent. */
function sending(headers: Readonly<Record<string, string>> = {}) {
  const stream = new PassThrough();
  // The handler only uses the stream and the headers of a request.
  const incoming = Object.assign(stream, { headers }) as unknown as IncomingMessage;
  return { stream, incoming };
}

/** A complete request with an invalid event header. */
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

test("requests that announce a body and never send it don't block others", async () => {
  const { handler, rejected } = createHandler();
  const stalled = Array.from({ length: 30 }, () => sending({ "content-length": String(25 * MIB) }));
  const answers = stalled.map(({ incoming }) => handler(incoming));
  assert.equal((await handler(sent())).body["error"], "bad-headers");
  for (const { stream } of stalled) stream.destroy();
  for (const { body } of await Promise.all(answers)) assert.equal(body["error"], "incomplete");
  assert.equal(rejected.filter((reason) => reason === "incomplete").length, 30);
});

test("bodies without a length are rejected over the shared memory limit, and their memory is freed", async () => {
  const { handler } = createHandler();
  const chunk = Buffer.alloc(20 * MIB);
  const many = Array.from({ length: 13 }, () => sending());
  const answers = many.map(({ incoming }) => handler(incoming));
  // The streams share one buffer: received bytes count, and the test needs no memory for them.
  for (const { stream } of many) stream.write(chunk);
  const first = await Promise.race(answers);
  assert.deepEqual([first.status, first.body["error"]], [503, "overloaded"]);
  for (const { stream } of many) stream.destroy();
  await Promise.all(answers);
  assert.equal((await handler(sent())).body["error"], "bad-headers");
});

test("a body without a length is rejected as soon as it exceeds the limit", async () => {
  const { handler } = createHandler();
  const { stream, incoming } = sending();
  const answer = handler(incoming);
  stream.write(Buffer.alloc(13 * MIB));
  stream.write(Buffer.alloc(13 * MIB));
  const { status, body } = await answer;
  assert.deepEqual([status, body["error"]], [413, "too-large"]);
  stream.destroy();
});

const ENVELOPE = JSON.stringify({ zen: "Keep it logically awesome." });

/** A complete, signed request. */
function delivered(id: string): IncomingMessage {
  const signature = createHmac("sha256", SECRET).update(ENVELOPE).digest("hex");
  const { stream, incoming } = sending({
    "x-hub-signature-256": `sha256=${signature}`,
    "x-github-delivery": id,
    "x-github-event": "ping",
  });
  stream.end(ENVELOPE);
  return incoming;
}

for (const engine of ENGINES)
  test(`[P13] ${engine.name}: while the disk stands still, a bounded number waits, the rest gets 503, and every 202 is on disk`, () =>
    withStore(engine, async (store) => {
      const { database } = store;
      const queue = await engine.openQueue(store, QUEUE_DEFAULTS, store.now);
      const intake = createIntake({
        database,
        queue,
        readEvents: (slug) => createEventReader({ appId: 1, slug, host: "github.com" }),
        repositoryIds: createRepositoryIds(database, "github.com"),
      });
      const disk = Promise.withResolvers<void>();
      const rejected: string[] = [];
      const handler = createWebhookHandler({
        intake: { record: (received) => disk.promise.then(() => intake.record(received)) },
        queue,
        webhooks: createGithubWebhooks(SECRET),
        slug: () => "kodiai",
        rejections: { add: (reason) => void rejected.push(reason), flush: async () => {} },
        log: createLog({ level: "error", format: "text", write: () => {}, now: () => 0 }),
        now: () => 0,
      });
      const extra = 200;
      const ids = Array.from({ length: BACKLOG_LIMITS.maxWaiting + extra }, () => randomUUID());
      const answers = ids.map((id) => handler(delivered(id)));
      // Those are answered while the others wait.
      const { promise: isShed, resolve: shed } = Promise.withResolvers<void>();
      let refused = 0;
      const watch = async (answer: (typeof answers)[number]): Promise<void> => {
        if ((await answer).status === 503 && ++refused === extra) shed();
      };
      for (const answer of answers) void watch(answer);
      await isShed;
      disk.resolve();
      const all = await Promise.all(answers);
      const accepted = ids.filter((_, index) => all[index]?.status === 202);
      assert.equal(accepted.length, BACKLOG_LIMITS.maxWaiting);
      assert.deepEqual(new Set(rejected), new Set(["overloaded"]));
      for (const { status, headers } of all)
        assert.equal(headers?.["retry-after"], status === 503 ? "30" : undefined);
      const rows = await database.query<{ guid: string }>("select guid from deliveries");
      assert.deepEqual(rows.map(({ guid }) => guid).toSorted(), accepted.toSorted());
      // The ones that were refused are taken when they arrive again.
      for (const id of ids.filter((each) => !accepted.includes(each)).slice(0, 3))
        assert.equal((await handler(delivered(id))).status, 202);
      await queue.close();
    }));
