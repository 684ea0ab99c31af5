/** Tests what Kodiai keeps on the pull request itself: its threads and their findings, and the state in its summary. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMarkers } from "../src/forge/github/markers.ts";
import { checkOracle } from "../fake-github/oracle.ts";
import {
  commentOn,
  createForge,
  publicationOf,
  repositoryRefOf,
  type Scenario,
  startScenario,
} from "./support/publish-scenario.ts";
import {
  scopeOf,
  readThreads,
  publishThreads,
  resolve,
  resolvers,
  countOf,
  unresolved,
  RESOLVE,
} from "./support/thread-fixtures.ts";

test("each comment on lines ends with the signed id of its finding, however long it is", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  const markers = createMarkers(fake.webhookSecret);
  const long = commentOn(2, { findingId: "0123456789abcdef-2", body: "x".repeat(70_000) });
  scenario.publication = (head) => publicationOf(head, [commentOn(1), long]);
  // The first attempt crashes after the pending review was created. The second one adopts it.
  scenario.journal.crash = { atWrite: 3, isStored: true };
  assert.equal((await scenario.publishUntilDone()).kind, "published");
  assert.equal(scenario.journal.crash, null, "the crash was played");
  assert.equal(fake.calls.filter(({ operation }) => operation === "pulls/create-review").length, 1);
  const comments = fake.reviewCommentsOf(pullRequest);
  const found = comments.map(({ body }) => markers.readFinding(scopeOf(scenario), body)?.findingId);
  assert.deepEqual(found, ["finding-1", "0123456789abcdef-2"]);
  assert.match(
    comments[0]?.body ?? "",
    /^About line 1\.\n\n<!-- kodiai:finding:v1:finding-1:[0-9a-f]{64} -->$/,
  );
  assert.equal(comments[1]?.body.length, 65_536);
  checkOracle(fake);
});

test("the summary is edited when only its state changes", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  const markers = createMarkers(fake.webhookSecret);
  const { publication } = scenario;
  const summary = { ...scopeOf(scenario), head: "", request: "", part: "summary" } as const;
  for (const state of ["", "first_-", "second", "second"]) {
    scenario.publication = (head) => ({ ...publication(head), state });
    assert.equal((await scenario.publish()).kind, "published");
    const [comment] = fake.commentsOf(pullRequest);
    assert.equal(markers.read(summary, comment?.body ?? "")?.state ?? "", state);
  }
  const edits = fake.calls.filter(({ operation }) => operation === "issues/update-comment");
  assert.equal(edits.length, 2);
  checkOracle(fake);
});

function readState(scenario: Scenario): Promise<string | null> {
  return scenario.inSession((session) => session.reviews.readState(scenario.pullRequest.number));
}

/** The comments of the app that are first in their threads. */
function openings({ fake, pullRequest }: Scenario) {
  return fake.reviewCommentsOf(pullRequest).filter(({ author, replyTo }) => {
    return author === fake.world.app.bot && replyTo === null;
  });
}

test("the app's threads are read with their findings, replies and states", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  assert.deepEqual(await readThreads(scenario), []);
  const threads = await publishThreads(scenario, [1, 3, 5, 7, 9]);
  const [first, second, third, fourth] = openings(scenario);
  assert.ok(first !== undefined && second !== undefined && third !== undefined && fourth !== undefined);
  assert.deepEqual(threads[0], {
    id: `PRRT_${first.id}`,
    findingId: "finding-1",
    otherIds: [],
    url: `${fake.gitUrl}/acme/shop/pull/1#discussion_r${first.id}`,
    root: first.id,
    isResolved: false,
    resolvedBy: null,
    isOutdated: false,
    hasReply: false,
    reactions: [],
    replies: [],
  });
  fake.reply(first, { author: "ada", body: "No." });
  fake.reply(second, { author: "ada", body: "No." });
  fake.reply(second, { author: "kodiai[bot]", body: "Yes." });
  await fake.resolveThread(third, "ada");
  await fake.resolveThread(fourth, "kodiai[bot]");
  const lines = Array.from({ length: 12 }, (_, index) => `const added${index + 1} = ${index + 1};`);
  lines[8] = "changed();";
  await fake.push(pullRequest, { "new.ts": `${lines.join("\n")}\n` });
  const ada = { login: "ada", isBot: false };
  const facts = (await readThreads(scenario)).map((thread) => ({
    ...thread,
    id: "",
    url: "",
    root: null,
    replies: thread.replies.map(({ author, body }) => `${author.login}: ${body}`),
  }));
  const calm = {
    otherIds: [],
    id: "",
    url: "",
    root: null,
    isResolved: false,
    resolvedBy: null,
    isOutdated: false,
    hasReply: false,
    reactions: [],
  };
  assert.deepEqual(facts, [
    { ...calm, findingId: "finding-1", hasReply: true, replies: ["ada: No."] },
    { ...calm, findingId: "finding-3", replies: ["ada: No."] },
    { ...calm, findingId: "finding-5", isResolved: true, resolvedBy: ada, replies: [] },
    { ...calm, findingId: "finding-7", isResolved: true, replies: [] },
    { ...calm, findingId: "finding-9", isOutdated: true, replies: [] },
  ]);
  checkOracle(fake, { tokensRevoked: true });
});

