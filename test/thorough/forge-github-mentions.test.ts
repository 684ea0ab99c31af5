/** Answers and pull requests through lost responses, lagging lists and crashes at every step. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../../src/base/errors.ts";
import type { ForgeSession } from "../../src/forge/forge.ts";
import { checkOracle } from "../../fake-github/oracle.ts";
import { CRASH, createMemoryJournal, type Scenario, startScenario } from "../support/publish-scenario.ts";
import {
  ORACLE,
  countOf,
  startThread,
  later,
  answerTo,
  repliesTo,
  conversationOf,
  readDiscussionAt,
  onLines,
  inConversation,
  said,
  propose,
  pushBranch,
  CREATE,
} from "../support/mention-forge-fixtures.ts";

const REPLY = "pulls/create-reply-for-review-comment";

const COMMENT = "issues/create-comment";

/** Repeats a step of a job in new sessions like the worker does, until it doesn't fail. */
async function untilDone<Value>(
  scenario: Scenario,
  step: (session: ForgeSession) => Promise<Value>,
): Promise<Value> {
  const { fake, journal } = scenario;
  for (let attempt = 0; attempt < 12; attempt += 1) {
    try {
      return await scenario.inSession(step);
    } catch (error) {
      if (error === CRASH) journal.crash = null;
      else if (!(error instanceof KodiaiError && error.retryable)) throw error;
      const waitMs = error instanceof KodiaiError ? (error.retryAtMs ?? 0) - fake.clock.now() : 0;
      fake.clock.advance(Math.max(waitMs, 15_000));
    }
  }
  return assert.fail("not done after 12 tries");
}

const FAULTS = [
  { kind: "lost", by: "502" },
  { kind: "lost", by: "reset" },
  { kind: "reset" },
  { kind: "status", status: 502 },
  { kind: "truncate", bytes: 20 },
] as const;

test("[P14] a lost response to an answer has no effect, with or without lagging lists", async (t) => {
  for (const isInThread of [true, false]) {
    for (const fault of FAULTS) {
      for (const lagMs of fault.kind === "lost" ? [0, 30_000] : [0]) {
        const place = isInThread ? "thread" : "conversation";
        await t.test(`${place}, ${JSON.stringify(fault)}, lag ${lagMs} ms`, async (t) => {
          const scenario = await startScenario(t);
          const { fake } = scenario;
          const root = await startThread(scenario);
          fake.setListLag(lagMs);
          fake.faults.add({ operation: isInThread ? REPLY : COMMENT, fault });
          await untilDone(scenario, answerTo(scenario, isInThread ? root.id : null));
          assert.deepEqual(fake.faults.unplayed(), []);
          assert.equal(repliesTo(scenario, root).length, isInThread ? 1 : 0);
          assert.equal(conversationOf(scenario).length, isInThread ? 0 : 1);
          checkOracle(fake, ORACLE);
        });
      }
    }
  }
});

test("[P14] a crash at any durable step of an answer has no effect", async (t) => {
  for (const isInThread of [true, false]) {
    for (const atWrite of [1, 2]) {
      for (const isStored of [false, true]) {
        await t.test(`in thread ${isInThread}, write ${atWrite}, stored ${isStored}`, async (t) => {
          const scenario = await startScenario(t);
          const root = await startThread(scenario);
          scenario.fake.setListLag(30_000);
          scenario.journal.crash = { atWrite, isStored };
          await untilDone(scenario, answerTo(scenario, isInThread ? root.id : null));
          assert.equal(scenario.journal.crash, null, "the crash was played");
          assert.equal(repliesTo(scenario, root).length + conversationOf(scenario).length, 1);
          checkOracle(scenario.fake, ORACLE);
        });
      }
    }
  }
});

test("the answer goes to the conversation if its thread is gone, once", async (t) => {
  for (const fault of [null, ...FAULTS]) {
    await t.test(JSON.stringify(fault), async (t) => {
      const scenario = await startScenario(t);
      const { fake } = scenario;
      const root = await startThread(scenario);
      const question = fake.reply(root, { author: "ada", body: "Kodiai, explain" });
      fake.deleteComment(root);
      fake.setListLag(30_000);
      if (fault !== null) fake.faults.add({ operation: COMMENT, fault });
      await untilDone(scenario, answerTo(scenario, root.id));
      fake.clock.advance(61_000);
      await scenario.inSession(answerTo(scenario, root.id, { journal: createMemoryJournal() }));
      assert.deepEqual(conversationOf(scenario), ["Because of line 3."]);
      assert.deepEqual(fake.reviewCommentsOf(scenario.pullRequest), [question]);
      assert.deepEqual(fake.faults.unplayed(), []);
      checkOracle(fake, ORACLE);
    });
  }
});

