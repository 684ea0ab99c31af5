/** Checks the fake against GitHub's rules: access, reviews, and injected faults. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test, type TestContext } from "node:test";
import { ask, askForToken, type ClientAnswer, jwtOf, tokenOf } from "./client.ts";
import { type FakeGithub, type FakeGithubOptions, startFakeGithub } from "./fake-github.ts";
import type { PullRequest, Repository } from "./world.ts";

const numbered = (count: number, changes: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, index) => `${changes[index + 1] ?? `line ${index + 1}`}\n`).join("");

type Stage = {
  readonly fake: FakeGithub;
  readonly repository: Repository;
  readonly pullRequest: PullRequest;
};

/** A private repository with one file of forty lines, and a pull request that changes line 20. */
async function stage(context: TestContext, options: FakeGithubOptions = {}): Promise<Stage> {
  const fake = await startFakeGithub(options);
  context.after(() => fake.close());
  const repository = await fake.createRepository({ files: { "a.ts": numbered(40) }, isPrivate: true });
  const pullRequest = await fake.openPullRequest(repository, {
    files: { "a.ts": numbered(40, { 20: "changed" }) },
  });
  return { fake, repository, pullRequest };
}

const PULL = "/repos/acme/shop/pulls/1";
const ISSUE = "/repos/acme/shop/issues/1";

function createReview(fake: FakeGithub, token: string, body: object): Promise<ClientAnswer> {
  return ask(fake, `POST ${PULL}/reviews`, { token, body });
}

function firstError(answer: ClientAnswer): string {
  return `${answer.status} ${String(answer.body.errors?.[0] ?? answer.body.message)}`;
}

test("the app is identified by a JWT that its key signed and that is valid now", async (context) => {
  const { fake } = await stage(context);
  const now = Math.floor(fake.clock.now() / 1000);
  const stranger = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const statusFor = async (token: string): Promise<number> => (await ask(fake, "GET /app", { token })).status;
  assert.equal(await statusFor(jwtOf(fake)), 200);
  assert.equal(await statusFor(jwtOf(fake, { privateKeyPem: stranger.privateKey })), 401);
  assert.equal(await statusFor(jwtOf(fake, { issuer: 1 })), 404);
  assert.equal(await statusFor(jwtOf(fake, { expiresAtSeconds: now - 1 })), 401);
  assert.equal(await statusFor(jwtOf(fake, { expiresAtSeconds: now + 3600 })), 401);
  assert.equal(await statusFor(jwtOf(fake, { issuedAtSeconds: now + 600 })), 401);
  assert.equal((await ask(fake, "GET /app")).status, 401);
  assert.deepEqual(fake.violations, []);
});

test("a token reaches its repositories with its permissions until it is revoked or has expired", async (context) => {
  const { fake, repository } = await stage(context);
  await fake.createRepository({ name: "other" });
  const token = await tokenOf(fake, {
    repositoryIds: [repository.id],
    permissions: { pull_requests: "read" },
  });
  const statusOf = async (route: string, body?: object): Promise<number> =>
    (await ask(fake, route, { token, ...(body === undefined ? {} : { body }) })).status;
  assert.equal(await statusOf(`GET ${PULL}`), 200);
  assert.equal(await statusOf("GET /repos/acme/other"), 404);
  assert.equal(await statusOf("GET /repos/acme/shop/contents/a.ts"), 403);
  assert.equal(await statusOf(`POST ${PULL}/reviews`, { body: "x" }), 403);
  assert.equal(await statusOf("GET /app"), 401);
  assert.equal(await statusOf("GET /user"), 403);
  assert.equal(await statusOf("DELETE /installation/token"), 204);
  assert.equal(await statusOf(`GET ${PULL}`), 401);
  const other = await tokenOf(fake);
  assert.equal((await ask(fake, `GET ${PULL}`, { token: other })).status, 200);
  fake.clock.advance(61 * 60_000);
  assert.equal((await ask(fake, `GET ${PULL}`, { token: other })).status, 401);
  assert.deepEqual(fake.violations, []);
});