const FAR = "\u{1f600}".repeat(10_000);

test("reactions are read with their people, and removed ones are gone", async (t) => {
  const scenario = await startScenario(t);
  const { fake } = scenario;
  await publishThreads(scenario, [1, 3]);
  const [first] = openings(scenario);
  assert.ok(first !== undefined);
  for (const [by, content] of [
    ["ada", "-1"],
    ["ada", "heart"],
    ["mallory", "-1"],
    ["dependabot[bot]", "-1"],
    ["kodiai[bot]", "+1"],
    ["grace", "+1"],
  ] as const) {
    fake.react(first, { by, content });
    fake.clock.advance(1_000);
  }
  const given = async () => {
    const [thread, other] = await readThreads(scenario);
    assert.deepEqual(other?.reactions, []);
    return thread?.reactions ?? [];
  };
  const reactions = await given();
  assert.deepEqual(
    reactions.map(({ person, content }) => `${person.login} ${content} ${person.isBot}`),
    ["ada -1 false", "mallory -1 false", "grace +1 false"],
    "GitHub doesn't name apps here",
  );
  const [earliest, , latest] = reactions.map(({ at }) => at);
  assert.ok(earliest !== undefined && latest === earliest + 5_000, String([earliest, latest]));
  fake.takeBackReaction(first, { by: "ada", content: "-1" });
  assert.deepEqual(
    (await given()).map(({ person }) => person.login),
    ["mallory", "grace"],
  );
  checkOracle(fake, { tokensRevoked: true });
});

test("replies are people's and bots', without the app's own and hidden ones, and bounded", async (t) => {
  const scenario = await startScenario(t);
  const { fake } = scenario;
  await publishThreads(scenario, [1, 3]);
  const [first, second] = openings(scenario);
  assert.ok(first !== undefined && second !== undefined);
  const url = `${fake.gitUrl}/acme/shop/pull/1#discussion_r`;
  const reply = (author: string, body: string) => fake.reply(first, { author, body });
  const agreed = reply("ada", "Good catch.");
  reply("kodiai[bot]", "Thank you.");
  fake.minimize(reply("mallory", "Buy this."));
  const renovated = reply("renovate[bot]", FAR);
  const [thread] = await readThreads(scenario);
  assert.deepEqual(
    thread?.replies.map(({ body, ...each }) => ({ ...each, length: body.length })),
    [
      {
        author: { login: "ada", isBot: false },
        url: `${url}${agreed.id}`,
        at: Math.floor(agreed.createdAtMs / 1000) * 1000,
        length: 11,
      },
      {
        author: { login: "renovate[bot]", isBot: true },
        url: `${url}${renovated.id}`,
        at: Math.floor(renovated.createdAtMs / 1000) * 1000,
        length: 2_000,
      },
    ],
  );
  assert.equal(thread?.hasReply, true);
  for (let index = 0; index < 30; index += 1) fake.reply(second, { author: "ada", body: `${index}` });
  const [, long] = await readThreads(scenario);
  assert.deepEqual(
    long?.replies.map(({ body }) => body),
    Array.from({ length: 20 }, (_, index) => `${index + 10}`),
  );
  checkOracle(fake, { tokensRevoked: true });
});

test("replies and reactions of deleted accounts are left out", async (t) => {
  const scenario = await startScenario(t);
  const { fake } = scenario;
  await publishThreads(scenario, [1]);
  const [first] = openings(scenario);
  assert.ok(first !== undefined);
  fake.reply(first, { author: "ada", body: "No." });
  fake.react(first, { by: "ada", content: "-1" });
  const forget = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, each: unknown) => {
        const isAda = typeof each === "object" && each !== null && "login" in each && each.login === "ada";
        return isAda && (key === "author" || key === "user") ? null : each;
      }),
    );
  fake.faults.add({ operation: "graphql/query", fault: { kind: "alter", body: forget } });
  const [thread] = await readThreads(scenario);
  assert.deepEqual([thread?.reactions, thread?.replies, thread?.hasReply], [[], [], true]);
  assert.deepEqual(fake.faults.unplayed(), []);
});

