/** Proves that the oracle detects every wrong answer, push and pull request, and accepts the right ones. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { ask, type ClientAnswer, type TokenChanges, tokenOf } from "./client.ts";
import { type FakeGithub, startFakeGithub } from "./fake-github.ts";
import { createGitClient, type GitClient } from "./git-client.ts";
import { checkOracle, type OracleExpectations, oracleProblems } from "./oracle.ts";
import type { Issue, PullRequest, Repository, ReviewComment } from "./world.ts";

type Stage = GitClient & {
  readonly fake: FakeGithub;
  readonly repository: Repository;
  readonly pullRequest: PullRequest;
  readonly issue: Issue;
  /** The first comment of Ada's thread on a line, where the app wasn't mentioned. */
  readonly root: ReviewComment;
  readonly post: (path: string, body: object) => Promise<ClientAnswer>;
  /** Pushes a new commit to a branch with a new token. */
  readonly push: (branch: string, token?: TokenChanges) => Promise<string>;
};

const marked = (name: string): string => `An answer.\n\n<!-- kodiai:answer:v1:${name}::aa -->`;

async function stage(context: TestContext): Promise<Stage> {
  const fake = await startFakeGithub();
  context.after(() => fake.close());
  const repository = await fake.createRepository();
  const pullRequest = await fake.openPullRequest(repository, { files: { "a.ts": "a\n" } });
  const issue = fake.createIssue(repository);
  const comments = [{ path: "a.ts", line: 1, body: "why?" }];
  const [root] = (await fake.review(pullRequest, { author: "ada", body: "", comments })).comments;
  assert.ok(root);
  const token = await tokenOf(fake);
  const client = createGitClient(context);
  const url = `${fake.gitUrl}/acme/shop.git`;
  assert.equal((await client.git(null, "clone", "--quiet", "--bare", url, "c")).code, 0);
  let commits = 0;
  return {
    ...client,
    fake,
    repository,
    pullRequest,
    issue,
    root,
    post: (path, body) => ask(fake, `POST /repos/acme/shop${path}`, { token, body }),
    async push(branch, changes = {}) {
      const value = await tokenOf(fake, {
        permissions: { contents: "write" },
        repositoryIds: [repository.id],
        ...changes,
      });
      const tree = "HEAD^{tree}";
      const made = await client.git(null, "-C", "c", "commit-tree", tree, "-p", "HEAD", "-m", `${++commits}`);
      await client.git(value, "-C", "c", "push", url, `+${made.out.trim()}:refs/heads/${branch}`);
      return value;
    },
  };
}

/** A person asks in the conversation of the pull request, in the thread, and on the issue. Each gets an answer. */
async function converse({ fake, pullRequest, issue, root, post }: Stage): Promise<void> {
  const asked = fake.comment(pullRequest, { author: "grace", body: "@kodiai ask why?" });
  await post(`/issues/comments/${asked.id}/reactions`, { content: "eyes" });
  await post("/issues/1/comments", { body: marked("01") });
  fake.reply(root, { author: "grace", body: "/kodiai explain" });
  await post(`/pulls/1/comments/${root.id}/replies`, { body: marked("02") });
  const gone = fake.comment(issue, { author: "grace", body: "@Kodiai plan: it" });
  await post("/issues/2/comments", { body: marked("03") });
  fake.deleteComment(gone);
}

async function fix({ post, push }: Stage): Promise<void> {
  await push("kodiai/fix");
  await post("/pulls", { title: "Fix", head: "kodiai/fix", base: "main" });
}

test("an answer to each mention, a branch and a pull request are correct", async (context) => {
  const staged = await stage(context);
  await converse(staged);
  checkOracle(staged.fake, { isMentionRequired: true });
  await fix(staged);
  assert.equal(staged.fake.pullRequestsOf(staged.repository).length, 2);
  checkOracle(staged.fake, { isMentionRequired: true, mayPush: true });
});

test("an answer where everything was closed before is correct", async (context) => {
  const { fake, pullRequest, post } = await stage(context);
  await fake.closePullRequest(pullRequest);
  await post("/issues/1/reactions", { content: "eyes" });
  assert.match(oracleProblems(fake).join("\n"), /after it was closed/);
  fake.world.writes.length = 0;
  fake.comment(pullRequest, { author: "grace", body: "@kodiai ask why?" });
  await post("/issues/1/comments", { body: marked("01") });
  checkOracle(fake);
});

type Misdeed = {
  readonly title: string;
  readonly act: (staged: Stage) => Promise<unknown>;
  readonly expected: RegExp;
  readonly excusedBy?: OracleExpectations;
};

