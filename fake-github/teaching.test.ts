/** Checks what people do with comments on lines: reactions, threads, suggestions, merging, and a repository's visibility. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { ask, type ClientAnswer, tokenOf } from "./client.ts";
import { type FakeGithub, startFakeGithub } from "./fake-github.ts";
import { gitText } from "./git.ts";
import type { PullRequest, Repository, ReviewComment } from "./world.ts";

type Stage = {
  readonly fake: FakeGithub;
  readonly repository: Repository;
  readonly pullRequest: PullRequest;
  readonly comment: ReviewComment;
};

const SUGGESTION = "Say more.\n\n```suggestion\nconst more = 2;\nconst most = 3;\n```\n";

/** A comment with a suggestion on line 2 of a file. Webhooks are only logged. */
async function stage(context: TestContext): Promise<Stage> {
  const fake = await startFakeGithub({ autoDeliver: true, webhookUrl: "http://127.0.0.1:9/" });
  context.after(() => fake.close());
  const repository = await fake.createRepository();
  const pullRequest = await fake.openPullRequest(repository, {
    files: { "a.ts": "const one = 1;\nconst two = 2;\nconst last = 9;\n" },
    author: "grace",
  });
  const comments = [{ path: "a.ts", line: 2, body: SUGGESTION }];
  const review = await fake.review(pullRequest, { author: "kodiai[bot]", body: "", comments });
  const [comment] = review.comments;
  assert.ok(comment !== undefined);
  return { fake, repository, pullRequest, comment };
}

// Tests read payloads of many shapes; each assertion states its expectation.
// oxlint-disable-next-line typescript/no-explicit-any
async function sent(fake: FakeGithub, event: string): Promise<readonly any[]> {
  await fake.deliveries.settled();
  return fake.deliveries.log.filter((each) => each.event === event).map(({ body }) => JSON.parse(body));
}

