/** Publishing on the fake GitHub through every lost answer, crash and race. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkOracle } from "../../fake-github/oracle.ts";
import {
  commentOn,
  createForge,
  createMemoryJournal,
  repositoryRefOf,
  publicationOf,
  type Scenario,
  startScenario,
} from "../support/publish-scenario.ts";
import {
  writesOf,
  seen,
  expected,
  annotated,
  annotationsOf,
  ASKED_BEFORE_PENDING,
} from "../support/published-state.ts";

test("published parts are found again after the app was renamed", async (t) => {
  const scenario = await startScenario(t);
  const { fake, forge } = scenario;
  await scenario.publish({}, createForge(fake));
  const body = (app: unknown) => ({ ...Object(app), slug: "former" });
  fake.faults.add({ operation: "apps/get-authenticated", fault: { kind: "alter", body } });
  assert.deepEqual(await forge.checkCredentials(), { slug: "former" });
  fake.clock.advance(11 * 60_000);
  assert.equal((await scenario.publish({ journal: createMemoryJournal() }, forge)).kind, "published");
  assert.deepEqual(seen(scenario), expected(scenario));
  checkOracle(fake);
});

test("[P14] a crash at any durable step, before or after it is stored, has no effect", async (t) => {
  const counted = await startScenario(t);
  await counted.publish();
  assert.ok(counted.journal.writes >= 7, String(counted.journal.writes));
  for (let atWrite = 1; atWrite <= counted.journal.writes; atWrite += 1) {
    for (const isStored of [false, true]) {
      await t.test(`write ${atWrite}, stored ${isStored}`, async (t) => {
        const scenario = await startScenario(t);
        scenario.fake.setListLag(atWrite % 2 === 0 ? 30_000 : 0);
        scenario.journal.crash = { atWrite, isStored };
        assert.equal((await scenario.publishUntilDone()).kind, "published");
        assert.equal(scenario.journal.crash, null, "the crash was played");
        assert.deepEqual(seen(scenario), expected(scenario));
        checkOracle(scenario.fake);
      });
    }
  }
});

test("[P14] a lost answer or a crash while annotations are sent has no effect", async (t) => {
  const counted = await startScenario(t);
  annotated(counted);
  await counted.publish();
  const faults = [
    { kind: "lost", by: "502" },
    { kind: "lost", by: "reset" },
    { kind: "reset" },
    { kind: "status", status: 502 },
  ] as const;
  const isDone = async (scenario: Scenario): Promise<void> => {
    assert.equal((await scenario.publishUntilDone()).kind, "published");
    assert.deepEqual(annotationsOf(scenario).toSorted(byText), annotationsOf(counted).toSorted(byText));
    assert.deepEqual(seen(scenario), expected(scenario));
    checkOracle(scenario.fake, { tokensRevoked: true });
  };
  for (const fault of faults) {
    for (const skip of [0, 1, 2]) {
      await t.test(`request ${skip + 1}, ${JSON.stringify(fault)}`, async (t) => {
        const scenario = await startScenario(t);
        annotated(scenario);
        scenario.fake.setListLag(30_000);
        scenario.fake.faults.add({ operation: "checks/update", skip, fault });
        await isDone(scenario);
        assert.deepEqual(scenario.fake.faults.unplayed(), []);
      });
    }
  }
  for (let atWrite = counted.journal.writes - 4; atWrite <= counted.journal.writes; atWrite += 1) {
    for (const isStored of [false, true]) {
      await t.test(`write ${atWrite}, stored ${isStored}`, async (t) => {
        const scenario = await startScenario(t);
        annotated(scenario);
        scenario.fake.setListLag(30_000);
        scenario.journal.crash = { atWrite, isStored };
        await isDone(scenario);
        assert.equal(scenario.journal.crash, null, "the crash was played");
      });
    }
  }
});

function byText(a: string | null, b: string | null): number {
  return (a ?? "").localeCompare(b ?? "");
}

test("rejected comments move to the summary, and the others stay on their lines", async (t) => {
  const cases: readonly (readonly [readonly number[], readonly number[]])[] = [
    [[99], []],
    [[1, 99], [1]],
    [
      [1, 2, 99, 4, 5, 6, 7],
      [1, 2, 4, 5, 6, 7],
    ],
    [
      [99, 1, 98, 2, 97],
      [1, 2],
    ],
    [[97, 98, 99], []],
  ];
  for (const [lines, accepted] of cases) {
    await t.test(lines.join(" "), async (t) => {
      const scenario = await startScenario(t);
      scenario.publication = (head) =>
        publicationOf(
          head,
          lines.map((line) => commentOn(line)),
        );
      const outcome = await scenario.publish();
      const moved = lines.filter((line) => !accepted.includes(line)).map((line) => `finding-${line}`);
      assert.ok(outcome.kind === "published");
      assert.deepEqual(
        outcome.moved,
        moved.map((findingId) => ({ findingId, reason: "GitHub doesn't allow a comment on that line" })),
      );
      assert.deepEqual(seen(scenario), expected(scenario, accepted, moved.join(" ")));
      const writes = writesOf(scenario).length;
      assert.deepEqual(await scenario.publish(), outcome);
      assert.equal(writesOf(scenario).length, writes);
      checkOracle(scenario.fake);
    });
  }
});

test("a crash during or after the search for rejected comments loses no finding", async (t) => {
  const lines = [1, 99];
  const publication = (head: string) =>
    publicationOf(
      head,
      lines.map((line) => commentOn(line)),
    );
  const counted = await startScenario(t);
  counted.publication = publication;
  await counted.publish();
  const published = counted.journal.writes;
  // The last writes are those of the summary and the check, which don't depend on lines.
  for (let atWrite = 2; atWrite <= published - 3; atWrite += 1) {
    for (const isStored of [false, true]) {
      await t.test(`write ${atWrite}, stored ${isStored}`, async (t) => {
        const scenario = await startScenario(t);
        scenario.publication = publication;
        scenario.journal.crash = { atWrite, isStored };
        assert.equal((await scenario.publishUntilDone()).kind, "published");
        assert.deepEqual(seen(scenario), expected(scenario, [1], "finding-99"));
        checkOracle(scenario.fake);
      });
    }
  }
});

test("a change while the review is pending deletes it before it becomes visible", async (t) => {
  const changes: Readonly<Record<string, (scenario: Scenario) => Promise<void>>> = {
    "stale-head": async ({ fake, pullRequest }) =>
      void (await fake.push(pullRequest, { "x.ts": "export {};\n" })),
    closed: ({ fake, pullRequest }) => fake.closePullRequest(pullRequest),
    draft: async ({ pullRequest }) => {
      pullRequest.isDraft = true;
    },
  };
  for (const [kind, change] of Object.entries(changes)) {
    await t.test(kind, async (t) => {
      const scenario = await startScenario(t);
      scenario.fake.onResponse("pulls/create-review", () => change(scenario));
      const outcome = await scenario.publish();
      assert.equal(outcome.kind, kind);
      assert.deepEqual(scenario.fake.reviewsOf(scenario.pullRequest), []);
      assert.deepEqual(writesOf(scenario), ["pulls/create-review", "pulls/delete-pending-review"]);
      checkOracle(scenario.fake, { tokensRevoked: true });
    });
  }
});

test("a superseded pending review is deleted, but with a lost lease it is left to the new owner", async (t) => {
  for (const answer of ["superseded", "cancelled", "lost"] as const) {
    await t.test(answer, async (t) => {
      const scenario = await startScenario(t);
      let asked = 0;
      const outcome = await scenario.publish({
        guard: async () => (asked++ < ASKED_BEFORE_PENDING ? "go" : answer),
      });
      assert.deepEqual(outcome, { kind: answer });
      const isLeft = answer === "lost";
      assert.equal(scenario.fake.reviewsOf(scenario.pullRequest).length, isLeft ? 1 : 0);
      checkOracle(scenario.fake, { isPendingAllowed: isLeft });
      // The new owner continues with it.
      assert.equal((await scenario.publish()).kind, "published");
      assert.deepEqual(seen(scenario), expected(scenario));
      checkOracle(scenario.fake);
    });
  }
});

test("a pending review of an earlier head or composition is deleted, not submitted", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  // The lease is lost after the review was created, so it stays pending.
  let asked = 0;
  await scenario.publish({ guard: async () => (asked++ < ASKED_BEFORE_PENDING ? "go" : "lost") });
  assert.equal(fake.reviewsOf(pullRequest).length, 1);
  await t.test("another composition", async () => {
    scenario.publication = (head) => publicationOf(head, [commentOn(2)]);
    asked = 0;
    await scenario.publish({ guard: async () => (asked++ < ASKED_BEFORE_PENDING ? "go" : "lost") });
    assert.deepEqual(
      fake.reviewCommentsOf(pullRequest).map(({ line }) => line),
      [2],
    );
  });
  await t.test("another head", async () => {
    await fake.push(pullRequest, { "other.ts": "export {};\n" });
    assert.equal((await scenario.publish({ journal: createMemoryJournal() })).kind, "published");
    assert.deepEqual(seen(scenario), expected(scenario, [2]));
    checkOracle(fake);
  });
});

test("publishing waits for a pending review that exists but isn't listed yet", async (t) => {
  const scenario = await startScenario(t);
  const { fake } = scenario;
  let asked = 0;
  await scenario.publish({ guard: async () => (asked++ < ASKED_BEFORE_PENDING ? "go" : "lost") });
  fake.setListLag(30_000);
  // Another process without a journal hits GitHub's limit of one pending review.
  const journal = createMemoryJournal();
  const outcome = await scenario.publish({ journal });
  assert.ok(outcome.kind === "wait");
  fake.clock.advance(outcome.untilMs - fake.clock.now());
  assert.equal((await scenario.publish({ journal })).kind, "published");
  assert.deepEqual(seen(scenario), expected(scenario));
  checkOracle(fake);
});

test("a repository that is renamed during publishing gets exactly one review", async (t) => {
  const scenario = await startScenario(t);
  const { fake, repository } = scenario;
  const off = fake.onRequest("pulls/create-review", () => {
    off();
    fake.renameRepository(repository, "store");
  });
  assert.equal((await scenario.publish()).kind, "published");
  assert.deepEqual(seen(scenario), expected(scenario));
  assert.equal(writesOf(scenario).filter((operation) => operation === "pulls/create-review").length, 2);
  checkOracle(fake, { tokensRevoked: true });
});

test("publishing waits if the answer to a submit is lost and the review still looks pending", async (t) => {
  const scenario = await startScenario(t);
  const { fake } = scenario;
  fake.faults.add({ operation: "pulls/submit-review", fault: { kind: "lost", by: "reset" } });
  // Reads return a lagging copy.
  const body = (review: unknown) => ({ ...Object(review), state: "PENDING" });
  fake.faults.add({ operation: "pulls/get-review", times: 2, fault: { kind: "alter", body } });
  const outcome = await scenario.publish();
  assert.ok(outcome.kind === "wait");
  assert.equal(outcome.reason, "fate-unknown:review");
  assert.ok(outcome.untilMs > fake.clock.now());
  assert.equal((await scenario.publishUntilDone()).kind, "published");
  assert.deepEqual(seen(scenario), expected(scenario));
  checkOracle(fake, { tokensRevoked: true });
});

test("a visible review is kept when there is nothing left to post", async (t) => {
  const scenario = await startScenario(t);
  const { fake, journal } = scenario;
  // The writes are intended, attempted, created. The fourth would record the submit.
  journal.crash = { atWrite: 4, isStored: false };
  await assert.rejects(scenario.publish());
  assert.deepEqual(seen(scenario).reviews, [{ state: "COMMENTED", isHead: true }]);
  assert.equal(journal.intents.get("review")?.state, "created");
  journal.crash = null;
  scenario.publication = (head) => publicationOf(head, []);
  const outcome = await scenario.publish();
  assert.ok(outcome.kind === "published" && outcome.reviewId !== null);
  assert.deepEqual(seen(scenario).reviews, [{ state: "COMMENTED", isHead: true }]);
  checkOracle(fake);
});

test("a deleted summary or check that is still listed isn't requested again without a pause", async (t) => {
  const scenario = await startScenario(t);
  const { fake } = scenario;
  await scenario.publish();
  const fault = { kind: "status", status: 404, body: { message: "Not Found" } } as const;
  for (const operation of ["issues/update-comment", "checks/update"]) {
    fake.faults.add({ operation, fault });
    const outcome = await scenario.publish({ journal: createMemoryJournal() });
    assert.ok(outcome.kind === "wait");
    assert.ok(outcome.untilMs >= fake.clock.now() + 10_000);
  }
  assert.deepEqual(fake.faults.unplayed(), []);
});

test("two processes that publish the same head at the same time publish it once", async (t) => {
  const scenario = await startScenario(t);
  const { fake, repository, pullRequest } = scenario;
  const publishAs = async () => {
    const session = createForge(fake).openSession(repositoryRefOf(repository));
    const current = await session.pullRequests.read(pullRequest.number);
    const publication = publicationOf(current.head, [commentOn(1)]);
    const journal = createMemoryJournal();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const request = {
        pullRequest: current,
        request: "",
        compose: () => publication,
        journal,
        guard: async () => "go" as const,
        mayBeDraft: false,
        threadsToResolve: [],
      };
      const outcome = await session.reviews.publish(request).catch((error: unknown) => error);
      if (
        typeof outcome === "object" &&
        outcome !== null &&
        "kind" in outcome &&
        outcome.kind === "published"
      )
        break;
      fake.clock.advance(60_000);
    }
    await session.close();
  };
  await Promise.all([publishAs(), publishAs()]);
  const submitted = fake.reviewsOf(pullRequest).filter(({ state }) => state !== "PENDING");
  assert.equal(submitted.length, 1);
  const pending = fake.reviewsOf(pullRequest).filter(({ state }) => state === "PENDING");
  assert.deepEqual(pending, []);
});

test("a worker that resumes after another one has published deletes its own pending review", async (t) => {
  const scenario = await startScenario(t);
  const { fake, pullRequest } = scenario;
  let isFirst = true;
  fake.onRequest("pulls/create-review", async () => {
    if (!isFirst) return;
    isFirst = false;
    // While the first worker's request is in flight, another worker does everything.
    await scenario.publish({ journal: createMemoryJournal() }, createForge(fake));
  });
  const outcome = await scenario.publish({ journal: createMemoryJournal() });
  assert.equal(outcome.kind, "published");
  assert.deepEqual(seen(scenario), expected(scenario));
  assert.equal(fake.reviewsOf(pullRequest).length, 1);
});
