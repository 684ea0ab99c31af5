/** Pushes to the fake with real git: permissions, protection, races, faults, and pull requests that follow their branches. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { ask, tokenOf } from "./client.ts";
import { type FakeGithub, type FakeGithubOptions, startFakeGithub } from "./fake-github.ts";
import { createGitClient, type GitClient, type GitResult } from "./git-client.ts";
import type { PullRequest, Repository } from "./world.ts";

type Stage = GitClient & {
  readonly fake: FakeGithub;
  readonly repository: Repository;
  readonly pullRequest: PullRequest;
  /** Can push to this repository. */
  readonly token: string;
  /** Commits a file on top of the clone and pushes to this ref with this token. */
  readonly pushTo: (
    ref: string,
    options?: { token?: string; path?: string; url?: string },
  ) => Promise<GitResult>;
  readonly clone: (branch?: string) => Promise<void>;
};

async function stage(context: TestContext, options: FakeGithubOptions = {}): Promise<Stage> {
  const fake = await startFakeGithub(options);
  context.after(() => fake.close());
  const repository = await fake.createRepository({ files: { "a.ts": "one\n" }, isPrivate: true });
  const pullRequest = await fake.openPullRequest(repository, { files: { "b.ts": "b\n" } });
  const client = createGitClient(context);
  const token = await tokenOf(fake, {
    repositoryIds: [repository.id],
    permissions: { contents: "write" },
  });
  const address = `${fake.gitUrl}/acme/shop.git`;
  return {
    ...client,
    fake,
    repository,
    pullRequest,
    token,
    async clone(branch = "main") {
      const { code, err } = await client.git(token, "clone", "--quiet", "--branch", branch, address, "c");
      assert.equal(code, 0, err);
    },
    async pushTo(ref, { token: other = token, path = "new.ts", url = address } = {}) {
      const folder = join(client.directory, "c");
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), "new\n", { flag: "a" });
      await client.git(null, "-C", "c", "add", ".");
      assert.equal((await client.git(null, "-C", "c", "commit", "--quiet", "-m", "new")).code, 0);
      return client.git(other, "-C", "c", "push", "--quiet", url, `HEAD:${ref}`);
    },
  };
}

test("a token that can write contents creates a branch, and updates and deletes it", async (context) => {
  const { fake, repository, token, clone, pushTo, git } = await stage(context);
  await clone();
  const main = await fake.commitOf(repository, "main");
  const created = await pushTo("refs/heads/kodiai/fix");
  assert.equal(created.code, 0, created.err);
  const first = await fake.commitOf(repository, "kodiai/fix");
  assert.equal((await git(null, "-C", "c", "rev-parse", "HEAD")).out.trim(), first);
  assert.equal(await fake.fileAt(repository, "kodiai/fix", "new.ts"), "new\n");
  assert.equal(await fake.fileAt(repository, "main", "new.ts"), null);
  assert.equal((await pushTo("refs/heads/kodiai/fix")).code, 0);
  const second = await fake.commitOf(repository, "kodiai/fix");
  const url = `${fake.gitUrl}/acme/shop.git`;
  assert.equal((await git(token, "-C", "c", "push", "--quiet", url, ":kodiai/fix")).code, 0);
  assert.deepEqual(await fake.branchesOf(repository), ["change-1", "main"]);
  assert.equal(await fake.commitOf(repository, "main"), main);
  assert.deepEqual(
    fake.world.writes.map(({ operation, push }) => [operation, push?.branch, push?.before, push?.after]),
    [
      ["git/receive-pack", "kodiai/fix", null, first],
      ["git/receive-pack", "kodiai/fix", first, second],
      ["git/receive-pack", "kodiai/fix", second, null],
    ],
  );
  const [write] = fake.world.writes;
  assert.deepEqual(write?.push?.permissions, { metadata: "read", contents: "write" });
  assert.equal(write?.push?.pusher.login, "kodiai[bot]");
  assert.deepEqual(fake.violations, []);
});

test("a push needs write access to the contents of a repository that the token reaches", async (context) => {
  const { fake, repository, clone, pushTo } = await stage(context);
  await clone();
  const hidden = await fake.createRepository({ name: "hidden", isPrivate: true });
  const fork = await fake.createFork(await fake.createRepository({ name: "open" }), "grace");
  const reading = await tokenOf(fake, { permissions: { contents: "read" } });
  const elsewhere = await tokenOf(fake, { repositoryIds: [hidden.id] });
  const refused = async (options: { token?: string; url?: string }): Promise<number | null> => {
    assert.notEqual((await pushTo("refs/heads/mine", options)).code, 0);
    return fake.calls.at(-1)?.status ?? null;
  };
  assert.equal(await refused({ token: reading }), 403);
  assert.equal(await refused({ token: elsewhere }), 404);
  assert.equal(await refused({ token: "ghs_wrong" }), 401);
  assert.equal(await refused({ url: `${fake.gitUrl}/acme/hidden.git` }), 404);
  assert.equal(await refused({ url: `${fake.gitUrl}/grace/open.git` }), 403);
  assert.equal(await refused({ token: fake.personalToken("grace") }), 403);
  repository.isArchived = true;
  assert.equal(await refused({}), 403);
  repository.isArchived = false;
  assert.equal((await pushTo("refs/heads/mine", { token: fake.personalToken("ada") })).code, 0);
  assert.deepEqual(await fake.branchesOf(repository), ["change-1", "main", "mine"]);
  assert.deepEqual(await fake.branchesOf(fork), ["main"]);
});