test("a comment on a pull request needs issues or pull requests, whichever the token has", async (context) => {
  const { fake } = await stage(context);
  for (const permissions of [{ issues: "write" }, { pull_requests: "write" }] as const) {
    const token = await tokenOf(fake, { permissions });
    const answer = await ask(fake, `POST ${ISSUE}/comments`, { token, body: { body: "hello" } });
    assert.equal(answer.status, 201);
    assert.equal(answer.body.user.login, "kodiai[bot]");
    assert.equal(answer.body.performed_via_github_app.id, fake.appId);
  }
  const token = await tokenOf(fake, { permissions: { checks: "write" } });
  const refused = await ask(fake, `POST ${ISSUE}/comments`, { token, body: { body: "hello" } });
  assert.equal(firstError(refused), "403 Resource not accessible by integration");
});

test("anonymous callers read public data, and people write as themselves", async (context) => {
  const { fake } = await stage(context);
  const open = await fake.createRepository({ name: "open" });
  const pullRequest = await fake.openPullRequest(open, { files: { b: "b\n" } });
  const path = "/repos/acme/open/pulls/1";
  assert.equal((await ask(fake, `GET ${PULL}`)).status, 404);
  assert.equal((await ask(fake, `GET ${path}`)).status, 200);
  assert.equal((await ask(fake, `GET ${path}/reviews`)).status, 200);
  assert.equal((await ask(fake, `POST ${path}/reviews`, { body: { event: "APPROVE" } })).status, 401);
  const token = fake.personalToken("grace");
  assert.equal((await ask(fake, `GET ${PULL}`, { token })).status, 200);
  assert.equal((await ask(fake, "GET /user", { token })).body.login, "grace");
  await ask(fake, `POST ${path}/reviews`, { token, body: { event: "APPROVE" } });
  const [review] = fake.reviewsOf(pullRequest);
  assert.deepEqual([review?.author.login, review?.state], ["grace", "APPROVED"]);
  const commented = await ask(fake, "POST /repos/acme/open/issues/1/comments", {
    token,
    body: { body: "hi" },
  });
  assert.equal(commented.body.performed_via_github_app, null);
  const check = { name: "mine", head_sha: pullRequest.head };
  assert.equal((await ask(fake, "POST /repos/acme/open/check-runs", { token, body: check })).status, 403);
  assert.deepEqual(fake.violations, []);
});

test("no token is created beyond the granted permissions, or for a suspended or removed installation", async (context) => {
  const { fake } = await stage(context);
  assert.equal((await askForToken(fake, { permissions: { administration: "write" } })).status, 422);
  assert.equal((await askForToken(fake, { permissions: { metadata: "write" } })).status, 422);
  assert.equal((await askForToken(fake, { repositoryIds: [1] })).status, 422);
  const token = await tokenOf(fake);
  fake.suspend(fake.installation);
  assert.equal(firstError(await askForToken(fake)), "403 This installation has been suspended");
  assert.equal((await ask(fake, `GET ${PULL}`, { token })).status, 403);
  fake.unsuspend(fake.installation);
  assert.equal((await askForToken(fake)).status, 201);
  fake.uninstall(fake.installation);
  assert.equal((await askForToken(fake)).status, 404);
});

test("an author has one pending review on a pull request, which others do not see", async (context) => {
  const { fake, pullRequest } = await stage(context);
  const token = await tokenOf(fake);
  await fake.review(pullRequest, { author: "grace", body: "draft", state: "PENDING" });
  const pending = await createReview(fake, token, { body: "mine" });
  assert.equal(pending.body.state, "PENDING");
  assert.equal("submitted_at" in pending.body, false);
  for (const event of [undefined, "COMMENT"]) {
    const second = await createReview(fake, token, { body: "again", event });
    assert.equal(firstError(second), "422 User can only have one pending review per pull request");
  }
  const listed = await ask(fake, `GET ${PULL}/reviews`, { token });
  assert.deepEqual(
    listed.body.map((each: { id: number }) => each.id),
    [pending.body.id],
  );
  const path = `${PULL}/reviews/${pending.body.id}`;
  const submitted = await ask(fake, `POST ${path}/events`, { token, body: { event: "COMMENT" } });
  assert.equal(submitted.body.state, "COMMENTED");
  assert.equal((await ask(fake, `POST ${path}/events`, { token, body: { event: "COMMENT" } })).status, 422);
  assert.equal((await ask(fake, `DELETE ${path}`, { token })).status, 422);
  assert.equal((await createReview(fake, token, { body: "next" })).status, 200);
  assert.deepEqual(fake.violations, []);
});

