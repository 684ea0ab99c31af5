/** Receives the fake's webhooks like an app: signatures, headers, payloads of every kind, and redelivery. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { ask, jwtOf, tokenOf } from "./client.ts";
import { type FakeGithub, type FakeGithubOptions, startFakeGithub } from "./fake-github.ts";
import type { Webhook } from "./payloads.ts";

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };

type Stage = {
  readonly fake: FakeGithub;
  readonly received: Received[];
  readonly answerWith: (status: number) => void;
};

/** A fake that delivers to a server of the test. */
async function stage(context: TestContext, options: FakeGithubOptions = {}): Promise<Stage> {
  const received: Received[] = [];
  let status = 202;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  // A server that listens on a port has this kind of address.
  const { port } = server.address() as AddressInfo;
  const fake = await startFakeGithub({ ...options, webhookUrl: `http://127.0.0.1:${port}/hook` });
  context.after(async () => {
    await fake.close();
    server.closeAllConnections();
    server.close();
  });
  return {
    fake,
    received,
    answerWith(next) {
      status = next;
    },
  };
}

test("a delivery is signed with the secret and names its event", async (context) => {
  const { fake, received } = await stage(context);
  const pullRequest = await fake.openPullRequest(await fake.createRepository(), { files: { a: "a" } });
  const delivery = await fake.send(await fake.events.pullRequest("opened", pullRequest));
  const [{ headers, body } = { headers: {}, body: "" }] = received;
  const expected = createHmac("sha256", fake.webhookSecret).update(body).digest("hex");
  assert.equal(headers["x-hub-signature-256"], `sha256=${expected}`);
  assert.equal(headers["x-github-event"], "pull_request");
  assert.equal(headers["x-github-delivery"], delivery.guid);
  assert.equal(headers["x-github-hook-installation-target-id"], String(fake.appId));
  assert.match(headers["user-agent"] ?? "", /^GitHub-Hookshot\//);
  const payload = JSON.parse(body);
  assert.equal(payload.action, "opened");
  assert.equal(payload.installation.id, fake.installationId);
  assert.equal(payload.repository.full_name, "acme/shop");
  assert.equal(payload.pull_request.head.sha, pullRequest.head);
  assert.equal(delivery.statusCode, 202);
});

test("a delivery can be sent with another secret, other bytes, or the same id", async (context) => {
  const { fake, received } = await stage(context);
  const webhook = fake.events.push(await fake.createRepository());
  await fake.send(webhook, { guid: "same", secret: "wrong", headers: { "x-hub-signature": null } });
  await fake.send(webhook, { guid: "same", body: "{ not json" });
  assert.deepEqual(
    received.map(({ headers }) => headers["x-github-delivery"]),
    ["same", "same"],
  );
  const right = (body: string): string =>
    `sha256=${createHmac("sha256", fake.webhookSecret).update(body).digest("hex")}`;
  assert.notEqual(received[0]?.headers["x-hub-signature-256"], right(received[0]?.body ?? ""));
  assert.equal(received[0]?.headers["x-hub-signature"], undefined);
  assert.equal(received[1]?.body, "{ not json");
  assert.equal(received[1]?.headers["x-hub-signature-256"], right("{ not json"));
});

test("every kind of event names the repository, the people and the installation of the fake", async (context) => {
  const { fake } = await stage(context);
  const repository = await fake.createRepository();
  const pullRequest = await fake.openPullRequest(repository, { files: { a: "a\n" } });
  const { review, comments } = await fake.review(pullRequest, {
    author: "grace",
    body: "hm",
    comments: [{ path: "a", line: 1, body: "why?" }],
  });
  const token = await tokenOf(fake);
  await ask(fake, "POST /repos/acme/shop/check-runs", {
    token,
    body: { name: "Kodiai", head_sha: pullRequest.head },
  });
  const [run] = fake.checksOf(pullRequest);
  const [comment] = comments;
  assert.ok(run !== undefined && comment !== undefined);
  const actions = [
    "opened",
    "reopened",
    "synchronize",
    "ready_for_review",
    "review_requested",
    "edited",
    "closed",
  ];
  const webhooks: readonly Webhook[] = [
    ...(await Promise.all(actions.map((action) => fake.events.pullRequest(action, pullRequest)))),
    fake.events.comment(fake.comment(pullRequest, { author: "grace", body: "@kodiai review" })),
    await fake.events.reviewComment(comment),
    await fake.events.review(review),
    await fake.events.thread("resolved", comment),
    fake.events.repository("privatized", repository),
    await fake.events.checkRerequested(run),
    fake.events.installation("created", fake.installation),
    fake.events.installation("suspend", fake.installation),
    fake.events.push(repository),
  ];
  for (const { event, payload } of webhooks) {
    const text = JSON.stringify(payload);
    assert.match(text, new RegExp(`"id":${fake.installationId}\\b`), event);
    assert.match(text, /"full_name":"acme\/shop"/, event);
    if (event.startsWith("pull_request")) assert.doesNotMatch(text, /Codertocat\/Hello-World/, event);
  }
});

test("with autoDeliver, actions of people send their webhooks", async (context) => {
  const { fake, received } = await stage(context, { autoDeliver: true });
  const pullRequest = await fake.openPullRequest(await fake.createRepository(), { files: { a: "a" } });
  await fake.deliveries.settled();
  await fake.push(pullRequest, { a: "b" });
  await fake.deliveries.settled();
  await fake.closePullRequest(pullRequest);
  await fake.deliveries.settled();
  const payloads = received.map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    payloads.map(({ action }) => action),
    ["opened", "synchronize", "closed"],
  );
  assert.equal(payloads[1].after, pullRequest.head);
  assert.equal(payloads[2].pull_request.state, "closed");
});