test("an answer waits while a review is pending, and then appears in its thread", async (t) => {
  const scenario = await startScenario(t);
  const { fake } = scenario;
  const root = await startThread(scenario);
  const sentence = "user_id can only have one pending review per pull request";
  fake.faults.add({ operation: REPLY, fault: { kind: "invalid", sentence } });
  const step = answerTo(scenario, root.id);
  await assert.rejects(scenario.inSession(step), (error: unknown) => {
    assert.ok(error instanceof KodiaiError && error.retryable && error.retryAtMs !== null);
    assert.match(error.hint, /publishing a review/);
    return true;
  });
  await scenario.inSession(step);
  assert.deepEqual(repliesTo(scenario, root), ["Because of line 3."]);
  checkOracle(fake, ORACLE);
});

test("the newest comments before the question are read, with few requests", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  const root = await startThread(scenario);
  const bodies = Array.from({ length: 730 }, (_, index) => `number ${index}`);
  for (const body of bodies) {
    fake.comment(pullRequest, { author: "ada", body });
    fake.reply(root, { author: "ada", body });
  }
  later(scenario);
  const question = fake.comment(pullRequest, { author: "ada", body: "Kodiai, ask" });
  const reply = fake.reply(root, { author: "ada", body: "Kodiai, ask" });
  const newest = bodies.slice(-20).map((body) => `ada: ${body}`);
  assert.deepEqual(said(await readDiscussionAt(scenario, inConversation(question))), newest);
  // The first page says which is the last. It has too few comments.
  assert.equal(countOf(scenario, "issues/list-comments"), 2);
  assert.deepEqual(said(await readDiscussionAt(scenario, onLines(reply))), newest);
  assert.equal(countOf(scenario, "pulls/list-review-comments"), 1);
  const most = (await readDiscussionAt(scenario, onLines(reply), 1_000))?.comments.length;
  assert.equal(most, 499, "five pages, without the question");
  assert.equal(countOf(scenario, "pulls/list-review-comments"), 6);
  const mostSaid = (await readDiscussionAt(scenario, inConversation(question), 1_000))?.comments.length;
  assert.equal(mostSaid, 430, "the last five pages, of which the last has 31 comments");
  assert.equal(countOf(scenario, "issues/list-comments"), 8);
});

function proposalsOf({ fake, repository }: Scenario) {
  return fake
    .pullRequestsOf(repository)
    .filter(({ headRef }) => headRef === "kodiai/fix-1")
    .map(({ title, body, baseRef, author }) => [title, withoutMark(body), baseRef, author.login]);
}

function withoutMark(body: string | null): string {
  return (body ?? "").replace(/\n\n<!-- kodiai:proposal:\S+ -->$/, "");
}

const PROPOSED = [["Fix it", "Requested in #1.", "main", "kodiai[bot]"]];

test("[P14] a pull request is opened once through lost responses, lagging lists and crashes", async (t) => {
  for (const fault of FAULTS) {
    for (const lagMs of fault.kind === "lost" ? [0, 30_000] : [0]) {
      await t.test(`${JSON.stringify(fault)}, lag ${lagMs} ms`, async (t) => {
        const scenario = await startScenario(t);
        await pushBranch(scenario);
        scenario.fake.setListLag(lagMs);
        scenario.fake.faults.add({ operation: CREATE, fault });
        const opened = await untilDone(scenario, propose(scenario));
        assert.equal(opened?.number, 2);
        assert.deepEqual(scenario.fake.faults.unplayed(), []);
        assert.deepEqual(proposalsOf(scenario), PROPOSED);
      });
    }
  }
  for (const atWrite of [1, 2]) {
    for (const isStored of [false, true]) {
      await t.test(`crash at write ${atWrite}, stored ${isStored}`, async (t) => {
        const scenario = await startScenario(t);
        await pushBranch(scenario);
        scenario.fake.setListLag(30_000);
        scenario.journal.crash = { atWrite, isStored };
        assert.equal((await untilDone(scenario, propose(scenario)))?.number, 2);
        assert.equal(scenario.journal.crash, null, "the crash was played");
        assert.deepEqual(proposalsOf(scenario), PROPOSED);
      });
    }
  }
  await t.test("the journal is lost, and the list doesn't have it yet", async (t) => {
    const scenario = await startScenario(t);
    await pushBranch(scenario);
    await scenario.inSession(propose(scenario, { journal: createMemoryJournal() }));
    scenario.fake.setListLag(30_000);
    assert.equal((await untilDone(scenario, propose(scenario)))?.number, 2);
    assert.deepEqual(proposalsOf(scenario), PROPOSED);
  });
});