test("of two creations at the same time one is refused", async (context) => {
  const { fake } = await stage(context);
  const token = await tokenOf(fake);
  const answers = await Promise.all([
    createReview(fake, token, { body: "one" }),
    createReview(fake, token, { body: "two" }),
  ]);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 422]));
});

test("a pending review that is deleted is gone with its comments", async (context) => {
  const { fake, pullRequest } = await stage(context);
  const token = await tokenOf(fake);
  const comments = [{ path: "a.ts", line: 20, body: "here" }];
  const { body } = await createReview(fake, token, { body: "mine", comments });
  assert.equal(fake.reviewCommentsOf(pullRequest).length, 1);
  assert.equal((await ask(fake, `GET ${PULL}/comments`, { token })).body.length, 0);
  assert.equal((await ask(fake, `DELETE ${PULL}/reviews/${body.id}`, { token })).status, 200);
  assert.equal(fake.reviewsOf(pullRequest).length, 0);
  assert.equal(fake.reviewCommentsOf(pullRequest).length, 0);
});

test("comments must be on lines of the diff with three lines of context, or the whole review is refused", async (context) => {
  const { fake, pullRequest } = await stage(context);
  const token = await tokenOf(fake);
  const outside =
    "422 Pull request review thread line must be part of the diff and Pull request review thread diff hunk can't be blank";
  const table: readonly (readonly [object, string])[] = [
    [{ line: 17 }, "ok"],
    [{ line: 23 }, "ok"],
    [{ line: 20, side: "LEFT" }, "ok"],
    [{ start_line: 18, line: 21 }, "ok"],
    [{ line: 16 }, outside],
    [{ line: 24 }, outside],
    [{ line: 0 }, outside],
    [{ line: 20, path: "b.ts" }, "422 Path could not be resolved"],
    [{ start_line: 20, line: 20 }, "422 Pull request review thread start line must precede the end line."],
    [
      { start_line: 3, line: 20 },
      "422 Pull request review thread start line must be part of the same hunk as the line.",
    ],
  ];
  for (const [place, expected] of table) {
    const comments = [
      { path: "a.ts", line: 20, body: "fine" },
      { path: "a.ts", body: "placed", ...place },
    ];
    const answer = await createReview(fake, token, {
      commit_id: pullRequest.head,
      event: "COMMENT",
      comments,
    });
    assert.equal(answer.status === 200 ? "ok" : firstError(answer), expected, JSON.stringify(place));
  }
  assert.equal(fake.reviewsOf(pullRequest).length, 4);
  assert.deepEqual(fake.violations, []);
});

test("a review refers to a commit that the pull request has", async (context) => {
  const { fake, pullRequest } = await stage(context);
  const token = await tokenOf(fake);
  const first = pullRequest.head;
  await fake.push(pullRequest, { "b.ts": "new\n" });
  assert.equal(
    (await createReview(fake, token, { commit_id: first, body: "old", event: "COMMENT" })).status,
    200,
  );
  await fake.push(pullRequest, { "c.ts": "other\n" }, { isForced: true });
  assert.equal(
    (await createReview(fake, token, { commit_id: first, body: "old", event: "COMMENT" })).status,
    422,
  );
  assert.equal(
    (await createReview(fake, token, { body: "head", event: "COMMENT" })).body.commit_id,
    pullRequest.head,
  );
});

test("authors can't approve their own pull request, and others can", async (context) => {
  const { fake, repository } = await stage(context);
  await fake.openPullRequest(repository, { files: { "b.ts": "b\n" }, author: "kodiai[bot]" });
  const token = await tokenOf(fake);
  const own = await ask(fake, "POST /repos/acme/shop/pulls/2/reviews", { token, body: { event: "APPROVE" } });
  assert.equal(firstError(own), "422 Can not approve your own pull request");
  assert.equal((await createReview(fake, token, { event: "APPROVE" })).body.state, "APPROVED");
});

