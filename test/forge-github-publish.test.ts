/** Tests publishing on the fake GitHub: exactly once, whatever is lost, rejected or changed in the meantime. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../src/base/errors.ts";
import { checkOracle } from "../fake-github/oracle.ts";
import { commentOn, createMemoryJournal, publicationOf, startScenario } from "./support/publish-scenario.ts";
import { isAll } from "./support/extent.ts";
import {
  writesOf,
  seen,
  expected,
  ANNOTATIONS,
  annotated,
  annotationsOf,
  ASKED_BEFORE_PENDING,
} from "./support/published-state.ts";

test("[P3] a review, a summary and a check are written in this order with minimal permissions", async (t) => {
  const scenario = await startScenario(t);
  const { fake } = scenario;
  const outcome = await scenario.publish();
  assert.equal(outcome.kind, "published");
  assert.deepEqual(seen(scenario), expected(scenario));
  assert.deepEqual(writesOf(scenario), [
    "pulls/create-review",
    "pulls/submit-review",
    "issues/create-comment",
    "checks/create",
  ]);
  const [first, second] = fake.reviewCommentsOf(scenario.pullRequest);
  assert.deepEqual([first?.startLine, second?.startLine, second?.line], [null, 3, 5]);
  const [read, write] = fake.tokens;
  assert.equal(fake.tokens.length, 2);
  assert.deepEqual(read?.permissions, { contents: "read", metadata: "read", pull_requests: "read" });
  assert.deepEqual(write?.permissions, { checks: "write", metadata: "read", pull_requests: "write" });
  for (const token of fake.tokens) assert.deepEqual(token.repositoryIds, [scenario.repository.id]);
  checkOracle(fake, { tokensRevoked: true });
});

test("publishing again writes nothing, even if the pull request was closed since", async (t) => {
  const scenario = await startScenario(t);
  const first = await scenario.publish();
  const writes = writesOf(scenario).length;
  const tokens = scenario.fake.tokens.length;
  assert.deepEqual(await scenario.publish(), first);
  await scenario.fake.closePullRequest(scenario.pullRequest);
  assert.deepEqual(await scenario.publish(), first);
  assert.equal(writesOf(scenario).length, writes);
  // Two more sessions have each read the pull request. Neither created a write token.
  assert.equal(scenario.fake.tokens.length, tokens + 2);
  checkOracle(scenario.fake, { tokensRevoked: true });
});

test("everything is found again by its marker when the journal is lost", async (t) => {
  const scenario = await startScenario(t);
  await scenario.publish();
  const journal = createMemoryJournal();
  const outcome = await scenario.publish({ journal });
  assert.equal(outcome.kind, "published");
  assert.deepEqual(seen(scenario), expected(scenario));
  checkOracle(scenario.fake);
});

test("a new head gets a separate review, and the summary is edited in place", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest, journal } = scenario;
  await scenario.publish();
  const oldHead = pullRequest.head;
  await fake.push(pullRequest, { "other.ts": "export {};\n" });
  // The review and the check belong to a head.
  journal.intents.delete("review");
  journal.intents.delete("check");
  scenario.publication = (head) => publicationOf(head, [commentOn(2), commentOn(4)]);
  assert.equal((await scenario.publish()).kind, "published");
  const commits = fake.reviewsOf(pullRequest).map(({ commit }) => commit);
  assert.deepEqual(commits, [oldHead, pullRequest.head]);
  assert.deepEqual(seen(scenario).summaries, expected(scenario).summaries);
  checkOracle(fake);
});

test("a repeated request for the same head gets another review, once", async (t) => {
  const scenario = await startScenario(t);
  const { fake, journal } = scenario;
  const first = await scenario.publish();
  // A review belongs to one request for a head.
  journal.intents.delete("review");
  scenario.publication = (head) => publicationOf(head, [commentOn(7)]);
  const request = "comment:99";
  const second = await scenario.publish({ request });
  assert.ok(first.kind === "published" && second.kind === "published");
  assert.notEqual(second.reviewId, first.reviewId);
  assert.deepEqual([second.summaryId, second.checkId], [first.summaryId, first.checkId]);
  assert.deepEqual(await scenario.publish({ request, journal: createMemoryJournal() }), second);
  assert.equal(fake.reviewsOf(scenario.pullRequest).length, 2);
  checkOracle(fake, { reviewsPerHead: 2 });
});

test("without findings on lines, only the summary and the check are written", async (t) => {
  const scenario = await startScenario(t);
  scenario.publication = (head) => publicationOf(head, []);
  const outcome = await scenario.publish();
  assert.ok(outcome.kind === "published" && outcome.reviewId === null);
  assert.deepEqual(seen(scenario), expected(scenario, []));
  checkOracle(scenario.fake);
});

test("a summary that isn't wanted is never created, and an existing one is edited", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest, journal } = scenario;
  const publishing = async (isSummaryWanted: boolean, head = pullRequest.head) => {
    // The review and the check belong to a head.
    journal.intents.delete("review");
    journal.intents.delete("check");
    scenario.publication = () => ({ ...publicationOf(head, []), isSummaryWanted });
    const outcome = await scenario.publish();
    assert.ok(outcome.kind === "published");
    assert.deepEqual(await scenario.publish(), outcome, "publishing again changes nothing");
    return outcome.summaryId;
  };
  assert.equal(await publishing(false), null);
  assert.deepEqual(seen(scenario), { ...expected(scenario, []), summaries: [] });
  const created = await publishing(true);
  assert.notEqual(created, null);
  await fake.push(pullRequest, { "other.ts": "export {};\n" });
  assert.equal(await publishing(false), created);
  assert.deepEqual(seen(scenario).summaries, expected(scenario, []).summaries);
  // The marker finds it without a journal.
  journal.intents.delete("summary");
  await fake.push(pullRequest, { "more.ts": "export {};\n" });
  assert.equal(await publishing(false), created);
  assert.deepEqual(seen(scenario).summaries, expected(scenario, []).summaries);
  const [comment] = fake.commentsOf(pullRequest);
  assert.ok(comment !== undefined);
  fake.deleteComment(comment);
  await fake.push(pullRequest, { "last.ts": "export {};\n" });
  assert.equal(await publishing(false), null);
  assert.deepEqual(seen(scenario).summaries, []);
  checkOracle(fake);
});

test("[P14] a summary that was perhaps created and isn't wanted any more is searched for before the review ends", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  fake.setListLag(30_000);
  fake.faults.add({ operation: "issues/create-comment", fault: { kind: "lost", by: "502" } });
  assert.equal((await scenario.publish()).kind, "wait");
  scenario.publication = (head) => ({ ...publicationOf(head, [commentOn(1)]), isSummaryWanted: false });
  assert.equal((await scenario.publish()).kind, "wait");
  const outcome = await scenario.publishUntilDone();
  assert.ok(outcome.kind === "published" && outcome.summaryId === fake.commentsOf(pullRequest)[0]?.id);
  assert.match(fake.commentsOf(pullRequest)[0]?.body ?? "", /: 1 on lines/);
  checkOracle(fake);
});

test("the summary links to the comments of the review", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  await scenario.publish();
  const ids = fake.reviewCommentsOf(pullRequest).map(({ id }) => id);
  const body = (): string => fake.commentsOf(pullRequest)[0]?.body ?? "";
  assert.deepEqual(
    [...body().matchAll(/#discussion_r(\d+)$/gm)].map(([, id]) => Number(id)),
    ids,
  );
});

test("without a summary, the review keeps the state, and it is read again without a journal", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest, journal } = scenario;
  const readState = () => scenario.inSession((session) => session.reviews.readState(pullRequest.number));
  const publishing = (head: string, state: string, isSummaryWanted: boolean, line: number) => {
    journal.intents.delete("review");
    journal.intents.delete("check");
    scenario.publication = () => ({ ...publicationOf(head, [commentOn(line)]), state, isSummaryWanted });
    return scenario.publish();
  };
  assert.equal(await readState(), null);
  await publishing(pullRequest.head, "first", false, 1);
  assert.equal(await readState(), "first");
  await fake.push(pullRequest, { "other.ts": "export {};\n" });
  await publishing(pullRequest.head, "second", false, 2);
  assert.equal(await readState(), "second");
  // The summary is edited with every review, so it has the newest state.
  await fake.push(pullRequest, { "more.ts": "export {};\n" });
  await publishing(pullRequest.head, "third", true, 3);
  assert.equal(await readState(), "third");
  checkOracle(fake);
});

test("[P14] a lost answer at any step, with or without lagging lists, has no effect", async (t) => {
  const operations = ["pulls/create-review", "pulls/submit-review", "issues/create-comment", "checks/create"];
  const faults = [
    { kind: "lost", by: "502" },
    { kind: "lost", by: "reset" },
    { kind: "reset" },
    { kind: "status", status: 502 },
    { kind: "truncate", bytes: 20 },
  ] as const;
  for (const operation of operations) {
    for (const fault of isAll ? faults : faults.slice(0, 3)) {
      // For a request that never arrived, lagging lists make no difference.
      for (const lagMs of fault.kind === "lost" ? (isAll ? [0, 30_000] : [30_000]) : [0]) {
        await t.test(`${operation}, ${JSON.stringify(fault)}, lag ${lagMs} ms`, async (t) => {
          const scenario = await startScenario(t);
          scenario.fake.setListLag(lagMs);
          scenario.fake.faults.add({ operation, fault });
          const outcome = await scenario.publishUntilDone();
          assert.equal(outcome.kind, "published");
          assert.deepEqual(scenario.fake.faults.unplayed(), []);
          assert.deepEqual(seen(scenario), expected(scenario));
          checkOracle(scenario.fake, { tokensRevoked: true });
        });
      }
    }
  }
});

test("annotations are sent 50 at a time, and not again when a check is written again", async (t) => {
  const scenario = await startScenario(t);
  annotated(scenario);
  await scenario.inSession(async (session) =>
    session.checks.start(await session.pullRequests.read(scenario.pullRequest.number), scenario.journal),
  );
  assert.equal((await scenario.publish()).kind, "published");
  const sent = ANNOTATIONS.map(({ title }) => title);
  assert.deepEqual(annotationsOf(scenario), sent);
  assert.equal(writesOf(scenario).filter((operation) => operation === "checks/update").length, 3);
  // The journal of the check is lost, as for another request: GitHub still has the annotations.
  scenario.journal.intents.delete("check");
  const others = ANNOTATIONS.slice(0, 1).map((annotation) => ({ ...annotation, title: "Major: another" }));
  annotated(scenario, [...others, ...ANNOTATIONS]);
  assert.equal((await scenario.publish()).kind, "published");
  assert.deepEqual(annotationsOf(scenario), [...sent, "Major: another"]);
  assert.deepEqual(seen(scenario), expected(scenario));
  checkOracle(scenario.fake);
});

test("when an answer is missing, the job is parked and the item is searched for later", async (t) => {
  const scenario = await startScenario(t);
  const { fake } = scenario;
  fake.setListLag(30_000);
  fake.faults.add({ operation: "pulls/create-review", fault: { kind: "lost", by: "reset" } });
  const startedAt = fake.clock.now();
  const outcome = await scenario.publish();
  assert.ok(outcome.kind === "wait");
  assert.equal(outcome.reason, "fate-unknown:review");
  assert.ok(outcome.untilMs - startedAt >= 59_000 && outcome.untilMs - startedAt <= 70_000);
  // Before that time, it is neither listed nor created again.
  const again = await scenario.publish();
  assert.equal(again.kind, "wait");
  assert.deepEqual(writesOf(scenario), ["pulls/create-review"]);
  fake.clock.advance(31_000);
  assert.equal((await scenario.publish()).kind, "published");
  assert.equal(writesOf(scenario).filter((operation) => operation === "pulls/create-review").length, 1);
  checkOracle(fake);
});

test("a moved head, a closed pull request or unwanted work stops publishing before anything is sent", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  for (const answer of ["lost", "superseded", "cancelled"] as const) {
    assert.deepEqual(await scenario.publish({ guard: async () => answer }), { kind: answer });
  }
  const { head } = pullRequest;
  scenario.publication = () => publicationOf(head, [commentOn(1)]);
  await fake.push(pullRequest, { "other.ts": "export {};\n" });
  assert.deepEqual(await scenario.publish(), { kind: "stale-head", head: pullRequest.head });
  await fake.closePullRequest(pullRequest);
  assert.deepEqual(await scenario.publish(), { kind: "closed" });
  assert.deepEqual(writesOf(scenario), []);
  checkOracle(fake, { tokensRevoked: true });
});

test("a draft gets a review if that is allowed", async (t) => {
  const scenario = await startScenario(t);
  scenario.pullRequest.isDraft = true;
  assert.deepEqual(await scenario.publish(), { kind: "draft" });
  assert.deepEqual(writesOf(scenario), []);
  assert.equal((await scenario.publish({ mayBeDraft: true })).kind, "published");
  checkOracle(scenario.fake, { tokensRevoked: true });
});

test("an answer is written once, even if GitHub's response was lost, and changes nothing else", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  const answer = (request: string, journal = scenario.journal, isLost = async () => false) =>
    scenario.inSession(async (session) => {
      const read = await session.pullRequests.read(pullRequest.number);
      await session.comments.answer({
        ...read,
        threadRoot: null,
        request,
        body: "Not now.",
        journal,
        isLost,
      });
    });
  await answer("limit/1", scenario.journal, async () => true);
  assert.deepEqual(fake.commentsOf(pullRequest), []);
  fake.faults.add({ operation: "issues/create-comment", fault: { kind: "lost", by: "reset" } });
  await answer("limit/1");
  await answer("limit/1");
  // Without a journal entry, the published answer is found by its marker.
  await answer("limit/1", createMemoryJournal());
  assert.deepEqual(
    fake.commentsOf(pullRequest).map(({ body }) => body.split("\n")[0]),
    ["Not now."],
  );
  await answer("limit/2", createMemoryJournal());
  assert.equal(fake.commentsOf(pullRequest).length, 2);
  assert.equal((await scenario.publish()).kind, "published");
  checkOracle(fake, { isSummary: (body) => body.includes("kodiai:summary"), tokensRevoked: true });
});

test("a review that is no longer wanted doesn't stay pending", async (t) => {
  const scenario = await startScenario(t);
  let asked = 0;
  await scenario.publish({ guard: async () => (asked++ < ASKED_BEFORE_PENDING ? "go" : "lost") });
  scenario.publication = (head) => publicationOf(head, []);
  assert.equal((await scenario.publish()).kind, "published");
  assert.deepEqual(scenario.fake.reviewsOf(scenario.pullRequest), []);
  checkOracle(scenario.fake);
});

test("[P3] [P7] a marker in another user's text is neither trusted nor edited", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  await scenario.publish();
  const [summary] = fake.commentsOf(pullRequest);
  const [review] = fake.reviewsOf(pullRequest);
  assert.ok(summary !== undefined && review !== undefined);
  // Everything the app wrote is deleted, and a user posts a copy.
  fake.world.issueComments.length = 0;
  fake.world.reviews.length = 0;
  fake.world.reviewComments.length = 0;
  const copied = fake.comment(pullRequest, { author: "mallory", body: summary.body });
  await fake.review(pullRequest, { author: "mallory", body: review.body, state: "COMMENTED" });
  const journal = createMemoryJournal();
  assert.equal((await scenario.publish({ journal })).kind, "published");
  assert.equal(copied.body, summary.body);
  const own = fake.reviewsOf(pullRequest).filter(({ author }) => author.login === "kodiai[bot]");
  assert.equal(own.length, 1);
  assert.equal(fake.commentsOf(pullRequest).length, 2);
  assert.deepEqual(fake.violations, []);
});

test("a deleted summary is written again", async (t) => {
  const scenario = await startScenario(t);
  const { fake } = scenario;
  await scenario.publish();
  fake.world.issueComments.length = 0;
  scenario.journal.intents.delete("review");
  scenario.publication = (head) => ({ ...publicationOf(head, [commentOn(1)]) });
  assert.equal((await scenario.publish()).kind, "published");
  assert.equal(fake.commentsOf(scenario.pullRequest).length, 1);
  checkOracle(fake);
});

test("[P18] a rate limit parks the job until the time GitHub named, and nothing is sent before", async (t) => {
  const limits = [
    ["pulls/create-review", 403],
    ["pulls/submit-review", 429],
    ["issues/create-comment", 403],
  ] as const;
  for (const [operation, status] of limits) {
    await t.test(`${operation} ${status}`, async (t) => {
      const scenario = await startScenario(t);
      const { fake } = scenario;
      fake.faults.add({ operation, fault: { kind: "secondary-limit", status, retryAfterSeconds: 90 } });
      const outcome = await scenario.publish();
      assert.ok(outcome.kind === "wait");
      assert.equal(outcome.reason, "rate-limited");
      assert.ok(Math.abs(outcome.untilMs - fake.clock.now() - 90_000) < 30_000);
      const calls = fake.calls.length;
      await assert.rejects(scenario.publish(), { code: "rate-limited", retryAtMs: outcome.untilMs });
      const sent = fake.calls.slice(calls).filter(({ operation }) => !operation.startsWith("apps/"));
      assert.deepEqual(sent, []);
      fake.clock.advance(outcome.untilMs - fake.clock.now());
      assert.equal((await scenario.publish()).kind, "published");
      assert.deepEqual(seen(scenario), expected(scenario));
      checkOracle(fake, { tokensRevoked: true });
    });
  }
});

test("an approval that GitHub rejects becomes a comment", async (t) => {
  const scenario = await startScenario(t);
  const { fake } = scenario;
  scenario.publication = (head) => publicationOf(head, [], "approve");
  fake.faults.add({
    operation: "pulls/submit-review",
    fault: { kind: "invalid", sentence: "Can not approve" },
  });
  assert.equal((await scenario.publish()).kind, "published");
  assert.deepEqual(seen(scenario).reviews, [{ state: "COMMENTED", isHead: true }]);
  checkOracle(fake);
});

test("an approval stays an approval if GitHub accepts it", async (t) => {
  const scenario = await startScenario(t);
  scenario.publication = (head) => publicationOf(head, [], "approve");
  assert.equal((await scenario.publish()).kind, "published");
  assert.deepEqual(seen(scenario).reviews, [{ state: "APPROVED", isHead: true }]);
  checkOracle(scenario.fake);
});

test("a locked conversation is an error with a hint", async (t) => {
  const scenario = await startScenario(t);
  const message = "Unable to create comment because issue is locked.";
  scenario.fake.faults.add({
    operation: "pulls/create-review",
    fault: { kind: "status", status: 403, body: { message } },
  });
  await assert.rejects(scenario.publish(), (error: unknown) => {
    assert.ok(error instanceof KodiaiError);
    assert.equal(error.code, "forbidden");
    assert.match(error.hint, /Unlock/);
    return true;
  });
});

test("the check runs during the review, is concluded once, and is found again after a crash", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest, journal } = scenario;
  const start = () =>
    scenario.inSession(async (session) => {
      await session.checks.start(await session.pullRequests.read(pullRequest.number), journal);
    });
  fake.setListLag(30_000);
  fake.faults.add({ operation: "checks/create", fault: { kind: "lost", by: "reset" } });
  await start();
  await start();
  assert.equal(journal.intents.get("check")?.state, "attempted");
  fake.clock.advance(31_000);
  await start();
  await start();
  assert.deepEqual(seen(scenario).checks, ["in_progress null"]);
  assert.equal((await scenario.publish()).kind, "published");
  assert.deepEqual(seen(scenario).checks, ["completed neutral"]);
  checkOracle(fake, { tokensRevoked: true });
  // After another request, the same check runs again.
  await start();
  assert.deepEqual(seen(scenario).checks, ["in_progress null"]);
  await scenario.publish();
  assert.deepEqual(seen(scenario).checks, ["completed neutral"]);
  checkOracle(fake, { tokensRevoked: true });
});

test("a notice concludes the check and writes nothing else", async (t) => {
  const scenario = await startScenario(t);
  const { pullRequest, journal } = scenario;
  const notice = { conclusion: "neutral", title: "Not reviewed", summary: "It is a draft." } as const;
  for (let time = 0; time < 2; time += 1) {
    await scenario.inSession(async (session) => {
      await session.checks.conclude(await session.pullRequests.read(pullRequest.number), notice, journal);
    });
  }
  assert.deepEqual(writesOf(scenario), ["checks/create"]);
  assert.deepEqual(seen(scenario), { reviews: [], lines: [], summaries: [], checks: ["completed neutral"] });
  checkOracle(scenario.fake, { tokensRevoked: true });
});