test("[P7] only the app's own comments with a valid marker are its threads", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  const own = await publishThreads(scenario, [1]);
  const [comment] = openings(scenario);
  const marker = createMarkers(fake.webhookSecret).renderFinding(
    { ...scopeOf(scenario), number: 2 },
    "other",
  );
  const forged = createMarkers("a guess").renderFinding(scopeOf(scenario), "forged");
  const bodies = [comment?.body ?? "", `Text\n\n${marker}`, `Text\n\n${forged}`, "Text"];
  const comments = bodies.map((body) => ({ path: "new.ts", line: 2, body }));
  // A copied marker is valid, but a person or another bot wrote the comment.
  await fake.review(pullRequest, { author: "mallory", body: "", comments });
  await fake.review(pullRequest, { author: "dependabot[bot]", body: "", comments });
  await fake.review(pullRequest, { author: "kodiai", body: "", comments });
  await fake.review(pullRequest, { author: "kodiai[bot]", body: "", comments: comments.slice(1) });
  await fake.review(pullRequest, { author: "kodiai[bot]", body: "", comments, state: "PENDING" });
  assert.deepEqual(await readThreads(scenario), own);
  assert.deepEqual(
    own.map(({ findingId }) => findingId),
    ["finding-1"],
  );
  const all = await fake.threadsOf(pullRequest);
  const outcome = await resolve(scenario, all, { journal: scenario.journal });
  assert.equal(unresolved(outcome), 0);
  assert.deepEqual(
    (await resolvers(scenario)).filter((by) => by !== null),
    ["kodiai[bot]"],
  );
  assert.equal(countOf(scenario, RESOLVE), 1);
});

test("[P5] threads are resolved between the review and the summary, with a token of their own", async (t) => {
  const scenario = await startScenario(t);
  const { fake } = scenario;
  const threads = await publishThreads(scenario, [1, 3, 5]);
  const calls = fake.calls.length;
  scenario.publication = (head) => publicationOf(head, [commentOn(9)]);
  assert.equal(unresolved(await resolve(scenario, threads.slice(0, 2))), 0);
  assert.deepEqual(await resolvers(scenario), ["kodiai[bot]", "kodiai[bot]", null, null]);
  const writes = fake.calls.slice(calls).map(({ operation }) => operation);
  assert.deepEqual(
    writes.filter((operation) => /submit|resolve|update-comment/.test(operation)),
    ["pulls/submit-review", RESOLVE, RESOLVE, "issues/update-comment"],
  );
  const used = fake.calls.filter(({ identity }) => identity.permissions?.["contents"] === "write");
  assert.deepEqual([...new Set(used.map(({ operation }) => operation))].sort(), [
    "apps/revoke-installation-access-token",
    RESOLVE,
  ]);
  checkOracle(fake, { tokensRevoked: true });
});

test("resolving again, or a thread that is resolved or gone, changes nothing", async (t) => {
  const scenario = await startScenario(t);
  const { fake } = scenario;
  const threads = await publishThreads(scenario, [1, 3, 5]);
  const [first, second] = openings(scenario);
  assert.ok(first !== undefined && second !== undefined);
  await fake.resolveThread(first, "ada");
  // Deleted while the threads are being resolved: listed, but gone.
  fake.onRequest(RESOLVE, () => {
    const index = fake.world.reviewComments.indexOf(second);
    if (index !== -1) fake.world.reviewComments.splice(index, 1);
  });
  assert.equal(unresolved(await resolve(scenario, threads)), 0);
  assert.equal(unresolved(await resolve(scenario, threads)), 0);
  assert.deepEqual(await resolvers(scenario), ["ada", "kodiai[bot]"]);
  assert.equal(countOf(scenario, RESOLVE), 2);
  checkOracle(fake);
});

test("a thread that got a reply during the review stays open", async (t) => {
  const scenario = await startScenario(t);
  const threads = await publishThreads(scenario, [1, 3]);
  const [first] = openings(scenario);
  assert.ok(first !== undefined);
  scenario.fake.reply(first, { author: "ada", body: "I disagree." });
  assert.equal(unresolved(await resolve(scenario, threads)), 1);
  assert.deepEqual(await resolvers(scenario), [null, "kodiai[bot]"]);
});

