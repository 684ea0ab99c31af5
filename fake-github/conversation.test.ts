/** Conversations on the fake: issues that aren't pull requests, threads on lines, and comments that are edited or deleted. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { ask, type ClientAnswer, tokenOf } from "./client.ts";
import { type FakeGithub, startFakeGithub } from "./fake-github.ts";
import type { PullRequest, Repository, ReviewComment } from "./world.ts";

type Stage = {
  readonly fake: FakeGithub;
  readonly repository: Repository;
  readonly pullRequest: PullRequest;
  /** Sends a request below the repository with a token that can do everything. */
  readonly send: (route: string, body?: object) => Promise<ClientAnswer>;
};

const REPOSITORY = "/repos/acme/shop";

async function stage(context: TestContext): Promise<Stage> {
  const fake = await startFakeGithub();
  context.after(() => fake.close());
  const repository = await fake.createRepository({ files: { "a.ts": "one\ntwo\n" }, isPrivate: true });
  const pullRequest = await fake.openPullRequest(repository, { files: { "a.ts": "one\nchanged\n" } });
  const token = await tokenOf(fake);
  return {
    fake,
    repository,
    pullRequest,
    send(route, body) {
      const [method, path = ""] = route.split(" ");
      return ask(fake, `${method} ${REPOSITORY}${path}`, { token, ...(body === undefined ? {} : { body }) });
    },
  };
}

async function startThread({ fake, pullRequest }: Stage): Promise<ReviewComment> {
  const { comments } = await fake.review(pullRequest, {
    author: "ada",
    body: "",
    comments: [{ path: "a.ts", line: 2, body: "why?" }],
  });
  const [root] = comments;
  assert.ok(root);
  return root;
}

test("an issue has comments and reactions, and isn't a pull request", async (context) => {
  const { fake, repository, pullRequest, send } = await stage(context);
  const issue = fake.createIssue(repository, { title: "Broken", body: "It is.", author: "grace" });
  assert.equal(issue.number, 2);
  const asked = fake.comment(issue, { author: "grace", body: "@kodiai ask why?" });
  const { body: read } = await send("GET /issues/2");
  assert.deepEqual([read.title, read.user.login, read.state, read.comments], ["Broken", "grace", "open", 1]);
  assert.equal("pull_request" in read, false);
  assert.equal(read.html_url, `${fake.gitUrl}/acme/shop/issues/2`);
  assert.equal((await send("GET /pulls/2")).status, 404);
  const { body: whole } = await send("GET /issues/1");
  assert.deepEqual([whole.pull_request.url, whole.draft], [`${fake.url}${REPOSITORY}/pulls/1`, false]);
  assert.equal((await send("GET /issues/3")).status, 404);

  const answer = await send("POST /issues/2/comments", { body: "Because." });
  assert.equal(answer.body.html_url, `${fake.gitUrl}/acme/shop/issues/2#issuecomment-${answer.body.id}`);
  const { body: listed } = await send("GET /issues/2/comments");
  assert.deepEqual(
    listed.map((each: { body: string }) => each.body),
    ["@kodiai ask why?", "Because."],
  );
  assert.equal((await send("GET /issues/1/comments")).body.length, 0);
  assert.equal(fake.commentsOf(pullRequest).length, 0);
  assert.equal(fake.commentsOf(issue).length, 2);
  await send(`POST /issues/comments/${asked.id}/reactions`, { content: "eyes" });
  await send("POST /issues/2/reactions", { content: "+1" });
  assert.deepEqual([fake.reactionsOf(asked), fake.reactionsOf(issue)], [["eyes"], ["+1"]]);
  const [write] = fake.world.writes;
  assert.deepEqual([write?.issue, write?.pullRequest, write?.isOpen], [issue, null, true]);
  assert.deepEqual(fake.violations, []);
});

test("an issue needs the permission for issues, a pull request either of two", async (context) => {
  const { fake, repository } = await stage(context);
  const issue = fake.createIssue(repository);
  const comment = fake.comment(issue, { author: "grace", body: "hm" });
  const token = await tokenOf(fake, { permissions: { pull_requests: "write" } });
  const statusOf = async (route: string, body?: object): Promise<number> =>
    (await ask(fake, route, { token, ...(body === undefined ? {} : { body }) })).status;
  assert.equal(await statusOf(`GET ${REPOSITORY}/issues/1`), 200);
  assert.equal(await statusOf(`GET ${REPOSITORY}/issues/2`), 403);
  assert.equal(await statusOf(`POST ${REPOSITORY}/issues/1/comments`, { body: "x" }), 201);
  assert.equal(await statusOf(`POST ${REPOSITORY}/issues/2/comments`, { body: "x" }), 403);
  const reactions = `${REPOSITORY}/issues/comments/${comment.id}/reactions`;
  assert.equal(await statusOf(`POST ${reactions}`, { content: "eyes" }), 403);
  issue.isLocked = true;
  const full = await tokenOf(fake);
  const locked = await ask(fake, `POST ${REPOSITORY}/issues/2/comments`, {
    token: full,
    body: { body: "x" },
  });
  assert.equal(locked.status, 403);
  assert.deepEqual(fake.violations, []);
});

type CommentPayload = {
  readonly action: string;
  readonly issue: { readonly number: number; readonly pull_request?: object };
  readonly comment: { readonly id: number; readonly body: string; readonly user: { readonly login: string } };
  readonly sender: { readonly login: string };
  readonly changes?: { readonly body: { readonly from: string } };
};

