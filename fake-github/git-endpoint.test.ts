/** Clones from the fake like a reviewer: shallow, without blobs, by commit and by pull request, with and without a token. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { tokenOf } from "./client.ts";
import { type FakeGithub, startFakeGithub } from "./fake-github.ts";
import { createGitClient, type GitClient } from "./git-client.ts";
import type { PullRequest, Repository } from "./world.ts";

type Stage = {
  readonly fake: FakeGithub;
  readonly repository: Repository;
  readonly pullRequest: PullRequest;
  readonly address: string;
  readonly git: GitClient["git"];
};

async function stage(context: TestContext, isPrivate: boolean): Promise<Stage> {
  const fake = await startFakeGithub();
  context.after(() => fake.close());
  const repository = await fake.createRepository({ isPrivate, files: { "a.ts": "one\n" } });
  await fake.commit(repository, { "a.ts": "two\n" });
  const pullRequest = await fake.openPullRequest(repository, { files: { "b.ts": "b\n" }, fork: "grace" });
  const { git } = createGitClient(context);
  return { fake, repository, pullRequest, address: `${fake.gitUrl}/acme/shop.git`, git };
}

test("a private repository is cloned shallow and without blobs, by branch, commit and pull request", async (context) => {
  const { fake, repository, pullRequest, address, git } = await stage(context, true);
  await fake.deleteFork(pullRequest);
  const token = await tokenOf(fake, { repositoryIds: [repository.id], permissions: { contents: "read" } });
  const cloned = await git(
    token,
    "clone",
    "--quiet",
    "--bare",
    "--depth=1",
    "--filter=blob:none",
    address,
    "c",
  );
  assert.equal(cloned.code, 0, cloned.err);
  assert.equal((await git(null, "-C", "c", "rev-list", "--count", "HEAD")).out.trim(), "1");
  const head = pullRequest.head;
  for (const wanted of [head, `refs/pull/${pullRequest.number}/head`]) {
    const fetched = await git(token, "-C", "c", "fetch", "--quiet", "--depth=1", address, wanted);
    assert.equal(fetched.code, 0, fetched.err);
    assert.equal((await git(null, "-C", "c", "rev-parse", "FETCH_HEAD")).out.trim(), head);
  }
  const logged = fake.calls.filter(({ operation }) => operation === "git/upload-pack");
  assert.ok(logged.length >= 3);
  assert.ok(logged.every(({ identity }) => identity.tokenId === fake.tokens[0]?.id));
  assert.deepEqual(fake.violations, []);
});

test("a private repository requires a token and refuses one that is wrong, revoked, or for something else", async (context) => {
  const { fake, repository, address, git } = await stage(context, true);
  const other = await fake.createRepository({ name: "other", isPrivate: true });
  const token = await tokenOf(fake, { repositoryIds: [repository.id] });
  const list = async (credential: string | null): Promise<number> =>
    (await git(credential, "ls-remote", "--quiet", address)).code;
  assert.equal(await list(token), 0);
  assert.equal(await list(null), 128);
  assert.equal(fake.calls.at(-1)?.status, 401);
  assert.equal(await list("ghs_wrong"), 128);
  assert.equal(fake.calls.at(-1)?.status, 401);
  assert.equal(await list(await tokenOf(fake, { repositoryIds: [other.id] })), 128);
  assert.equal(fake.calls.at(-1)?.status, 404);
  assert.equal(await list(await tokenOf(fake, { permissions: { checks: "write" } })), 128);
  assert.equal(fake.calls.at(-1)?.status, 403);
  for (const each of fake.tokens) Object.assign(each, { isRevoked: true });
  assert.equal(await list(token), 128);
});

test("a public repository can be cloned without a token, but not with a wrong one", async (context) => {
  const { address, git } = await stage(context, false);
  assert.equal((await git(null, "ls-remote", address)).code, 0);
  assert.equal((await git("ghs_wrong", "ls-remote", address)).code, 128);
});

test("a clone can be cut in the middle and works the next time", async (context) => {
  const { fake, address, git } = await stage(context, false);
  fake.faults.add({ operation: "git/upload-pack", fault: { kind: "truncate", bytes: 50 } });
  // The first request of a clone may list only the refs.
  fake.faults.add({ operation: "git/upload-pack", fault: { kind: "truncate", bytes: 50 } });
  assert.notEqual((await git(null, "clone", "--quiet", "--bare", address, "c")).code, 0);
  fake.faults.clear();
  assert.equal((await git(null, "clone", "--quiet", "--bare", address, "c")).code, 0);
});

test("the old name of a repository still clones", async (context) => {
  const { fake, repository, address, git } = await stage(context, false);
  fake.renameRepository(repository, "store");
  assert.equal((await git(null, "clone", "--quiet", "--bare", address, "c")).code, 0);
});