test("texts of more than 65,536 characters are refused, and one less is not", async (context) => {
  const { fake } = await stage(context);
  const token = await tokenOf(fake);
  const post = async (length: number): Promise<number> =>
    (await ask(fake, `POST ${ISSUE}/comments`, { token, body: { body: "x".repeat(length) } })).status;
  assert.equal(await post(65_536), 201);
  assert.equal(await post(65_537), 422);
  assert.equal((await createReview(fake, token, { body: "x".repeat(65_537) })).status, 422);
  assert.deepEqual(fake.violations, []);
});

test("check runs are listed by commit, name and app, the latest of each name", async (context) => {
  const { fake, repository, pullRequest } = await stage(context);
  const token = await tokenOf(fake);
  const { head } = pullRequest;
  fake.foreignCheck(repository, { name: "tests", head });
  const create = (name: string): Promise<ClientAnswer> =>
    ask(fake, "POST /repos/acme/shop/check-runs", {
      token,
      body: { name, head_sha: head, external_id: "e" },
    });
  const { body: first } = await create("Kodiai");
  const { body: second } = await create("Kodiai");
  const list = async (query: string): Promise<readonly number[]> => {
    const answer = await ask(fake, `GET /repos/acme/shop/commits/${head}/check-runs?${query}`, { token });
    return answer.body.check_runs.map((each: { id: number }) => each.id);
  };
  assert.deepEqual(await list(`app_id=${fake.appId}`), [second.id]);
  assert.deepEqual(await list(`app_id=${fake.appId}&filter=all`), [second.id, first.id]);
  assert.equal((await list("")).length, 2);
  assert.deepEqual(await list("check_name=nothing"), []);
  const path = `PATCH /repos/acme/shop/check-runs/${first.id}`;
  const done = await ask(fake, path, { token, body: { status: "completed", conclusion: "neutral" } });
  assert.deepEqual(
    [done.body.status, done.body.conclusion, done.body.external_id],
    ["completed", "neutral", "e"],
  );
  assert.equal(done.body.pull_requests[0].number, 1);
  assert.deepEqual(fake.violations, []);
});

test("search counts the merged pull requests of an author", async (context) => {
  const { fake, repository, pullRequest } = await stage(context);
  await fake.closePullRequest(pullRequest, { isMerged: true });
  const bumped = await fake.openPullRequest(repository, { files: { b: "b" }, author: "dependabot[bot]" });
  await fake.closePullRequest(bumped, { isMerged: true });
  await fake.openPullRequest(repository, { files: { c: "c" }, author: "ada" });
  const token = await tokenOf(fake);
  const count = async (author: string): Promise<number> => {
    const q = encodeURIComponent(`repo:acme/shop type:pr is:merged author:${author}`);
    return (await ask(fake, `GET /search/issues?q=${q}`, { token })).body.total_count;
  };
  assert.deepEqual([await count("ada"), await count("app/dependabot"), await count("grace")], [1, 1, 0]);
  const elsewhere = encodeURIComponent("repo:acme/elsewhere type:pr");
  assert.equal((await ask(fake, `GET /search/issues?q=${elsewhere}`, { token })).status, 422);
  assert.deepEqual(fake.violations, []);
});

test("a reaction is given once", async (context) => {
  const { fake, pullRequest } = await stage(context);
  const comment = fake.comment(pullRequest, { author: "ada", body: "@kodiai review" });
  const token = await tokenOf(fake);
  const react = async (): Promise<number> => {
    const route = `POST /repos/acme/shop/issues/comments/${comment.id}/reactions`;
    return (await ask(fake, route, { token, body: { content: "eyes" } })).status;
  };
  assert.deepEqual([await react(), await react()], [201, 200]);
  assert.deepEqual(fake.reactionsOf(comment), ["eyes"]);
});

