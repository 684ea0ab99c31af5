/** Branches, files and new pull requests in the fake's API. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { ask, type ClientAnswer, tokenOf } from "./client.ts";
import { type FakeGithub, type FakeGithubOptions, startFakeGithub } from "./fake-github.ts";
import type { Repository } from "./world.ts";

type Stage = {
  readonly fake: FakeGithub;
  readonly repository: Repository;
  readonly send: (route: string, body?: object) => Promise<ClientAnswer>;
};

/** A private repository with a branch `kodiai/fix` that is one commit ahead. */
async function stage(context: TestContext, options: FakeGithubOptions = {}): Promise<Stage> {
  const fake = await startFakeGithub(options);
  context.after(() => fake.close());
  const repository = await fake.createRepository({
    files: { "a.ts": "one\n" },
    isPrivate: true,
    defaultBranch: "trunk",
  });
  await fake.commit(repository, { "a.ts": "fixed\n" }, "kodiai/fix");
  const token = await tokenOf(fake);
  return {
    fake,
    repository,
    send(route, body) {
      const [method, path = ""] = route.split(" ");
      return ask(fake, `${method} /repos/acme/shop${path}`, {
        token,
        ...(body === undefined ? {} : { body }),
      });
    },
  };
}

const NEW = { title: "Fix a.ts", head: "kodiai/fix", base: "trunk", body: "It was broken." };

function errorOf({ status, body }: ClientAnswer): string {
  const { field, message, code } = body.errors?.[0] ?? {};
  return `${status} ${message ?? `${field} ${code}`}`;
}

test("a repository has a default branch, branches, refs and files", async (context) => {
  const { fake, repository, send } = await stage(context);
  const { body: shown } = await send("GET ");
  assert.deepEqual([shown.default_branch, shown.clone_url], ["trunk", `${fake.gitUrl}/acme/shop.git`]);
  const commit = await fake.commitOf(repository, "kodiai/fix");
  for (const branch of ["kodiai/fix", "kodiai%2Ffix"]) {
    const { body } = await send(`GET /branches/${branch}`);
    assert.deepEqual([body.name, body.commit.sha, body.protected], ["kodiai/fix", commit, false]);
    assert.equal(body.commit.commit.message, "work");
    assert.equal((await send(`GET /git/ref/heads/${branch}`)).body.object.sha, commit);
  }
  repository.protectedBranches.push("trunk");
  assert.equal((await send("GET /branches/trunk")).body.protected, true);
  for (const route of [
    "/branches/none",
    "/branches/kodiai",
    "/git/ref/heads/kodiai",
    "/git/ref/heads/..%2Fx",
  ])
    assert.equal((await send(`GET ${route}`)).status, 404, route);

  const textAt = async (query: string): Promise<string> => {
    const { status, body } = await send(`GET /contents/a.ts${query}`);
    return status === 200 ? Buffer.from(body.content, "base64").toString() : String(status);
  };
  assert.equal(await textAt(""), "one\n");
  assert.equal(await textAt("?ref=kodiai/fix"), "fixed\n");
  assert.equal(await textAt(`?ref=${commit}`), "fixed\n");
  assert.equal(await textAt("?ref=nothing"), "404");
  assert.equal((await send("GET /contents/.kodiai.yml")).status, 404);
  await fake.commit(repository, { "big.txt": "x".repeat(1_048_577) });
  const { body: big } = await send("GET /contents/big.txt");
  assert.deepEqual([big.encoding, big.content, big.size], ["none", "", 1_048_577]);
  assert.deepEqual(fake.violations, []);
});

