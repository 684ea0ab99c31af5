/** Threads in large numbers, and crashes while they are resolved. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PublishRequest } from "../../src/forge/forge.ts";
import { createMarkers } from "../../src/forge/github/markers.ts";
import type { Fault } from "../../fake-github/faults.ts";
import { checkOracle } from "../../fake-github/oracle.ts";
import { CRASH, startScenario } from "../support/publish-scenario.ts";
import {
  scopeOf,
  readThreads,
  publishThreads,
  resolve,
  resolvers,
  countOf,
  unresolved,
  RESOLVE,
} from "../support/thread-fixtures.ts";

test("150 threads are read on three pages", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  const markers = createMarkers(fake.webhookSecret);
  const ids = Array.from({ length: 150 }, (_, index) => `finding-${index}`);
  const comments = ids.map((id) => ({
    path: "new.ts",
    line: 1,
    body: `${id}\n\n${markers.renderFinding(scopeOf(scenario), id)}`,
  }));
  await fake.review(pullRequest, { author: "kodiai[bot]", body: "", comments });
  const threads = await readThreads(scenario);
  assert.deepEqual(
    threads.map(({ findingId }) => findingId),
    ids,
  );
  assert.equal(countOf(scenario, "graphql/query"), 3);
  const outcome = await resolve(scenario, threads);
  assert.equal(unresolved(outcome), 100, "one publication resolves a limited number");
  assert.equal(countOf(scenario, RESOLVE), 50);
});

test("a pull request with 1,100 threads and long replies takes 20 requests", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  const markers = createMarkers(fake.webhookSecret);
  const comments = Array.from({ length: 1_100 }, (_, index) => ({
    path: "new.ts",
    line: 1,
    body: `Text\n\n${markers.renderFinding(scopeOf(scenario), `finding-${index}`)}`,
  }));
  const { comments: published } = await fake.review(pullRequest, {
    author: "kodiai[bot]",
    body: "",
    comments,
  });
  for (const comment of published.slice(0, 50)) {
    fake.react(comment, { by: "ada", content: "-1" });
    for (let reply = 0; reply < 25; reply += 1)
      fake.reply(comment, { author: "mallory", body: "a".repeat(10_000) });
  }
  const threads = await readThreads(scenario);
  assert.equal(threads.length, 1_000);
  assert.equal(countOf(scenario, "graphql/query"), 20);
  const kept = threads.flatMap(({ replies }) => replies).reduce((sum, { body }) => sum + body.length, 0);
  assert.equal(kept, 50 * 20 * 2_000);
  assert.equal(threads.filter(({ reactions }) => reactions.length === 1).length, 50);
});

test("[P14] a crash while threads are resolved has no effect", async (t) => {
  for (const crashAt of [1, 2, 3]) {
    const scenario = await startScenario(t);
    const threads = await publishThreads(scenario, [1, 3, 5]);
    let guards = 0;
    let isArmed = false;
    scenario.fake.onResponse("graphql/query", () => {
      isArmed = true;
    });
    const guard: PublishRequest["guard"] = async () => {
      if (isArmed) guards += 1;
      if (guards === crashAt) throw CRASH;
      return "go";
    };
    assert.equal(unresolved(await resolve(scenario, threads, { guard })), 0);
    assert.ok(guards > crashAt, "the crash was played");
    assert.deepEqual(
      await resolvers(scenario),
      Array.from(threads, () => "kodiai[bot]"),
    );
    assert.equal(countOf(scenario, RESOLVE), 3);
    checkOracle(scenario.fake);
  }
});

test("a lost answer is retried, and a failure of one thread is counted", async (t) => {
  const lasting: Fault = { kind: "status", status: 502 };
  const cases: readonly (readonly [Fault, number, number])[] = [
    [{ kind: "lost", by: "502" }, 1, 0],
    [{ kind: "lost", by: "reset" }, 1, 0],
    [{ kind: "reset" }, 1, 0],
    [lasting, 1, 0],
    [lasting, 2, 1],
    [{ kind: "invalid", sentence: "No" }, 1, 1],
  ];
  for (const [fault, times, left] of cases) {
    await t.test(`${JSON.stringify(fault)} ${times} times`, async (t) => {
      const scenario = await startScenario(t);
      const threads = await publishThreads(scenario, [1, 3]);
      scenario.fake.faults.add({ operation: RESOLVE, times, fault });
      assert.equal(unresolved(await resolve(scenario, threads)), left);
      assert.deepEqual(scenario.fake.faults.unplayed(), []);
      assert.equal((await resolvers(scenario)).filter((by) => by === null).length, left);
      checkOracle(scenario.fake, { tokensRevoked: true });
    });
  }
});
