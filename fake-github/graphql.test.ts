/** Checks the fake's GraphQL API against GitHub's rules: threads, who may resolve them, and outdated comments. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { ask, type ClientAnswer, tokenOf } from "./client.ts";
import { type FakeGithub, startFakeGithub } from "./fake-github.ts";
import type { PullRequest, Repository } from "./world.ts";

const THREADS = `query ($after: String, $first: Int = 100) {
  repository(owner: "acme", name: "shop") {
    pullRequest(number: 1) {
      reviewThreads(first: $first, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes {
          id isResolved isOutdated path line originalLine diffSide
          resolvedBy { login }
          comments(last: 1) { nodes { body url state viewerDidAuthor author { __typename login } } }
        }
      }
    }
  }
}`;

const RESOLVE =
  "mutation ($id: ID!) { resolveReviewThread(input: { threadId: $id }) { thread { isResolved } } }";
const UNRESOLVE = RESOLVE.replace("resolve", "unresolve");

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);

function fileWith(changes: Readonly<Record<number, string>>): string {
  return LINES.map((line, index) => `${changes[index + 1] ?? line}\n`).join("");
}

type Stage = {
  readonly fake: FakeGithub;
  readonly repository: Repository;
  readonly pullRequest: PullRequest;
};

async function stage(context: TestContext): Promise<Stage> {
  const fake = await startFakeGithub();
  context.after(() => fake.close());
  const repository = await fake.createRepository({ files: { "a.ts": fileWith({}) }, isPrivate: true });
  const pullRequest = await fake.openPullRequest(repository, { files: { "a.ts": fileWith({ 20: "new" }) } });
  return { fake, repository, pullRequest };
}

async function query(
  fake: FakeGithub,
  text: string,
  { token, ...variables }: { readonly token?: string; readonly [name: string]: unknown } = {},
): Promise<ClientAnswer> {
  const answer = await fetch(`${fake.gitUrl}/api/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token ?? (await tokenOf(fake))}` },
    body: JSON.stringify({ query: text, variables }),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

// Tests read answers of many shapes; each assertion states its expectation.
// oxlint-disable-next-line typescript/no-explicit-any
async function threadsIn(fake: FakeGithub): Promise<readonly any[]> {
  const { body } = await query(fake, THREADS);
  assert.equal(body.errors, undefined);
  return body.data.repository.pullRequest.reviewThreads.nodes;
}

function typeOf({ status, body }: ClientAnswer): string {
  return `${status} ${body.errors?.[0]?.type}`;
}

test("a thread is a comment with its replies, and shows who wrote and who resolved it", async (context) => {
  const { fake, pullRequest } = await stage(context);
  const comments = [{ path: "a.ts", line: 20, body: "Why?" }];
  const {
    comments: [comment],
  } = await fake.review(pullRequest, { author: "grace", body: "", comments });
  assert.ok(comment !== undefined);
  const token = await tokenOf(fake);
  const reply = await ask(fake, `POST /repos/acme/shop/pulls/1/comments/${comment.id}/replies`, {
    token,
    body: { body: "Because." },
  });
  assert.equal(reply.status, 201);
  const [thread, ...others] = await threadsIn(fake);
  assert.deepEqual(others, []);
  const author = { __typename: "Bot", login: "kodiai" };
  const url = `${fake.gitUrl}/acme/shop/pull/1#discussion_r${reply.body.id}`;
  assert.deepEqual(thread, {
    id: `PRRT_${comment.id}`,
    isResolved: false,
    isOutdated: false,
    path: "a.ts",
    line: 20,
    originalLine: 20,
    diffSide: "RIGHT",
    resolvedBy: null,
    comments: { nodes: [{ body: "Because.", url, state: "SUBMITTED", viewerDidAuthor: true, author }] },
  });
  fake.reply(comment, { author: "grace", body: "I see." });
  await fake.resolveThread(comment, "grace");
  const [resolved] = await threadsIn(fake);
  assert.deepEqual([resolved.isResolved, resolved.resolvedBy], [true, { login: "grace" }]);
  assert.equal(resolved.comments.nodes[0].body, "I see.");
  await fake.unresolveThread(comment);
  assert.equal((await threadsIn(fake))[0].isResolved, false);
  assert.deepEqual(fake.violations, []);
});

test("threads of a pending review are shown to its author only", async (context) => {
  const { fake, pullRequest } = await stage(context);
  const comments = [{ path: "a.ts", line: 20, body: "Why?" }];
  await fake.review(pullRequest, { author: "grace", body: "", comments, state: "PENDING" });
  assert.deepEqual(await threadsIn(fake), []);
  const { body } = await query(fake, THREADS, { token: fake.personalToken("grace") });
  const [thread] = body.data.repository.pullRequest.reviewThreads.nodes;
  assert.equal(thread.comments.nodes[0].state, "PENDING");
});

test("pages have at most 100 threads", async (context) => {
  const { fake, pullRequest } = await stage(context);
  const comments = Array.from({ length: 120 }, (_, index) => ({ path: "a.ts", line: 20, body: `${index}` }));
  await fake.review(pullRequest, { author: "grace", body: "", comments });
  const first = (await query(fake, THREADS)).body.data.repository.pullRequest.reviewThreads;
  assert.deepEqual([first.totalCount, first.nodes.length, first.pageInfo.hasNextPage], [120, 100, true]);
  const after = first.pageInfo.endCursor;
  const last = (await query(fake, THREADS, { after })).body.data.repository.pullRequest.reviewThreads;
  assert.deepEqual([last.nodes.length, last.pageInfo.hasNextPage], [20, false]);
  assert.equal(typeOf(await query(fake, THREADS, { first: 101 })), "200 EXCESSIVE_PAGINATION");
  assert.equal(typeOf(await query(fake, THREADS, { first: null })), "200 MISSING_PAGINATION_BOUNDARIES");
});

test("an app resolves with write access to pull requests and contents, people as themselves", async (context) => {
  const { fake, pullRequest } = await stage(context);
  const comments = [{ path: "a.ts", line: 20, body: "Why?" }];
  const {
    comments: [comment],
  } = await fake.review(pullRequest, { author: "grace", body: "", comments });
  assert.ok(comment !== undefined);
  const id = `PRRT_${comment.id}`;
  for (const permissions of [
    { pull_requests: "write", contents: "read" },
    { pull_requests: "read", contents: "write" },
  ] as const) {
    const token = await tokenOf(fake, { permissions });
    const refused = await query(fake, RESOLVE, { id, token });
    assert.equal(typeOf(refused), "200 FORBIDDEN");
    assert.deepEqual(refused.body.data, { resolveReviewThread: null });
    assert.equal((await query(fake, THREADS, { token })).body.errors, undefined);
  }
  const contentsOnly = await tokenOf(fake, { permissions: { contents: "write" } });
  assert.equal(typeOf(await query(fake, THREADS, { token: contentsOnly })), "200 FORBIDDEN");
  const resolvedBy = async (): Promise<unknown> => (await fake.threadsOf(pullRequest))[0]?.resolvedBy;
  assert.equal(await resolvedBy(), null);
  const answer = await query(fake, RESOLVE, { id });
  assert.deepEqual(answer.body, { data: { resolveReviewThread: { thread: { isResolved: true } } } });
  assert.equal(await resolvedBy(), "kodiai[bot]");
  const ada = fake.personalToken("ada");
  await query(fake, RESOLVE, { id, token: ada });
  assert.equal(await resolvedBy(), "kodiai[bot]", "a resolved thread stays as it is");
  await query(fake, UNRESOLVE, { id, token: ada });
  await query(fake, RESOLVE, { id, token: ada });
  assert.equal(await resolvedBy(), "ada");
  assert.deepEqual(fake.violations, []);
});

test("unknown and unreachable things aren't found, and callers must authenticate", async (context) => {
  const { fake, repository } = await stage(context);
  const other = await fake.createRepository({ name: "other" });
  assert.equal(typeOf(await query(fake, RESOLVE, { id: "PRRT_1" })), "200 NOT_FOUND");
  const elsewhere = await tokenOf(fake, { repositoryIds: [other.id] });
  const refused = await query(fake, THREADS, { token: elsewhere });
  assert.equal(typeOf(refused), "200 NOT_FOUND");
  assert.deepEqual(refused.body.data, { repository: null });
  fake.renameRepository(repository, "store");
  assert.equal((await query(fake, THREADS)).body.errors, undefined);
  assert.equal((await query(fake, THREADS, { token: "nonsense" })).status, 401);
});

test("a query that GitHub's schema doesn't allow, or a field that the fake lacks, is a violation", async (context) => {
  const { fake } = await stage(context);
  await query(fake, THREADS.replace("isOutdated", "isOutDated"));
  await query(fake, THREADS.replace("totalCount", "edges { cursor }"));
  await query(fake, "this is no query");
  assert.equal(fake.violations.length, 3);
  assert.match(fake.violations[0] ?? "", /Cannot query field "isOutDated"/);
  assert.match(fake.violations[1] ?? "", /doesn't serve PullRequestReviewThreadConnection\.edges/);
});

test("faults apply to GraphQL, and its primary limit is reported as a success", async (context) => {
  const { fake } = await stage(context);
  fake.faults.add({ operation: "graphql/query", fault: { kind: "primary-limit", resetInSeconds: 60 } });
  const limited = await query(fake, THREADS);
  assert.equal(typeOf(limited), "200 RATE_LIMITED");
  assert.equal(limited.headers.get("x-ratelimit-remaining"), "0");
  fake.faults.add({ operation: "graphql/query", fault: { kind: "status", status: 502 } });
  assert.equal((await query(fake, THREADS)).status, 502);
  fake.faults.add({ operation: "graphql/query", fault: { kind: "reset" } });
  await assert.rejects(query(fake, THREADS));
  assert.deepEqual(fake.faults.unplayed(), []);
});

/** The place of the first comment after a push: in REST, in GraphQL. */
async function placesAfter({ fake, pullRequest }: Stage, file: string | null) {
  await fake.push(pullRequest, { "a.ts": file, "b.ts": `${pullRequest.head}\n` });
  const {
    body: [comment],
  } = await ask(fake, "GET /repos/acme/shop/pulls/1/comments", {
    token: await tokenOf(fake),
  });
  const [thread] = await threadsIn(fake);
  assert.equal(thread.line, comment.line);
  assert.equal(thread.isOutdated, comment.line === null);
  assert.equal(comment.position === null, comment.line === null);
  assert.deepEqual([comment.original_line, thread.originalLine], [20, 20]);
  return comment.line;
}