test("a pull request is created by the app, once per branch", async (context) => {
  const { fake, repository, send } = await stage(context, { autoDeliver: true });
  const { status, body } = await send("POST /pulls", { ...NEW, maintainer_can_modify: false });
  assert.equal(status, 201);
  const head = await fake.commitOf(repository, "kodiai/fix");
  assert.deepEqual(
    [body.number, body.user.login, body.title, body.head.label, body.head.sha, body.base.ref, body.commits],
    [1, "kodiai[bot]", "Fix a.ts", "acme:kodiai/fix", head, "trunk", 1],
  );
  assert.equal(body.html_url, `${fake.gitUrl}/acme/shop/pull/1`);
  assert.equal((await send("GET /git/ref/pull/1/head")).body.object.sha, head);
  assert.equal((await send("GET /issues/1")).body.pull_request.url, body.url);
  const numbers = async (query: string): Promise<readonly number[]> =>
    (await send(`GET /pulls?${query}`)).body.map((each: { number: number }) => each.number);
  assert.deepEqual(await numbers("head=acme:kodiai/fix&state=all"), [1]);
  assert.deepEqual(await numbers("head=acme:other&state=all"), []);
  const again = await send("POST /pulls", NEW);
  assert.equal(errorOf(again), "422 A pull request already exists for acme:kodiai/fix.");
  const [created, ...others] = fake.pullRequestsOf(repository);
  assert.deepEqual([created?.author, others], [fake.world.app.bot, []]);
  assert.equal(fake.world.writes[0]?.pullRequest, created);
  await fake.deliveries.settled();
  assert.deepEqual(
    fake.deliveries.log.map(({ event, action }) => [event, action]),
    [["pull_request", "opened"]],
  );
  assert.ok(created);
  await fake.closePullRequest(created);
  assert.equal((await send("POST /pulls", NEW)).body.number, 2);
  assert.deepEqual(await numbers("head=acme:kodiai/fix&state=all"), [2, 1]);
  assert.deepEqual(fake.violations, []);
});

test("a pull request needs branches, commits, a title and the permission", async (context) => {
  const { fake, repository, send } = await stage(context);
  await fake.commit(repository, { "b.ts": "b\n" });
  const table: readonly (readonly [object, string])[] = [
    [{ head: "none" }, "422 head invalid"],
    [{ head: "grace:kodiai/fix" }, "422 head invalid"],
    [{ base: "none" }, "422 base invalid"],
    [{ head: "trunk" }, "422 No commits between trunk and trunk"],
    [{ title: "" }, "422 title missing_field"],
    [{ title: "x".repeat(257) }, "422 title is too long (maximum is 256 characters)"],
    [{ body: "x".repeat(65_537) }, "422 Body is too long (maximum is 65536 characters)"],
  ];
  for (const [changes, expected] of table)
    assert.equal(errorOf(await send("POST /pulls", { ...NEW, ...changes })), expected);
  // A branch that is only behind has no commits either.
  await fake.commit(repository, { "c.ts": "c\n" }, "ahead");
  const behind = await send("POST /pulls", { ...NEW, head: "trunk", base: "ahead" });
  assert.equal(errorOf(behind), "422 No commits between ahead and trunk");
  const token = await tokenOf(fake, { permissions: { contents: "write", pull_requests: "read" } });
  assert.equal((await ask(fake, "POST /repos/acme/shop/pulls", { token, body: NEW })).status, 403);
  assert.deepEqual(fake.pullRequestsOf(repository), []);
  const fork = await fake.createFork(repository, "grace");
  await fake.commit(fork, { "d.ts": "d\n" }, "mine");
  const { body } = await send("POST /pulls", { ...NEW, head: "grace:mine" });
  assert.equal(body.head.repo.full_name, "grace/shop");
  assert.deepEqual(fake.violations, []);
});

test("of two creations at the same time one is refused", async (context) => {
  const { fake, repository, send } = await stage(context);
  const answers = await Promise.all([send("POST /pulls", NEW), send("POST /pulls", NEW)]);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 422]));
  assert.equal(fake.pullRequestsOf(repository).length, 1);
});

test("a pull request whose response is lost exists, and lists show it after the lag", async (context) => {
  const { fake, repository, send } = await stage(context);
  fake.setListLag(30_000);
  fake.faults.add({ operation: "pulls/create", fault: { kind: "lost", by: "502" } });
  assert.equal((await send("POST /pulls", NEW)).status, 502);
  assert.equal(fake.pullRequestsOf(repository).length, 1);
  const list = async (): Promise<number> =>
    (await send("GET /pulls?head=acme:kodiai/fix&state=all")).body.length;
  assert.equal(await list(), 0);
  assert.match(errorOf(await send("POST /pulls", NEW)), /already exists/);
  fake.clock.advance(31_000);
  assert.equal(await list(), 1);
});