test("lists come in pages with links to the next one", async (context) => {
  const { fake, pullRequest } = await stage(context);
  for (let index = 0; index < 5; index++) fake.comment(pullRequest, { author: "ada", body: `${index}` });
  const token = await tokenOf(fake);
  const bodies: string[] = [];
  let route: string | undefined = `${ISSUE}/comments?per_page=2`;
  while (route !== undefined) {
    const answer: ClientAnswer = await ask(fake, `GET ${route}`, { token });
    bodies.push(...answer.body.map((each: { body: string }) => each.body));
    route = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1]?.slice(fake.url.length);
  }
  assert.deepEqual(bodies, ["0", "1", "2", "3", "4"]);
});

test("lists don't show entries newer than the lag, and single objects are available at once", async (context) => {
  const { fake } = await stage(context);
  const token = await tokenOf(fake);
  fake.setListLag(30_000);
  const { body } = await createReview(fake, token, { body: "mine" });
  const listed = async (): Promise<number> => (await ask(fake, `GET ${PULL}/reviews`, { token })).body.length;
  assert.equal(await listed(), 0);
  assert.equal((await ask(fake, `GET ${PULL}/reviews/${body.id}`, { token })).status, 200);
  fake.clock.advance(31_000);
  assert.equal(await listed(), 1);
});

test("a request with a lost response was handled, a cut or refused request wasn't", async (context) => {
  const { fake, pullRequest } = await stage(context);
  const token = await tokenOf(fake);
  const operation = "issues/create-comment";
  const post = (body: string): Promise<ClientAnswer> =>
    ask(fake, `POST ${ISSUE}/comments`, { token, body: { body } });
  fake.faults.add({ operation, fault: { kind: "lost", by: "502" } });
  assert.equal((await post("lost by 502")).status, 502);
  fake.faults.add({ operation, fault: { kind: "lost", by: "reset" } });
  await assert.rejects(post("lost by reset"));
  fake.faults.add({ operation, fault: { kind: "reset" } });
  await assert.rejects(post("cut"));
  fake.faults.add({ operation, fault: { kind: "secondary-limit", status: 403, retryAfterSeconds: 60 } });
  const limited = await post("limited");
  assert.deepEqual([limited.status, limited.headers.get("retry-after")], [403, "60"]);
  assert.match(limited.body.message, /secondary rate limit/);
  assert.deepEqual(
    fake.commentsOf(pullRequest).map(({ body }) => body),
    ["lost by 502", "lost by reset"],
  );
  assert.deepEqual(fake.faults.unplayed(), []);
});

test("a fault affects the requests it matches, after those it skips", async (context) => {
  const { fake } = await stage(context);
  const token = await tokenOf(fake);
  fake.faults.add({
    method: "GET",
    path: /\/pulls\/1$/,
    skip: 1,
    times: 2,
    fault: { kind: "status", status: 503 },
  });
  const statuses: number[] = [];
  for (let index = 0; index < 4; index++) statuses.push((await ask(fake, `GET ${PULL}`, { token })).status);
  assert.deepEqual(statuses, [200, 503, 503, 200]);
  assert.equal((await ask(fake, "GET /repos/acme/shop", { token })).status, 200);
  const says = (word: string) => (body: unknown) => JSON.stringify(body).includes(word);
  const fault = { kind: "invalid", sentence: "no" } as const;
  fake.faults.add({ operation: "issues/create-comment", when: says("bad"), fault });
  const post = async (body: string): Promise<number> =>
    (await ask(fake, `POST ${ISSUE}/comments`, { token, body: { body } })).status;
  assert.deepEqual([await post("good"), await post("bad"), await post("bad")], [201, 422, 201]);
});

test("a delayed request is handled when it is released", async (context) => {
  const { fake, pullRequest } = await stage(context);
  const token = await tokenOf(fake);
  const gate = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  fake.onRequest("issues/create-comment", () => arrived.resolve());
  fake.faults.add({ operation: "issues/create-comment", fault: { kind: "delay", until: gate.promise } });
  const asked = ask(fake, `POST ${ISSUE}/comments`, { token, body: { body: "late" } });
  await arrived.promise;
  assert.equal(fake.commentsOf(pullRequest).length, 0);
  gate.resolve();
  assert.equal((await asked).status, 201);
  assert.equal(fake.commentsOf(pullRequest).length, 1);
});

