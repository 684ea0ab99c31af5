/** Publishing with a given token: missing permissions, an account that others share, crashes, and two processes at once. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createLog } from "../src/base/log.ts";
import type { Forge, WrittenParts } from "../src/forge/forge.ts";
import { createTokenForge } from "../src/forge/github/token-forge.ts";
import type { PullRequestPublication } from "../src/review/publication/pull-request-publication.ts";
import type { FakeGithub } from "../fake-github/fake-github.ts";
import type { Permissions } from "../fake-github/world.ts";
import { isAll } from "./support/extent.ts";
import {
  commentOn,
  CRASH,
  createMemoryJournal,
  publicationOf,
  type Scenario,
  startScenario,
} from "./support/publish-scenario.ts";
import { ACTIONS_APP, READ_ONLY, WORKFLOW_PERMISSIONS } from "./support/token-fixtures.ts";

/** A process of its own. Waiting takes no time, unless `sleep` says otherwise. */
function tokenForge(
  fake: FakeGithub,
  token: string,
  sleep?: () => Promise<void>,
  markerSecret: string | null = null,
): Promise<Forge> {
  const now = (): number => fake.clock.now();
  return createTokenForge({
    token,
    apiUrl: fake.url,
    userAgent: "kodiai-test",
    markerSecret,
    now,
    sleep: async (delayMs) => {
      fake.clock.advance(delayMs);
      await sleep?.();
    },
    log: createLog({ level: "error", format: "json", write: () => {}, now }),
  });
}

/** Reviews, comments on lines, summaries and checks by anyone. */
function countParts({ fake, pullRequest }: Scenario): readonly number[] {
  const reviews = fake.reviewsOf(pullRequest);
  return [
    reviews.filter(({ state }) => state !== "PENDING").length,
    fake.reviewCommentsOf(pullRequest).length,
    fake.commentsOf(pullRequest).length,
    fake.checksOf(pullRequest).length,
  ];
}

function summaryOf({ fake, pullRequest }: Scenario): string {
  return fake.commentsOf(pullRequest)[0]?.body ?? "";
}

function check({ fake }: Scenario): void {
  assert.deepEqual(fake.violations, []);
  assert.deepEqual(
    fake.world.reviews.filter(({ state, body }) => state === "PENDING" && body.includes("kodiai:")),
    [],
    "no lock and no pending review is left",
  );
}

for (const [what, fork, markerSecret, isBelieved] of [
  ["of the repository, without a secret", undefined, null, true],
  ["of a fork, without a secret", "grace", null, false],
  ["of a fork, with a secret", "grace", "a secret for markers", true],
] as const)
  test(`a state on a branch ${what}, is ${isBelieved ? "" : "not "}believed`, async (t) => {
    const scenario = await startScenario(t, { ...ACTIONS_APP, ...(fork !== undefined && { fork }) });
    const { fake, pullRequest } = scenario;
    const forge = await tokenForge(fake, fake.appToken(WORKFLOW_PERMISSIONS), undefined, markerSecret);
    const state = "first";
    const compose = (): PullRequestPublication => ({
      ...publicationOf(pullRequest.head, [commentOn(1)]),
      state,
    });
    await scenario.publish({ compose }, forge);
    const read = await scenario.inSession((session) => session.reviews.readState(pullRequest.number), forge);
    assert.equal(read, isBelieved ? state : null);
  });

const W = "written";
const R = "read-only-token";

const PERMISSION_SETS: readonly (readonly [string, Permissions, WrittenParts, readonly number[]])[] = [
  ["everything", WORKFLOW_PERMISSIONS, { review: W, summary: W, check: W }, [1, 2, 1, 1]],
  [
    "no checks",
    { contents: "read", pull_requests: "write" },
    { review: W, summary: W, check: R },
    [1, 2, 1, 0],
  ],
  ["nothing", READ_ONLY, { review: R, summary: R, check: R }, [0, 0, 0, 0]],
  [
    "comments without reviews",
    { contents: "read", pull_requests: "read", issues: "write" },
    { review: R, summary: W, check: R },
    [0, 0, 1, 0],
  ],
  [
    "checks alone",
    { contents: "read", pull_requests: "read", checks: "write" },
    { review: R, summary: R, check: W },
    [0, 0, 0, 1],
  ],
];

for (const [title, permissions, written, parts] of PERMISSION_SETS) {
  test(`a token that may write ${title} publishes that, and the outcome names the rest`, async (t) => {
    const scenario = await startScenario(t, ACTIONS_APP);
    const forge = await tokenForge(scenario.fake, scenario.fake.appToken(permissions));
    const outcome = await scenario.publish({}, forge);
    assert.ok(outcome.kind === "published");
    assert.deepEqual(outcome.written, written);
    assert.deepEqual(countParts(scenario), parts);
    // The summary shows the findings that the review can't show.
    if (written.review === R && written.summary === W)
      assert.match(summaryOf(scenario), /Moved: finding-1 finding-5/);
    check(scenario);
  });
}