test("the event of a comment names a pull request only if there is one", async (context) => {
  const { fake, repository, pullRequest } = await stage(context);
  const issue = fake.createIssue(repository);
  const eventOf = (on: typeof issue): CommentPayload =>
    fake.events.comment(fake.comment(on, { author: "grace", body: "hm" })).payload as never;
  const [ofIssue, ofPullRequest] = [eventOf(issue), eventOf(pullRequest)];
  assert.deepEqual([ofIssue.issue.number, ofPullRequest.issue.number], [2, 1]);
  assert.equal("pull_request" in ofIssue.issue, false);
  assert.equal("pull_request" in ofPullRequest.issue, true);
  assert.equal("changes" in ofIssue, false);
});

test("edited and deleted comments have events, and a deleted one is gone", async (context) => {
  const staged = await stage(context);
  const { fake, pullRequest, send } = staged;
  const comment = fake.comment(pullRequest, { author: "grace", body: "first" });
  const root = await startThread(staged);
  fake.react(comment, { by: "ada", content: "+1" });
  fake.clock.advance(5000);
  const from = fake.editComment(comment, "second");
  fake.editComment(root, "why not?");
  const { body: shown } = await send(`GET /issues/comments/${comment.id}`);
  assert.deepEqual([shown.body, shown.reactions["+1"]], ["second", 1]);
  assert.equal(Date.parse(shown.updated_at) - Date.parse(shown.created_at), 5000);
  const { body: onLine } = await send(`GET /pulls/comments/${root.id}`);
  assert.deepEqual([onLine.body, onLine.updated_at > onLine.created_at], ["why not?", true]);

  const edited = fake.events.comment(comment, { action: "edited", from }).payload as never as CommentPayload;
  assert.deepEqual(
    [edited.action, edited.comment.body, edited.changes?.body.from],
    ["edited", "second", "first"],
  );
  fake.deleteComment(comment);
  fake.deleteComment(root);
  const webhook = await fake.events.reviewComment(root, { action: "deleted", sender: "ada" });
  const deleted = webhook.payload as never as CommentPayload;
  assert.deepEqual([deleted.action, deleted.comment.id, deleted.sender.login], ["deleted", root.id, "ada"]);
  assert.deepEqual(fake.reactionsOf(comment), []);
  const content = { content: "eyes" };
  for (const route of [
    `GET /issues/comments/${comment.id}`,
    `GET /pulls/comments/${root.id}`,
    `GET /pulls/comments/${root.id}/reactions`,
  ])
    assert.equal((await send(route)).status, 404, route);
  assert.equal((await send(`POST /issues/comments/${comment.id}/reactions`, content)).status, 404);
  assert.equal((await send(`POST /pulls/comments/${root.id}/reactions`, content)).status, 404);
  assert.equal((await send(`POST /pulls/1/comments/${root.id}/replies`, { body: "x" })).status, 404);
  assert.deepEqual(fake.violations, []);
});

test("a reply is in the thread of its first comment, in REST and for everyone", async (context) => {
  const staged = await stage(context);
  const { fake, repository, pullRequest, send } = staged;
  const root = await startThread(staged);
  const asked = fake.reply(root, { author: "grace", body: "@kodiai explain", association: "NONE" });
  const answered = await send(`POST /pulls/1/comments/${root.id}/replies`, { body: "Because." });
  assert.equal(answered.status, 201);
  const { body: reply } = answered;
  assert.deepEqual(
    [reply.in_reply_to_id, reply.path, reply.line, reply.side, reply.user.login],
    [root.id, "a.ts", 2, "RIGHT", "kodiai[bot]"],
  );
  assert.match(reply.diff_hunk, /\+changed$/);
  const { body: listed } = await send("GET /pulls/1/comments?sort=created&direction=asc");
  assert.deepEqual(
    listed.map((each: { id: number }) => each.id),
    [root.id, asked.id, reply.id],
  );
  assert.deepEqual(
    fake.repliesOf(root).map(({ body }) => body),
    ["@kodiai explain", "Because."],
  );
  const [thread] = await fake.threadsOf(pullRequest);
  assert.equal(thread?.comments.length, 3);
  assert.equal(listed[1].author_association, "NONE");

  assert.equal((await send(`POST /pulls/1/comments/${asked.id}/replies`, { body: "x" })).status, 422);
  assert.equal((await send(`POST /pulls/1/comments/${root.id}/replies`, { body: " " })).status, 422);
  const other = await fake.openPullRequest(repository, { files: { "b.ts": "b\n" } });
  const elsewhere = `POST /pulls/${other.number}/comments/${root.id}/replies`;
  assert.equal((await send(elsewhere, { body: "x" })).status, 404);
  assert.equal(fake.repliesOf(root).length, 2);
  assert.deepEqual(fake.violations, []);
});

test("replies outlive the first comment of their thread", async (context) => {
  const staged = await stage(context);
  const { fake, pullRequest, send } = staged;
  const root = await startThread(staged);
  const reply = fake.reply(root, { author: "grace", body: "indeed" });
  fake.deleteComment(root);
  const { body } = await send(`GET /pulls/comments/${reply.id}`);
  assert.deepEqual([body.in_reply_to_id, body.body], [root.id, "indeed"]);
  const [thread, ...others] = await fake.threadsOf(pullRequest);
  assert.deepEqual([thread?.rootId, thread?.comments.length, others.length], [root.id, 1, 0]);
  await fake.resolveThread(reply, "ada");
  assert.equal((await fake.threadsOf(pullRequest))[0]?.resolvedBy, "ada");
});

test("the app's account has its id", async (context) => {
  const { fake } = await stage(context);
  const token = await tokenOf(fake);
  const { body } = await ask(fake, "GET /users/kodiai%5Bbot%5D", { token });
  assert.deepEqual([body.login, body.id, body.type], ["kodiai[bot]", fake.world.app.bot.id, "Bot"]);
});