test("a test can act when a request arrives and after it was handled", async (context) => {
  const { fake, pullRequest } = await stage(context);
  const token = await tokenOf(fake);
  const before = pullRequest.head;
  const off = fake.onRequest("pulls/get", async () => {
    await fake.push(pullRequest, { "b.ts": "pushed meanwhile\n" });
  });
  const seen: number[] = [];
  fake.onResponse("issues/create-comment", () => {
    seen.push(fake.commentsOf(pullRequest).length);
  });
  const { body } = await ask(fake, `GET ${PULL}`, { token });
  assert.notEqual(body.head.sha, before);
  assert.equal(body.head.sha, pullRequest.head);
  off();
  assert.equal((await ask(fake, `GET ${PULL}`, { token })).body.head.sha, body.head.sha);
  await ask(fake, `POST ${ISSUE}/comments`, { token, body: { body: "seen" } });
  assert.deepEqual(seen, [1]);
});

test("a renamed repository redirects to its id, where everything is as before", async (context) => {
  const { fake, repository } = await stage(context);
  const token = await tokenOf(fake);
  fake.renameRepository(repository, "store");
  const moved = await ask(fake, `GET ${PULL}`, { token });
  assert.equal(moved.status, 301);
  const route = (moved.headers.get("location") ?? "").slice(fake.url.length);
  const followed = await ask(fake, `GET ${route}`, { token });
  assert.deepEqual([followed.status, followed.body.base.repo.id], [200, repository.id]);
  assert.equal((await ask(fake, "GET /repos/acme/store", { token })).body.id, repository.id);
  assert.deepEqual(fake.violations, []);
});

test("a pull request from a fork outlives the fork", async (context) => {
  const { fake, repository } = await stage(context);
  const forked = await fake.openPullRequest(repository, { files: { "b.ts": "b\n" }, fork: "grace" });
  const token = await tokenOf(fake);
  const read = async (): Promise<ClientAnswer["body"]> =>
    (await ask(fake, `GET /repos/acme/shop/pulls/${forked.number}`, { token })).body;
  assert.equal((await read()).head.repo.full_name, "grace/shop");
  await fake.deleteFork(forked, { isOwnerGone: true });
  const { head, changed_files: changedFiles } = await read();
  assert.deepEqual([head.repo, head.user, head.sha, changedFiles], [null, null, forked.head, 1]);
  assert.deepEqual(fake.violations, []);
});

test("every request is in the log with its caller", async (context) => {
  const { fake, repository } = await stage(context);
  const token = await tokenOf(fake, { repositoryIds: [repository.id], permissions: { issues: "write" } });
  await ask(fake, `POST ${ISSUE}/comments`, { token, body: { body: "hello" } });
  const logged = fake.calls.find(({ operation }) => operation === "issues/create-comment");
  assert.deepEqual(
    [logged?.method, logged?.path, logged?.status, logged?.body],
    ["POST", `${ISSUE}/comments`, 201, { body: "hello" }],
  );
  assert.equal(logged?.identity.tokenId, fake.tokens[0]?.id);
  assert.deepEqual(logged?.identity.permissions, { metadata: "read", issues: "write" });
  assert.deepEqual(logged?.identity.repositoryIds, [repository.id]);
});

test("responses contain the number of remaining requests", async (context) => {
  const { fake } = await stage(context);
  const token = await tokenOf(fake);
  const left = async (): Promise<number> =>
    Number((await ask(fake, `GET ${PULL}`, { token })).headers.get("x-ratelimit-remaining"));
  const first = await left();
  assert.equal(await left(), first - 1);
});

test("two fakes at a time are independent", async (context) => {
  const [one, two] = [await stage(context), await stage(context)];
  const token = await tokenOf(one.fake);
  assert.equal((await ask(two.fake, `GET ${PULL}`, { token })).status, 401);
  await ask(one.fake, `POST ${ISSUE}/comments`, { token, body: { body: "hello" } });
  assert.equal(two.fake.commentsOf(two.pullRequest).length, 0);
});
