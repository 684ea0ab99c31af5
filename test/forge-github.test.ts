/** Tests the GitHub adapter on the fake GitHub: reads, credentials, limits, failures, and recovery of missed events. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { inspect } from "node:util";
import { KodiaiError } from "../src/base/errors.ts";
import { createLog } from "../src/base/log.ts";
import { createGithubForge } from "../src/forge/github/github-forge.ts";
import { startFakeGithub } from "../fake-github/fake-github.ts";
import { checkOracle } from "../fake-github/oracle.ts";
import {
  connect,
  createForge,
  createMemoryJournal,
  hostedRefOf,
  repositoryRefOf,
  startScenario,
} from "./support/publish-scenario.ts";

const FILES = { "new.ts": "export const a = 1;\n" };

test("a pull request is read in its current state, even from a deleted fork", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository({ name: "shop", isPrivate: true });
  const request = {
    files: FILES,
    fork: "grace",
    title: "A change",
    body: null,
    author: "grace",
    isDraft: true,
  };
  const pullRequest = await fake.openPullRequest(repository, request);
  const session = forge.openSession(repositoryRefOf(repository));
  const read = await session.pullRequests.read(pullRequest.number);
  assert.deepEqual(
    { ...read, base: "", url: "", association: "" },
    {
      repositoryRef: repositoryRefOf(repository),
      number: pullRequest.number,
      title: "A change",
      body: "",
      isOpen: true,
      isDraft: true,
      mergedAt: null,
      mergedBy: null,
      isLocked: false,
      head: pullRequest.head,
      headLabel: `grace:${pullRequest.headRef}`,
      headRef: pullRequest.headRef,
      baseRef: "main",
      base: "",
      isFork: true,
      isPrivate: true,
      author: { login: "grace", isBot: false },
      isOwn: false,
      association: "",
      updatedAt: Math.floor(pullRequest.updatedAtMs / 1_000) * 1_000,
      url: "",
    },
  );
  assert.match(read.base, /^[0-9a-f]{40}$/);
  await fake.deleteFork(pullRequest);
  await fake.closePullRequest(pullRequest);
  const later = await session.pullRequests.read(pullRequest.number);
  assert.deepEqual([later.isOpen, later.isFork], [false, true]);
  await session.close();
  checkOracle(fake, { tokensRevoked: true });
});

test("a merged pull request names who merged it", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository({ name: "shop" });
  const session = forge.openSession(repositoryRefOf(repository));
  for (const [by, isBot] of [
    ["grace", false],
    ["renovate[bot]", true],
  ] as const) {
    const pullRequest = await fake.openPullRequest(repository, { files: { [by]: "a" } });
    await fake.closePullRequest(pullRequest, { isMerged: true, by });
    const { mergedBy, mergedAt } = await session.pullRequests.read(pullRequest.number);
    assert.deepEqual(mergedBy, { login: by, isBot });
    assert.ok(mergedAt !== null);
  }
  await session.close();
  checkOracle(fake, { tokensRevoked: true });
});

test("git gets a URL without a credential, and the read token only on request", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository({ name: "shop", isPrivate: true });
  const pullRequest = await fake.openPullRequest(repository, { files: FILES });
  const session = forge.openSession(repositoryRefOf(repository));
  assert.throws(() => session.contents.cloneAccess(), /after reading the repository/);
  await session.pullRequests.read(pullRequest.number);
  const { url, credential } = session.contents.cloneAccess();
  assert.equal(url, `${fake.gitUrl}/acme/shop.git`);
  assert.ok(credential !== null);
  const { username, password } = await credential();
  const [token] = fake.tokens;
  assert.deepEqual([username, password, fake.tokens.length], ["x-access-token", token?.value, 1]);
  const ask = () =>
    fetch(`${url}/info/refs?service=git-upload-pack`, {
      headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` },
    });
  assert.equal((await ask()).status, 200);
  await session.close();
  assert.equal((await ask()).status, 401);
});

test("a renamed repository is found by its id, and not confused with another one of its old name", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository({ name: "shop" });
  const pullRequest = await fake.openPullRequest(repository, { files: FILES });
  const repositoryRef = repositoryRefOf(repository);
  fake.renameRepository(repository, "store");
  const impostor = await fake.createRepository({ name: "shop" });
  await fake.openPullRequest(impostor, { files: FILES });
  const session = forge.openSession(repositoryRef);
  const read = await session.pullRequests.read(pullRequest.number);
  assert.deepEqual(read.repositoryRef, { ...repositoryRef, name: "store" });
  assert.equal(read.head, pullRequest.head);
  assert.match(session.contents.cloneAccess().url, /\/acme\/store\.git$/);
  await session.close();
  checkOracle(fake, { tokensRevoked: true });
});

test("a redirect to another host isn't followed, and nothing is sent there", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository();
  await fake.openPullRequest(repository, { files: FILES });
  const elsewhere = await startFakeGithub();
  t.after(() => elsewhere.close());
  const headers = { location: `${elsewhere.url}/repos/acme/shop/pulls/1` };
  fake.faults.add({ operation: "pulls/get", times: 2, fault: { kind: "status", status: 307, headers } });
  const session = forge.openSession(repositoryRefOf(repository));
  await assert.rejects(session.pullRequests.read(1), { code: "network", message: /another host/ });
  assert.deepEqual(elsewhere.calls, []);
  await session.close();
});

test("a success without content counts as no answer", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository();
  const pullRequest = await fake.openPullRequest(repository, { files: FILES });
  fake.faults.add({ operation: "pulls/get", fault: { kind: "status", status: 200, body: "" } });
  const session = forge.openSession(repositoryRefOf(repository));
  assert.equal((await session.pullRequests.read(1)).head, pullRequest.head);
  await session.close();
});

test("[P5] a session has separate tokens, creates each once, and only those it needs", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository();
  const pullRequest = await fake.openPullRequest(repository, { files: FILES });
  const comment = fake.comment(pullRequest, { author: "ada", body: "@kodiai review" });
  const reading = forge.openSession(repositoryRefOf(repository));
  const reacting = forge.openSession(repositoryRefOf(repository));
  const unused = forge.openSession(repositoryRefOf(repository));
  await Promise.all([
    reading.pullRequests.read(1),
    reading.contents.readBranch("main"),
    reading.pullRequests.read(1),
  ]);
  await reacting.comments.react({ kind: "issue-comment", id: comment.id }, "eyes");
  const permissions = fake.tokens.map((token) => Object.keys(token.permissions).sort().join(" "));
  assert.deepEqual(permissions, ["contents metadata pull_requests", "checks metadata pull_requests"]);
  for (const { repositoryIds } of fake.tokens) assert.deepEqual(repositoryIds, [repository.id]);
  for (const session of [reading, reacting, unused]) await session.close();
  assert.equal(fake.tokens.length, 2);
  // Closing again has nothing to revoke.
  const calls = fake.calls.length;
  await reading.close();
  assert.equal(fake.calls.length, calls);
  checkOracle(fake, { tokensRevoked: true });
});

for (const [name, aheadMs] of [
  ["ahead of", 7_200_000],
  ["behind", -7_200_000],
] as const) {
  test(`with a clock two hours ${name} GitHub's, a token lasts its hour, and a failed delivery counts as recent`, async (t) => {
    const { fake } = await connect(t);
    const forge = createForge(fake, [], aheadMs);
    const repository = await fake.createRepository();
    const pullRequest = await fake.openPullRequest(repository, { files: FILES });
    const session = forge.openSession(repositoryRefOf(repository));
    await session.pullRequests.read(1);
    fake.clock.advance(50 * 60_000);
    await session.pullRequests.read(1);
    assert.equal(fake.tokens.length, 1);
    fake.clock.advance(6 * 60_000);
    await session.pullRequests.read(1);
    assert.equal(fake.tokens.length, 2);
    await session.close();
    fake.setWebhookUrl("http://127.0.0.1:1/webhooks/github");
    const webhook = await fake.events.pullRequest("opened", pullRequest);
    await fake.send(webhook);
    fake.clock.advance(120_000);
    await fake.send(webhook);
    assert.equal(await forge.redeliverFailed(60_000), 1);
    await fake.deliveries.settled();
  });
}

test("a token that is about to expire is replaced, and both are revoked", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository();
  await fake.openPullRequest(repository, { files: FILES });
  const session = forge.openSession(repositoryRefOf(repository));
  await session.pullRequests.read(1);
  fake.clock.advance(56 * 60_000);
  await session.pullRequests.read(1);
  assert.equal(fake.tokens.length, 2);
  await session.close();
  checkOracle(fake, { tokensRevoked: true });
});

test("a call with a token that isn't accepted everywhere yet is retried", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository();
  await fake.openPullRequest(repository, { files: FILES });
  const fault = { kind: "status", status: 401, body: { message: "Bad credentials" } } as const;
  fake.faults.add({ operation: "pulls/get", times: 2, fault });
  const session = forge.openSession(repositoryRefOf(repository));
  assert.equal((await session.pullRequests.read(1)).number, 1);
  await session.close();
});

test("a token that can't be revoked is logged, and closing continues", async (t) => {
  const { fake, forge, logged } = await connect(t);
  const repository = await fake.createRepository();
  await fake.openPullRequest(repository, { files: FILES });
  const session = forge.openSession(repositoryRefOf(repository));
  await session.pullRequests.read(1);
  fake.faults.add({ operation: "apps/revoke-installation-access-token", times: 2, fault: { kind: "reset" } });
  await session.close();
  assert.ok(logged.some((line) => line.includes("revoking a token failed")));
});

test("reactions are added to their target, and adding one twice has no effect", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  const comment = fake.comment(pullRequest, { author: "ada", body: "hello" });
  const line = { path: "new.ts", line: 1, body: "why?" };
  const { comments } = await fake.review(pullRequest, { author: "ada", body: "so", comments: [line] });
  const [onLine] = comments;
  assert.ok(onLine !== undefined);
  await scenario.inSession(async (session) => {
    for (let time = 0; time < 2; time += 1) {
      await session.comments.react({ kind: "issue-comment", id: comment.id }, "eyes");
      await session.comments.react({ kind: "review-comment", id: onLine.id }, "+1");
      await session.comments.react({ kind: "pull-request", id: pullRequest.number }, "confused");
    }
  });
  assert.deepEqual(fake.reactionsOf(comment), ["eyes"]);
  assert.deepEqual(fake.reactionsOf(onLine), ["+1"]);
  assert.deepEqual(fake.reactionsOf(pullRequest), ["confused"]);
  checkOracle(fake, { tokensRevoked: true });
});

test("merged pull requests of an author are counted, or unknown if the account can't be searched", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository();
  for (const author of ["ada", "ada", "dependabot[bot]"]) {
    const merged = await fake.openPullRequest(repository, { files: { [`${author}.ts`]: "1\n" }, author });
    await fake.closePullRequest(merged, { isMerged: true });
  }
  await fake.openPullRequest(repository, { files: FILES, author: "ada" });
  const session = forge.openSession(repositoryRefOf(repository));
  assert.equal(await session.people.countMergedPullRequests("ada"), 2);
  assert.equal(await session.people.countMergedPullRequests("dependabot[bot]"), 1);
  assert.equal(await session.people.countMergedPullRequests("grace"), 0);
  const calls = fake.calls.length;
  assert.equal(await session.people.countMergedPullRequests("ada is:open"), null);
  assert.equal(fake.calls.length, calls);
  fake.faults.add({
    operation: "search/issues-and-pull-requests",
    fault: { kind: "invalid", sentence: "no user" },
  });
  assert.equal(await session.people.countMergedPullRequests("ada"), null);
  await session.close();
  checkOracle(fake, { tokensRevoked: true });
});

test("errors distinguish suspended, missing, forbidden and unreachable", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository();
  const pullRequest = await fake.openPullRequest(repository, { files: FILES });
  const repositoryRef = repositoryRefOf(repository);
  const read = async (number = 1) => {
    const session = forge.openSession(repositoryRef);
    try {
      return await session.pullRequests.read(number);
    } finally {
      await session.close();
    }
  };
  await assert.rejects(read(99), { code: "not-found", retryable: false });
  fake.faults.add({ operation: "pulls/get", times: 2, fault: { kind: "status", status: 503 } });
  await assert.rejects(read(), { code: "network", retryable: true });
  fake.faults.add({ operation: "pulls/get", fault: { kind: "reset" } });
  assert.equal((await read()).head, pullRequest.head);
  fake.faults.add({ operation: "pulls/get", fault: { kind: "truncate", bytes: 100 } });
  assert.equal((await read()).head, pullRequest.head);
  fake.suspend(fake.installation);
  await assert.rejects(read(), { code: "suspended" });
  fake.unsuspend(fake.installation);
  fake.installation.permissions = { metadata: "read", contents: "read", pull_requests: "read" };
  const session = forge.openSession(repositoryRef);
  const current = await session.pullRequests.read(1);
  await assert.rejects(session.checks.start(current, createMemoryJournal()), (error: unknown) => {
    assert.ok(error instanceof KodiaiError);
    assert.equal(error.code, "forbidden");
    assert.match(error.hint, /permissions/);
    return true;
  });
  await session.close();
  const withdrawn = forge.openSession({ ...repositoryRef, forgeId: 999_999 });
  await assert.rejects(withdrawn.pullRequests.read(1), { code: "not-found", hint: /still installed/ });
  fake.uninstall(fake.installation);
  await assert.rejects(read(), { code: "not-found" });
  checkOracle(fake, { tokensRevoked: true });
});

test("the primary rate limit pauses its installation until the reset, and no other", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository();
  await fake.openPullRequest(repository, { files: FILES });
  fake.createInstallation("other");
  const other = await fake.createRepository({ owner: "other" });
  await fake.openPullRequest(other, { files: FILES });
  fake.faults.add({ operation: "pulls/get", fault: { kind: "primary-limit", resetInSeconds: 600 } });
  const session = forge.openSession(repositoryRefOf(repository));
  const started = fake.clock.now();
  const error = await session.pullRequests.read(1).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof KodiaiError && error.code === "rate-limited" && error.retryAtMs !== null);
  assert.ok(Math.abs(error.retryAtMs - started - 600_000) < 10_000);
  const calls = fake.calls.length;
  await assert.rejects(session.pullRequests.read(1), { code: "rate-limited", retryAtMs: error.retryAtMs });
  assert.equal(fake.calls.length, calls);
  const elsewhere = forge.openSession(repositoryRefOf(other));
  assert.equal((await elsewhere.pullRequests.read(1)).number, 1);
  fake.clock.advance(error.retryAtMs - fake.clock.now());
  assert.equal((await session.pullRequests.read(1)).number, 1);
  for (const each of [session, elsewhere]) await each.close();
  checkOracle(fake, { tokensRevoked: true });
});

test("[P5] no error or log contains a token, whatever fails", async (t) => {
  const scenario = await startScenario(t);
  const { fake, logged } = scenario;
  const errors: unknown[] = [];
  const echo = { kind: "alter", body: (body: unknown) => body } as const;
  fake.faults.add({ operation: "apps/get-authenticated", fault: echo });
  const faults = [
    { kind: "status", status: 403, body: { message: "Forbidden" } },
    { kind: "status", status: 500 },
    { kind: "reset" },
    { kind: "invalid", sentence: "no" },
  ] as const;
  for (const operation of ["pulls/get", "pulls/create-review", "apps/create-installation-access-token"]) {
    for (const fault of faults) {
      const off = fake.faults.add({ operation, times: 4, fault });
      await scenario.publish().then(
        () => undefined,
        (error: unknown) => errors.push(error),
      );
      off();
      fake.clock.advance(60_000);
    }
  }
  fake.faults.add({
    operation: "apps/revoke-installation-access-token",
    fault: { kind: "status", status: 500 },
  });
  await scenario.inSession((session) => session.pullRequests.read(scenario.pullRequest.number));
  assert.ok(errors.length >= 8, String(errors.length));
  const output = [
    ...errors.map((error) => inspect(error, { depth: Infinity, showHidden: true })),
    ...logged,
  ].join("\n");
  for (const { value } of fake.tokens) assert.ok(!output.includes(value));
  assert.ok(!/eyJ[\w-]+\.[\w-]+\./.test(output), "a JWT of the app");
  assert.ok(!output.includes("PRIVATE KEY"));
  for (const error of errors) assert.ok(error instanceof KodiaiError && error.cause === undefined);
});

test("the app's missing permissions are named as GitHub's settings name them", async (t) => {
  const { fake, forge } = await connect(t);
  const session = forge.openSession(repositoryRefOf(await fake.createRepository({ name: "shop" })));
  assert.deepEqual(session.missingPermission, {
    push: 'The GitHub App needs the permission "Contents: write" on this repository.',
    resolve: "GitHub requires the app's permission `Contents: read and write` for it.",
  });
});

const hostOf = ({ url }: { readonly url: string }): string => new URL(url).host;

test("a repository is found by its name only if the app can see it", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository({ name: "shop", isPrivate: true });
  await fake.createRepository({ owner: "stranger", name: "elsewhere" });
  assert.deepEqual(await forge.findRepository("ACME", "shop"), hostedRefOf(repository, hostOf(fake)));
  assert.equal(await forge.findRepository("stranger", "elsewhere"), null);
  assert.equal(await forge.findRepository("acme", "nothing"), null);
  checkOracle(fake, { tokensRevoked: true });
});

test("a valid key returns the app's name, and a wrong one is an error with a hint", async (t) => {
  const { fake, forge } = await connect(t);
  assert.deepEqual(await forge.checkCredentials(), { slug: "kodiai" });
  const pem = { type: "pkcs8", format: "pem" } as const;
  const publicKeyEncoding = { type: "spki", format: "pem" } as const;
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: pem,
    publicKeyEncoding,
  });
  const options = {
    appId: fake.appId,
    webhookSecret: fake.webhookSecret,
    apiUrl: fake.url,
    userAgent: "kodiai-test",
    now: () => fake.clock.now(),
    log: createLog({ level: "error", format: "json", write: () => {}, now: () => 0 }),
  };
  const wrong = createGithubForge({ ...options, privateKeyPem: privateKey });
  await assert.rejects(wrong.checkCredentials(), (error: unknown) => {
    assert.ok(error instanceof KodiaiError && error.code === "forbidden");
    assert.match(error.hint, /GITHUB_APP_ID and GITHUB_PRIVATE_KEY/);
    return true;
  });
  assert.throws(() => createGithubForge({ ...options, privateKeyPem: "not a key" }), { code: "config" });
});

test("the app's own events are recognized once its name is known", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  await scenario.publish();
  const [summary] = fake.commentsOf(pullRequest);
  assert.ok(summary !== undefined);
  const { event, payload } = fake.events.comment(summary);
  const fresh = createForge(fake);
  const parsed = fresh.parseEvent({ id: "guid", event, body: JSON.stringify(payload) });
  assert.ok(parsed.event.kind === "comment" && parsed.event.isOwn, "by the app's id");
  const asked = {
    sender: fake.user("ada"),
    extra: { requested_reviewer: { login: "kodiai[bot]", type: "Bot" } },
  };
  const request = await fake.events.pullRequest("review_requested", pullRequest, asked);
  const delivery = { id: "guid", event: request.event, body: JSON.stringify(request.payload) };
  assert.deepEqual(fresh.parseEvent(delivery).event, {
    kind: "ignored",
    reason: "review-requested-of-others",
  });
  await fresh.checkCredentials();
  const known = fresh.parseEvent(delivery).event;
  assert.ok(known.kind === "pull-request" && known.action === "review-requested");
  assert.deepEqual(known.repositoryRef, hostedRefOf(scenario.repository, hostOf(fake)));
});

test("every open pull request is listed, even if other repositories are suspended, archived or failing", async (t) => {
  const { fake, forge, logged } = await connect(t);
  const repository = await fake.createRepository({ name: "shop" });
  const opened = await fake.openPullRequest(repository, { files: FILES, title: "Open", author: "ada" });
  const closed = await fake.openPullRequest(repository, { files: { "b.ts": "1\n" } });
  await fake.closePullRequest(closed);
  const archived = await fake.createRepository({ name: "old" });
  await fake.openPullRequest(archived, { files: FILES });
  archived.isArchived = true;
  for (const account of ["suspended", "failing", "third"]) {
    const installation = fake.createInstallation(account);
    await fake.openPullRequest(await fake.createRepository({ owner: account }), { files: FILES });
    if (account === "suspended") fake.suspend(installation);
  }
  fake.faults.add({
    operation: "apps/create-installation-access-token",
    skip: 1,
    fault: { kind: "status", status: 404, body: { message: "Not Found" } },
  });
  const found = await Array.fromAsync(forge.listOpenPullRequests());
  assert.deepEqual(
    found.map(({ repositoryRef }) => `${repositoryRef.owner}/${repositoryRef.name}`),
    ["acme/shop", "third/shop"],
  );
  const [first] = found;
  assert.deepEqual(first?.repositoryRef, hostedRefOf(repository, hostOf(fake)));
  assert.deepEqual(first?.pullRequest, {
    number: opened.number,
    head: opened.head,
    isDraft: false,
    isOpen: true,
    title: "Open",
    author: { login: "ada", isBot: false },
  });
  assert.ok(first !== undefined && first.createdAt >= first.installedAt);
  assert.ok(logged.some((line) => line.includes("listing an installation failed")));
  for (const { permissions } of fake.tokens) {
    assert.deepEqual(permissions, { metadata: "read", pull_requests: "read" });
  }
  checkOracle(fake, { tokensRevoked: true });
});

test("a retryable failure of an installation is thrown after the others, so that the sweep is repeated", async (t) => {
  const { fake, forge } = await connect(t);
  await fake.openPullRequest(await fake.createRepository(), { files: FILES });
  fake.createInstallation("second");
  await fake.openPullRequest(await fake.createRepository({ owner: "second" }), { files: FILES });
  fake.faults.add({ operation: "pulls/list", times: 2, fault: { kind: "status", status: 502 } });
  const found: string[] = [];
  const sweep = async () => {
    for await (const { repositoryRef } of forge.listOpenPullRequests()) found.push(repositoryRef.owner);
  };
  await assert.rejects(sweep(), { code: "network", retryable: true });
  assert.deepEqual(found, ["second"]);
  checkOracle(fake, { tokensRevoked: true });
});

test("a delivery that GitHub can't redeliver doesn't stop newer ones", async (t) => {
  const { fake, forge, logged } = await connect(t);
  const repository = await fake.createRepository();
  const webhook = await fake.events.pullRequest(
    "opened",
    await fake.openPullRequest(repository, { files: FILES }),
  );
  fake.setWebhookUrl("http://127.0.0.1:1/webhooks/github");
  const since = fake.clock.now();
  for (let index = 0; index < 3; index += 1) {
    await fake.send(webhook);
    fake.clock.advance(1_000);
  }
  const operation = "apps/redeliver-webhook-delivery";
  const gone = { kind: "status", status: 404, body: { message: "Not Found" } } as const;
  fake.faults.add({ operation, fault: gone });
  assert.equal(await forge.redeliverFailed(fake.clock.now() - since + 1_000), 2);
  await fake.deliveries.settled();
  assert.equal(fake.deliveries.log.length, 5);
  assert.ok(logged.some((line) => line.includes("can't be redelivered")));
  fake.faults.add({ operation, times: 1, fault: { kind: "primary-limit", resetInSeconds: 60 } });
  await assert.rejects(forge.redeliverFailed(fake.clock.now() - since + 1_000), { code: "rate-limited" });
});

test("only failed deliveries are redelivered, once each", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository();
  const pullRequest = await fake.openPullRequest(repository, { files: FILES });
  const webhook = await fake.events.pullRequest("opened", pullRequest);
  // No server listens on this port.
  fake.setWebhookUrl("http://127.0.0.1:1/webhooks/github");
  const old = await fake.send(webhook);
  fake.clock.advance(60_000);
  const since = fake.clock.now();
  const missed = await fake.send(webhook);
  assert.equal(await forge.redeliverFailed(fake.clock.now() - since + 1_000), 1);
  await fake.deliveries.settled();
  const attempts = fake.calls.filter(({ operation }) => operation === "apps/redeliver-webhook-delivery");
  assert.equal(attempts.length, 1);
  assert.ok(fake.deliveries.log.filter(({ guid }) => guid === missed.guid).length === 2);
  assert.ok(fake.deliveries.log.filter(({ guid }) => guid === old.guid).length === 1);
  assert.deepEqual(fake.violations, []);
});

test("checks of a commit are read without the app's own, failed ones first with locations, within limits", async (t) => {
  const { fake, forge } = await connect(t);
  const repository = await fake.createRepository({ name: "shop", isPrivate: true });
  const fakePullRequest = await fake.openPullRequest(repository, { files: FILES });
  const { head } = fakePullRequest;
  const session = forge.openSession(repositoryRefOf(repository));
  const pullRequest = await session.pullRequests.read(fakePullRequest.number);
  await session.checks.start(pullRequest, createMemoryJournal());
  assert.deepEqual(await session.checks.read(head), []);

  const annotation = { path: "src/a.ts", startLine: 3, endLine: 3, level: "failure" } as const;
  const annotations = Array.from({ length: 12 }, (_, index) => ({
    ...annotation,
    title: index === 0 ? "lint" : null,
    message: `wrong\n  in ${index}`,
  }));
  const output = { title: "2 of 9 failed", summary: "x".repeat(5_000), text: null };
  fake.foreignCheck(repository, { head, name: "docs" });
  fake.foreignCheck(repository, { head, name: "slow", status: "in_progress", conclusion: null });
  fake.foreignCheck(repository, { head, name: "tests", conclusion: "success", annotations });
  fake.foreignCheck(repository, { head, name: "tests", conclusion: "failure", output, annotations });
  fake.foreignCheck(repository, { head: "0".repeat(40), name: "elsewhere" });
  const [tests, ...others] = await session.checks.read(head);
  assert.deepEqual(others, [
    { name: "slow", state: "in_progress", summary: "" },
    { name: "docs", state: "success", summary: "" },
  ]);
  assert.deepEqual([tests?.name, tests?.state, tests?.summary.length], ["tests", "failure", 2_000]);
  const lines = tests?.summary.split("\n") ?? [];
  assert.deepEqual(lines.slice(0, 2), ["src/a.ts:3: lint: wrong in 0", "src/a.ts:3: wrong in 1"]);
  assert.deepEqual(lines.slice(9, 11), ["src/a.ts:3: wrong in 9", "2 of 9 failed"]);

  for (let index = 0; index < 50; index++)
    fake.foreignCheck(repository, { head, name: `platform ${index}`, conclusion: "failure", annotations });
  const many = await session.checks.read(head);
  assert.deepEqual([many.length, new Set(many.map(({ state }) => state)).size], [30, 1]);
  assert.equal(many.filter(({ summary }) => summary.includes("wrong in 9")).length, 10);
  const writes = fake.world.writes.length;
  await session.close();
  assert.equal(writes, 1, "only our own check was written");
  checkOracle(fake, { tokensRevoked: true });
});