test("a comment follows its line, and is outdated once the line has changed or left the diff", async (context) => {
  const staged = await stage(context);
  const { fake, pullRequest } = staged;
  const comments = [{ path: "a.ts", line: 20, body: "Why?" }];
  await fake.review(pullRequest, { author: "grace", body: "", comments });
  const changed = { 20: "new" };
  assert.equal(await placesAfter(staged, fileWith(changed)), 20);
  assert.equal(await placesAfter(staged, `one\ntwo\n${fileWith(changed)}`), 22);
  assert.equal(await placesAfter(staged, fileWith({ 20: "new", 19: "also" })), 20);
  assert.equal(await placesAfter(staged, fileWith({ 20: "newer" })), null);
  assert.equal(await placesAfter(staged, fileWith({ 20: "new\nand more" })), 20);
  assert.equal(await placesAfter(staged, fileWith({})), null, "the file is as in the base");
  assert.equal(await placesAfter(staged, null), null);
  assert.deepEqual(fake.violations, []);
});

test("a comment on a removed line follows the base", async (context) => {
  const { fake, repository, pullRequest } = await stage(context);
  const token = fake.personalToken("grace");
  const comments = [{ path: "a.ts", line: 20, side: "LEFT", body: "Why?" }];
  const event = "COMMENT";
  const created = await ask(fake, "POST /repos/acme/shop/pulls/1/reviews", {
    token,
    body: { event, comments },
  });
  assert.equal(created.status, 200);
  await fake.push(pullRequest, { "a.ts": fileWith({ 20: "newer" }) });
  assert.equal((await threadsIn(fake))[0].line, 20);
  await fake.commit(repository, { "a.ts": `first\n${fileWith({})}` });
  assert.equal((await threadsIn(fake))[0].line, 20, "the merge base is unchanged");
  await fake.push(pullRequest, { "a.ts": `first\n${fileWith({ 20: "newer" })}` }, { isForced: true });
  assert.equal((await threadsIn(fake))[0].line, 21);
  assert.deepEqual(fake.violations, []);
});

test("a thread shows replies of REST, and stays when its first comment is deleted", async (context) => {
  const { fake, pullRequest } = await stage(context);
  const comments = [{ path: "a.ts", line: 20, body: "Why?" }];
  const [root] = (await fake.review(pullRequest, { author: "grace", body: "", comments })).comments;
  assert.ok(root);
  const token = await tokenOf(fake);
  const route = `POST /repos/acme/shop/pulls/1/comments/${root.id}/replies`;
  await ask(fake, route, { token, body: { body: "Because." } });
  const [before] = await threadsIn(fake);
  assert.equal(before.comments.nodes[0].body, "Because.");
  fake.deleteComment(root);
  const [after, ...others] = await threadsIn(fake);
  assert.deepEqual([after.id, after.line, others], [before.id, 20, []]);
  const resolved = await query(fake, RESOLVE, { token, id: after.id });
  assert.equal(resolved.body.data.resolveReviewThread.thread.isResolved, true);
  assert.equal((await threadsIn(fake))[0].isResolved, true);
  assert.deepEqual(fake.violations, []);
});