test("a protected branch refuses a push with GitHub's words", async (context) => {
  const { fake, repository, clone, pushTo } = await stage(context);
  await clone();
  repository.protectedBranches.push("main", "release/*");
  repository.rulesetBranches.push("ruled");
  const main = await fake.commitOf(repository, "main");
  for (const branch of ["main", "release/1"]) {
    const { code, err } = await pushTo(`refs/heads/${branch}`);
    assert.notEqual(code, 0);
    assert.match(
      err,
      new RegExp(`remote: error: GH006: Protected branch update failed for refs/heads/${branch}`),
    );
    assert.match(err, /\[remote rejected\] HEAD -> \S+ \(protected branch hook declined\)/);
  }
  const ruled = await pushTo("refs/heads/ruled");
  assert.match(ruled.err, /remote: error: GH013: Repository rule violations found for refs\/heads\/ruled/);
  assert.match(ruled.err, /\(push declined due to repository rule violations\)/);
  assert.equal(await fake.commitOf(repository, "main"), main);
  assert.deepEqual(await fake.branchesOf(repository), ["change-1", "main"]);
  assert.deepEqual(fake.world.writes, []);
  assert.deepEqual(
    fake.world.pushes.map(({ branch, refusedBecause }) => [branch, refusedBecause]),
    [
      ["main", "protected branch hook declined"],
      ["release/1", "protected branch hook declined"],
      ["ruled", "push declined due to repository rule violations"],
    ],
  );
  assert.equal((await pushTo("refs/heads/releases")).code, 0);
});

test("workflows can't be pushed without their permission", async (context) => {
  const permissions = { metadata: "read", contents: "write", workflows: "write" } as const;
  const { fake, repository, clone, pushTo } = await stage(context, { permissions });
  await clone();
  const path = ".github/workflows/ci.yml";
  const { err } = await pushTo("refs/heads/ci", { path });
  assert.match(
    err,
    /refusing to allow a GitHub App to create or update workflow `\.github\/workflows\/ci\.yml`/,
  );
  // A later commit without one doesn't help.
  assert.match((await pushTo("refs/heads/ci")).err, /remote rejected/);
  assert.equal(await fake.commitOf(repository, "ci"), null);
  const token = await tokenOf(fake, { permissions: { contents: "write", workflows: "write" } });
  assert.equal((await pushTo("refs/heads/ci", { token, path })).code, 0);
  assert.notEqual(await fake.commitOf(repository, "ci"), null);
});

test("a pull request follows a push to its head branch", async (context) => {
  const { fake, pullRequest, token, clone, pushTo, git } = await stage(context);
  const permissions = { pull_requests: "read" } as const;
  await clone(pullRequest.headRef);
  const before = pullRequest.head;
  fake.clock.advance(60_000);
  assert.equal((await pushTo(`refs/heads/${pullRequest.headRef}`)).code, 0);
  assert.notEqual(pullRequest.head, before);
  const reading = await tokenOf(fake, { permissions });
  const { body } = await ask(fake, "GET /repos/acme/shop/pulls/1", { token: reading });
  assert.deepEqual([body.head.sha, body.commits], [pullRequest.head, 2]);
  assert.ok(Date.parse(body.updated_at) > Date.parse(body.created_at));
  const url = `${fake.gitUrl}/acme/shop.git`;
  assert.equal((await git(token, "ls-remote", url, "refs/pull/1/head")).out.split("\t")[0], pullRequest.head);
  assert.equal(fake.world.writes[0]?.pullRequest, pullRequest);
});

test("refs of pull requests can't be pushed", async (context) => {
  const { fake, pullRequest, clone, pushTo } = await stage(context);
  await clone();
  const { head } = pullRequest;
  assert.match((await pushTo("refs/pull/1/head")).err, /deny updating a hidden ref/);
  assert.match((await pushTo("refs/pull/9/head")).err, /deny updating a hidden ref/);
  assert.equal(await fake.fileAt(pullRequest.repository, "refs/pull/1/head", "b.ts"), "b\n");
  assert.equal(pullRequest.head, head);
});