test("people and bots react in REST, and take only their own reactions back", async (context) => {
  const { fake, comment } = await stage(context);
  const route = `/repos/acme/shop/pulls/comments/${comment.id}/reactions`;
  const ada = fake.personalToken("ada");
  const mallory = fake.personalToken("mallory");
  const given = await ask(fake, `POST ${route}`, { token: ada, body: { content: "-1" } });
  assert.equal(given.status, 201);
  fake.react(comment, { by: "mallory", content: "+1" });
  fake.react(comment, { by: "mallory", content: "+1" });
  fake.react(comment, { by: "dependabot[bot]", content: "heart" });
  const listed = async (query = ""): Promise<readonly string[]> => {
    const { body } = await ask(fake, `GET ${route}${query}`, { token: await tokenOf(fake) });
    return body.map((each: { user: { login: string }; content: string }) => {
      return `${each.user.login} ${each.content}`;
    });
  };
  assert.deepEqual(await listed(), ["ada -1", "mallory +1", "dependabot[bot] heart"]);
  assert.deepEqual(await listed("?content=%2B1"), ["mallory +1"]);
  const remove = async (token: string): Promise<number> =>
    (await ask(fake, `DELETE ${route}/${given.body.id}`, { token })).status;
  assert.deepEqual([await remove(mallory), await remove(ada), await remove(ada)], [403, 204, 404]);
  fake.takeBackReaction(comment, { by: "mallory", content: "+1" });
  assert.deepEqual(await listed(), ["dependabot[bot] heart"]);
  assert.throws(() => fake.takeBackReaction(comment, { by: "mallory", content: "+1" }), /didn't react/);
  assert.deepEqual(fake.violations, []);
});

test("GraphQL names reactions in its own way, and no account that isn't a person", async (context) => {
  const { fake, comment } = await stage(context);
  for (const [by, content] of [
    ["ada", "-1"],
    ["ada", "rocket"],
    ["dependabot[bot]", "+1"],
    ["mallory", "+1"],
  ] as const)
    fake.react(comment, { by, content });
  const ask = async (args: string) => {
    const nodes = `{ nodes { reactions(${args}) { totalCount nodes { content createdAt user { login } } } } }`;
    const query = `{ repository(owner: "acme", name: "shop") { pullRequest(number: 1) {
      reviewThreads(first: 1) { nodes { comments(first: 1) ${nodes} } } } } }`;
    const answer = await fetch(`${fake.gitUrl}/api/graphql`, {
      method: "POST",
      headers: { authorization: `Bearer ${await tokenOf(fake)}` },
      body: JSON.stringify({ query }),
    });
    const { data }: ClientAnswer["body"] = await answer.json();
    const { reactions } = data.repository.pullRequest.reviewThreads.nodes[0].comments.nodes[0];
    return reactions.nodes.map((each: { content: string; user: { login: string } | null }) => {
      return `${each.user?.login ?? null} ${each.content} of ${reactions.totalCount}`;
    });
  };
  assert.deepEqual(await ask("first: 100"), [
    "ada THUMBS_DOWN of 4",
    "ada ROCKET of 4",
    "null THUMBS_UP of 4",
    "mallory THUMBS_UP of 4",
  ]);
  assert.deepEqual(await ask("last: 1, content: THUMBS_UP"), ["mallory THUMBS_UP of 2"]);
  assert.deepEqual(fake.violations, []);
});

test("resolving a thread and opening it again send events with its comments", async (context) => {
  const { fake, comment } = await stage(context);
  const reply = fake.reply(comment, { author: "ada", body: "Done." });
  await fake.resolveThread(comment, "ada");
  await fake.unresolveThread(reply, "grace");
  const events = await sent(fake, "pull_request_review_thread");
  assert.deepEqual(
    events.map(({ action, sender }) => `${action} by ${sender.login}`),
    ["resolved by ada", "unresolved by grace"],
  );
  const [{ thread, pull_request: pullRequest, installation, repository }] = events;
  assert.deepEqual(
    [thread.node_id, ...thread.comments.map(({ id }: { id: number }) => id)],
    [`PRRT_${comment.id}`, comment.id, reply.id],
  );
  assert.deepEqual([pullRequest.number, installation.id], [1, fake.installationId]);
  assert.equal(repository.full_name, "acme/shop");
});

test("a committed suggestion replaces the commented lines, and names both authors", async (context) => {
  const { fake, repository, pullRequest, comment } = await stage(context);
  await fake.push(pullRequest, {
    "a.ts": "const zero = 0;\nconst one = 1;\nconst two = 2;\nconst last = 9;\n",
  });
  const before = pullRequest.head;
  const after = await fake.commitSuggestion(comment, "ada");
  assert.equal(after, pullRequest.head);
  const shown = await gitText(repository.directory, "show", `${after}:a.ts`);
  assert.deepEqual(shown.split("\n"), [
    "const zero = 0;",
    "const one = 1;",
    "const more = 2;",
    "const most = 3;",
    "const last = 9;",
  ]);
  const message = await gitText(repository.directory, "log", "-1", "--format=%an: %B", after);
  assert.match(message, /^ada: Update a\.ts\n\nCo-authored-by: kodiai\[bot\] </);
  const event = (await sent(fake, "pull_request")).at(-1);
  assert.deepEqual(
    [event.action, event.before, event.after, event.sender.login],
    ["synchronize", before, after, "ada"],
  );
  assert.equal((await fake.threadsOf(pullRequest))[0]?.isOutdated, true);
  await assert.rejects(fake.commitSuggestion(comment, "ada"), /lines that have changed/);
});

test("a merged pull request names the account that merged it", async (context) => {
  const { fake, pullRequest, repository } = await stage(context);
  const other = await fake.openPullRequest(repository, { files: { "b.ts": "b\n" }, author: "grace" });
  await fake.closePullRequest(pullRequest, { isMerged: true, by: "linus" });
  await fake.closePullRequest(other);
  const read = async (number: number) =>
    (await ask(fake, `GET /repos/acme/shop/pulls/${number}`, { token: await tokenOf(fake) })).body;
  const merged = await read(1);
  assert.deepEqual([merged.merged, merged.merged_by.login], [true, "linus"]);
  const closed = await read(2);
  assert.deepEqual([closed.merged, closed.merged_by], [false, null]);
  const events = (await sent(fake, "pull_request")).filter(({ action }) => action === "closed");
  assert.deepEqual(
    events.map(({ sender, pull_request: { merged: isMerged } }) => [sender.login, isMerged]),
    [
      ["linus", true],
      ["grace", false],
    ],
  );
  assert.deepEqual(fake.violations, []);
});

test("a repository that becomes private or public sends an event with its new visibility", async (context) => {
  const { fake, repository } = await stage(context);
  fake.setPrivate(repository, true);
  assert.equal((await ask(fake, "GET /repos/acme/shop", { token: await tokenOf(fake) })).body.private, true);
  assert.equal((await ask(fake, "GET /repos/acme/shop")).status, 404);
  fake.setPrivate(repository, false);
  const events = await sent(fake, "repository");
  assert.deepEqual(
    events.map(({ action, installation, repository: { private: isPrivate, full_name: name } }) => {
      return { action, installation: installation.id, isPrivate, name };
    }),
    [
      { action: "privatized", installation: fake.installationId, isPrivate: true, name: "acme/shop" },
      { action: "publicized", installation: fake.installationId, isPrivate: false, name: "acme/shop" },
    ],
  );
});