test("failed deliveries are listed by cursor and redelivered under the same id on request", async (context) => {
  const { fake, received, answerWith } = await stage(context);
  const webhook = fake.events.push(await fake.createRepository());
  await fake.send(webhook, { guid: "fine" });
  answerWith(500);
  for (const guid of ["one", "two", "three"]) await fake.send(webhook, { guid });
  await fake.send(webhook, { guid: "unreachable", url: "http://127.0.0.1:9/" });
  const token = jwtOf(fake);
  const guids: string[] = [];
  let route: string | undefined = "/app/hook/deliveries?status=failure&per_page=2";
  let lastId = 0;
  while (route !== undefined) {
    const { body, headers } = await ask(fake, `GET ${route}`, { token });
    for (const { guid, id } of body) {
      guids.push(guid);
      lastId = id;
    }
    route = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]?.slice(fake.url.length);
  }
  assert.deepEqual(guids, ["unreachable", "three", "two", "one"]);
  answerWith(202);
  assert.equal((await ask(fake, `POST /app/hook/deliveries/${lastId}/attempts`, { token })).status, 202);
  await fake.deliveries.settled();
  assert.equal(received.at(-1)?.headers["x-github-delivery"], "one");
  assert.equal(received.at(-1)?.body, received[1]?.body);
  const newest = fake.deliveries.log.at(-1);
  assert.deepEqual([newest?.guid, newest?.isRedelivery, newest?.statusCode], ["one", true, 202]);
  const read = await ask(fake, `GET /app/hook/deliveries/${newest?.id}`, { token });
  assert.equal(read.body.request.payload.ref, "refs/heads/main");
  assert.deepEqual(fake.violations, []);
});

test("a delivery without a response in time has failed", async (context) => {
  const { fake } = await stage(context);
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => {
    silent.listen(0, "127.0.0.1", resolve);
  });
  context.after(() => {
    silent.closeAllConnections();
    silent.close();
  });
  // A server that listens on a port has this kind of address.
  const { port } = silent.address() as AddressInfo;
  const webhook = fake.events.push(await fake.createRepository());
  const delivery = await fake.send(webhook, { url: `http://127.0.0.1:${port}/`, timeoutMs: 50 });
  assert.deepEqual([delivery.statusCode, delivery.status], [504, "timed out"]);
});