const MISDEEDS: readonly Misdeed[] = [
  {
    title: "the same answer twice",
    act: ({ fake, pullRequest, post }) => {
      fake.comment(pullRequest, { author: "grace", body: "@kodiai help" });
      return post("/issues/1/comments", { body: marked("01") });
    },
    expected: /2 × answer <!-- kodiai:answer:v1:01::aa -->/,
  },
  {
    title: "two different answers to one mention",
    act: ({ post }) => post("/issues/2/comments", { body: marked("04") }),
    expected: /2 × answer in the conversation of acme\/shop#2, with mentions: 1/,
  },
  {
    title: "an answer in another thread",
    act: ({ fake, pullRequest, root, post }) => {
      fake.comment(pullRequest, { author: "grace", body: "@kodiai help" });
      return post(`/pulls/1/comments/${root.id}/replies`, { body: marked("04") });
    },
    expected: /2 × answer in thread \d+ of acme\/shop#1, with mentions: 1/,
  },
  {
    title: "an answer to a bot",
    act: ({ fake, issue, post }) => {
      fake.comment(issue, { author: "renovate[bot]", body: "@kodiai help" });
      return post("/issues/2/comments", { body: marked("04") });
    },
    expected: /with mentions: 1/,
  },
  {
    title: "a reaction where the app was not mentioned",
    act: ({ fake, repository, post }) => {
      const other = fake.createIssue(repository);
      return post(`/issues/${other.number}/reactions`, { content: "eyes" });
    },
    expected: /reactions\/create-for-issue on acme\/shop#3, without a mention/,
    excusedBy: { mayPush: true },
  },
  {
    title: "a second pull request of a branch",
    act: async (staged) => {
      await fix(staged);
      const [, own] = staged.fake.pullRequestsOf(staged.repository);
      assert.ok(own);
      await staged.fake.closePullRequest(own);
      await staged.post("/pulls", { title: "Fix", head: "kodiai/fix", base: "main" });
    },
    expected: /2 × pull request of acme\/shop kodiai\/fix/,
  },
  {
    title: "a push with a token for more than pushing",
    act: ({ push }) => push("kodiai/fix", { permissions: { contents: "write", issues: "write" } }),
    expected:
      /refs\/heads\/kodiai\/fix of acme\/shop was pushed with a token that also has the permission issues/,
  },
  {
    title: "a push with a token for every repository",
    act: async ({ fake, push }) => {
      const other = await fake.createRepository({ name: "other" });
      const { id } = fake.world.repositories[0] ?? other;
      await push("kodiai/fix", { repositoryIds: [id, other.id] });
    },
    expected: /was pushed with a token for other repositories/,
  },
  {
    title: "a push with a token that reads files too",
    act: async ({ fake, push }) => {
      const token = await push("kodiai/fix");
      await ask(fake, "GET /repos/acme/shop/contents/README.md", { token });
    },
    expected: /was pushed with a token that was used for repos\/get-content/,
  },
  {
    title: "a push to the default branch",
    act: ({ push }) => push("main"),
    expected: /a push to the default branch of acme\/shop/,
  },
  {
    title: "an attempt to push to the default branch",
    act: ({ repository, push }) => {
      repository.protectedBranches.push("main");
      return push("main");
    },
    expected: /a push to the default branch of acme\/shop/,
  },
];

for (const { title, act, expected, excusedBy } of MISDEEDS) {
  test(`the oracle detects ${title}`, async (context) => {
    const staged = await stage(context);
    await converse(staged);
    await act(staged);
    const strict = { isMentionRequired: true, mayPush: true };
    assert.match(oracleProblems(staged.fake, strict).join("\n"), expected);
    if (excusedBy !== undefined) checkOracle(staged.fake, excusedBy);
  });
}

test("the oracle detects a push and a pull request where the app may not push", async (context) => {
  const staged = await stage(context);
  await fix(staged);
  const problems = oracleProblems(staged.fake).join("\n");
  assert.match(problems, /POST \/acme\/shop\.git\/git-receive-pack is nothing the app may do/);
  assert.match(problems, /POST \/repos\/acme\/shop\/pulls is nothing the app may do/);
  checkOracle(staged.fake, { mayPush: true });
});

test("the oracle accepts a refused push to a protected branch, and detects one that succeeded", async (context) => {
  const { fake, repository, push } = await stage(context);
  repository.protectedBranches.push("release");
  await push("release");
  checkOracle(fake, { mayPush: true });
  repository.protectedBranches.length = 0;
  await push("release");
  repository.protectedBranches.push("release");
  assert.match(oracleProblems(fake, { mayPush: true }).join("\n"), /a push to the protected branch release/);
});