test("nothing is resolved unless the guard allows it", async (t) => {
  for (const answer of ["superseded", "cancelled", "lost"] as const) {
    const scenario = await startScenario(t);
    const threads = await publishThreads(scenario, [1, 3]);
    let isOver = false;
    scenario.fake.onResponse("graphql/query", () => {
      isOver = true;
    });
    const outcome = await resolve(scenario, threads, { guard: async () => (isOver ? answer : "go") });
    assert.equal(outcome.kind, answer);
    assert.deepEqual(await resolvers(scenario), [null, null]);
    assert.equal(countOf(scenario, RESOLVE), 0);
  }
});

test("without write access to contents, threads stay open, and the review is published", async (t) => {
  const scenario = await startScenario(t);
  const { fake, logged } = scenario;
  const threads = await publishThreads(scenario, [1, 3]);
  fake.installation.permissions = { ...fake.installation.permissions, contents: "read" };
  assert.equal(unresolved(await resolve(scenario, threads)), 2);
  assert.deepEqual(await resolvers(scenario), [null, null]);
  assert.equal(countOf(scenario, RESOLVE), 0);
  assert.ok(
    logged.some((line) => /resolving threads failed/.test(line) && /docs\/github-app\.md/.test(line)),
  );
  checkOracle(fake, { tokensRevoked: true });
});

test("rate limits of GraphQL are errors with a time, and pause other calls", async (t) => {
  const faults = [
    { kind: "primary-limit", resetInSeconds: 90 },
    { kind: "secondary-limit", status: 403, retryAfterSeconds: 90 },
  ] as const;
  for (const fault of faults) {
    const scenario = await startScenario(t);
    const { fake } = scenario;
    fake.faults.add({ operation: "graphql/query", fault });
    await assert.rejects(readThreads(scenario), (error: unknown) => {
      assert.ok(error instanceof Error && "code" in error && "retryAtMs" in error);
      assert.equal(error.code, "rate-limited");
      assert.ok(Math.abs(Number(error.retryAtMs) - fake.clock.now() - 90_000) < 30_000);
      return true;
    });
    const calls = fake.calls.length;
    await assert.rejects(readState(scenario), { code: "rate-limited" });
    assert.deepEqual(
      fake.calls.slice(calls).filter(({ operation }) => !operation.startsWith("apps/")),
      [],
    );
    fake.clock.advance(95_000);
    assert.deepEqual(await readThreads(scenario), []);
  }
});

test("a query is retried after a lost answer, and an unknown pull request isn't found", async (t) => {
  const scenario = await startScenario(t);
  const { fake } = scenario;
  for (const fault of [
    { kind: "reset" },
    { kind: "status", status: 502 },
    { kind: "truncate", bytes: 9 },
  ] as const) {
    fake.faults.add({ operation: "graphql/query", fault });
    assert.deepEqual(await readThreads(scenario), []);
  }
  assert.deepEqual(fake.faults.unplayed(), []);
  await assert.rejects(
    scenario.inSession((session) => session.reviews.readThreads(99)),
    { code: "not-found", retryable: false },
  );
  checkOracle(fake, { tokensRevoked: true });
});

test("the state is read from the app's own summary only", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  assert.equal(await readState(scenario), null);
  assert.equal((await scenario.publish()).kind, "published");
  assert.equal(await readState(scenario), null, "an older summary has none");
  scenario.publication = (head) => ({ ...publicationOf(head, []), state: "c3RhdGU_-" });
  await resolve(scenario, []);
  assert.equal(await readState(scenario), "c3RhdGU_-");
  const [summary] = fake.commentsOf(pullRequest);
  assert.ok(summary !== undefined);
  const session = createForge(fake).openSession(repositoryRefOf(scenario.repository));
  const { body } = summary;
  summary.body = body.replace("c3Rh", "c3Rb");
  assert.equal(await session.reviews.readState(pullRequest.number), null, "changed");
  summary.body = `${body}\n\nA sentence that a user added.`;
  assert.equal(await session.reviews.readState(pullRequest.number), null, "not at the end");
  fake.comment(pullRequest, { author: "mallory", body });
  assert.equal(await session.reviews.readState(pullRequest.number), null, "copied by a person");
  summary.body = body;
  assert.equal(await session.reviews.readState(pullRequest.number), "c3RhdGU_-");
  await session.close();
});