test("a person's draft review stays, and the summary shows what has no comment", async (t) => {
  const scenario = await startScenario(t);
  const { fake, repository, pullRequest } = scenario;
  const token = fake.personalToken("ada");
  const draft = await fetch(
    `${fake.url}/repos/${repository.owner.login}/${repository.name}/pulls/${pullRequest.number}/reviews`,
    {
      method: "POST",
      headers: { authorization: `token ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ body: "My own thoughts, not finished" }),
    },
  );
  assert.equal(draft.status, 200);
  const outcome = await scenario.publish({}, await tokenForge(fake, token));
  assert.ok(outcome.kind === "published");
  assert.deepEqual(outcome.written, { review: "not-needed", summary: W, check: R });
  assert.match(summaryOf(scenario), /Moved: finding-1 finding-5/);
  assert.deepEqual(
    fake.world.reviews.map(({ state, body }) => [state, body]),
    [["PENDING", "My own thoughts, not finished"]],
  );
  check(scenario);
});

test("a process that is killed at any write leaves what the next one completes, without a common journal", async (t) => {
  let crashes = 0;
  for (let atWrite = 1; ; atWrite += 1) {
    const scenario = await startScenario(t, ACTIONS_APP);
    const { fake } = scenario;
    const token = fake.appToken(WORKFLOW_PERMISSIONS);
    const killed = Object.assign(createMemoryJournal(), { crash: { atWrite, isStored: false } });
    const isDone = await scenario.publish({ journal: killed }, await tokenForge(fake, token)).then(
      () => true,
      (error: unknown) => {
        assert.equal(error, CRASH);
        return false;
      },
    );
    if (!isDone) {
      crashes += 1;
      await scenario.publish({ journal: createMemoryJournal() }, await tokenForge(fake, token));
    }
    assert.deepEqual(countParts(scenario), [1, 2, 1, 1], `killed at write ${atWrite}`);
    check(scenario);
    if (isDone) break;
  }
  assert.ok(crashes >= 6, `${crashes} crashes`);
});

/** The requests at which the first process is overtaken. */
const STEPS = [
  "pulls/list-reviews",
  "pulls/create-review",
  "pulls/submit-review",
  "pulls/delete-pending-review",
  "issues/list-comments",
  "issues/create-comment",
  "issues/update-comment",
  "checks/list-for-ref",
  "checks/create",
];

type Race = {
  readonly scenario: Scenario;
  /** False if the first process has fewer steps. */
  readonly wasHeld: boolean;
};

/** Lets a second process publish while the first is held at its n-th step. The process that waits for the other continues when it moves. */
async function race(t: TestContext, heldAt: number, isAlike: boolean): Promise<Race> {
  const scenario = await startScenario(t, ACTIONS_APP);
  const { fake, pullRequest } = scenario;
  const token = fake.appToken(WORKFLOW_PERMISSIONS);
  let steps = 0;
  let release = (): void => {};
  const waiting: (() => void)[] = [];
  const moved = (): Promise<void> => new Promise((resolve) => void waiting.push(resolve));
  const wakeAll = (): void => {
    for (const wake of waiting.splice(0)) wake();
  };
  const other = await tokenForge(fake, token, async () => {
    release();
    await moved();
  });
  const others: Promise<unknown>[] = [];
  const hold = async (): Promise<void> => {
    wakeAll();
    steps += 1;
    if (steps !== heldAt) return;
    const held = new Promise<void>((resolve) => void (release = resolve));
    const { head } = pullRequest;
    const more = publicationOf(head, [commentOn(1), commentOn(7)]);
    const compose = isAlike ? {} : { compose: () => more };
    const second = scenario.publish({ journal: createMemoryJournal(), ...compose }, other);
    others.push(
      second.finally(() => {
        release();
        wakeAll();
      }),
    );
    await held;
  };
  for (const step of STEPS) fake.onRequest(step, hold);
  const first = await tokenForge(fake, token, moved);
  const journal = createMemoryJournal();
  let outcome = await scenario.publish({ journal }, first).finally(wakeAll);
  await Promise.all(others);
  // As the worker: the review that it prepared was withdrawn by the other.
  if (outcome.kind === "wait") outcome = await scenario.publish({ journal }, first);
  assert.equal(outcome.kind, "published", `held at ${heldAt}`);
  return { scenario, wasHeld: others.length > 0 };
}

for (const isAlike of isAll ? [true, false] : [false]) {
  const title = isAlike ? "with the same findings" : "with other findings";
  test(`two processes at once ${title} publish one review, one summary and one check`, async (t) => {
    let held = 0;
    for (;;) {
      const { scenario, wasHeld } = await race(t, held + 1, isAlike);
      if (!wasHeld) break;
      held += 1;
      const [reviews, , summaries, checks] = countParts(scenario);
      assert.deepEqual([reviews, summaries, checks], [1, 1, 1], `overtaken at step ${held}`);
      check(scenario);
    }
    assert.ok(held >= 8, `${held} interleavings`);
  });
}