test("a push that loses a race is refused, before and after the refs were listed", async (context) => {
  const { fake, repository, pullRequest, clone, pushTo } = await stage(context);
  const branch = pullRequest.headRef;
  await clone(branch);
  const off = fake.onRequest("git/receive-pack", async () => {
    await fake.push(pullRequest, { "c.ts": "by a person\n" });
  });
  assert.match((await pushTo(`refs/heads/${branch}`)).err, /remote rejected\].*cannot lock ref.*is at/);
  off();
  assert.match((await pushTo(`refs/heads/${branch}`)).err, /\(fetch first\)/);
  assert.equal(await fake.fileAt(repository, branch, "c.ts"), "by a person\n");
  const create = fake.onRequest("git/receive-pack", async () => {
    await fake.commit(repository, { "d.ts": "d\n" }, "taken");
  });
  assert.match((await pushTo("refs/heads/taken")).err, /cannot lock ref.*already exists/);
  create();
  assert.equal(await fake.fileAt(repository, "taken", "new.ts"), null);
});

test("of two equal pushes at the same time one changes the branch", async (context) => {
  const { fake, repository, token, clone, git } = await stage(context);
  await clone();
  const made = await git(null, "-C", "c", "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "same");
  const bothListed = Promise.withResolvers<void>();
  let arrived = 0;
  fake.onRequest("git/receive-pack", () => {
    if (++arrived === 2) bothListed.resolve();
    return bothListed.promise;
  });
  const push = (): Promise<GitResult> =>
    git(token, "-C", "c", "push", `${fake.gitUrl}/acme/shop.git`, `${made.out.trim()}:refs/heads/same`);
  const results = await Promise.all([push(), push()]);
  assert.deepEqual(new Set(results.map(({ code }) => code)), new Set([0, 1]));
  assert.equal(await fake.commitOf(repository, "same"), made.out.trim());
  assert.equal(fake.world.writes.length, 1);
  assert.equal(fake.world.pushes.filter(({ refusedBecause }) => refusedBecause !== null).length, 1);
});

test("a push can be refused, cut before it happens, and lose its answer after it happened", async (context) => {
  const { fake, repository, clone, pushTo } = await stage(context);
  await clone();
  const operation = "git/receive-pack";
  const reason = "push declined due to email privacy restrictions";
  fake.faults.add({ operation, fault: { kind: "invalid", sentence: reason } });
  assert.match((await pushTo("refs/heads/refused")).err, /remote rejected.*email privacy/);
  fake.faults.add({ operation, fault: { kind: "reset" } });
  assert.notEqual((await pushTo("refs/heads/cut")).code, 0);
  fake.faults.add({ operation, fault: { kind: "status", status: 503 } });
  assert.match((await pushTo("refs/heads/busy")).err, /503/);
  fake.faults.add({ operation, fault: { kind: "lost", by: "reset" } });
  assert.notEqual((await pushTo("refs/heads/lost")).code, 0);
  fake.faults.add({ operation, fault: { kind: "lost", by: "502" } });
  assert.match((await pushTo("refs/heads/gateway")).err, /502/);
  fake.faults.add({ operation, fault: { kind: "truncate", bytes: 10 } });
  assert.notEqual((await pushTo("refs/heads/truncated")).code, 0);
  assert.deepEqual(fake.faults.unplayed(), []);
  assert.deepEqual(await fake.branchesOf(repository), ["change-1", "gateway", "lost", "main", "truncated"]);
  assert.deepEqual(
    fake.world.writes.map(({ push }) => push?.branch),
    ["lost", "gateway", "truncated"],
  );
});

test("a shallow clone without blobs pushes, and the event of the pull request is sent", async (context) => {
  const { fake, repository, pullRequest, token, git } = await stage(context, { autoDeliver: true });
  const url = `${fake.gitUrl}/acme/shop.git`;
  const branch = pullRequest.headRef;
  const filter = ["--bare", "--depth=1", "--filter=blob:none"];
  assert.equal((await git(token, "clone", "--quiet", ...filter, "--branch", branch, url, "s")).code, 0);
  const tree = (await git(null, "-C", "s", "rev-parse", "HEAD^{tree}")).out.trim();
  const made = await git(null, "-C", "s", "commit-tree", tree, "-p", "HEAD", "-m", "the same files");
  const commit = made.out.trim();
  const pushed = await git(token, "-C", "s", "push", url, `${commit}:refs/heads/${branch}`);
  assert.equal(pushed.code, 0, pushed.err);
  assert.deepEqual([await fake.commitOf(repository, branch), pullRequest.head], [commit, commit]);
  await fake.deliveries.settled();
  const sent = fake.deliveries.log.find(({ action }) => action === "synchronize");
  const payload = JSON.parse(sent?.body ?? "{}") as { after?: string; sender?: { login: string } };
  assert.deepEqual(
    [sent?.event, payload.after, payload.sender?.login],
    ["pull_request", commit, "kodiai[bot]"],
  );
});
