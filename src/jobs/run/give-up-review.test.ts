import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type {
  CheckNotice,
  Checks,
  Comments,
  CommentTarget,
  ForgeSession,
  PullRequest,
} from "../../forge/forge.ts";
import { type Job, QUEUE_DEFAULTS } from "../../queue/queue.ts";
import { createSqliteQueue } from "../../queue/sqlite/sqlite-queue.ts";
import { createPublicationJournal } from "../../store/repositories/publications.ts";
import { claimRun, readRunsOfJob } from "../../store/repositories/runs.ts";
import { openStore } from "../../store/store.ts";
import type { GivingUp } from "../recipe.ts";
import { planReview } from "../plan-job.ts";
import type { ReviewTrigger } from "../review-job.ts";
import { giveUpReview } from "./give-up-review.ts";

const REPOSITORY = {
  host: "github.com",
  installationId: 7,
  forgeId: 42,
  repositoryId: 42,
  owner: "octo",
  name: "cat",
};
const [OLD, NOW] = ["a".repeat(40), "b".repeat(40)];
const COMMENT: CommentTarget = { kind: "issue-comment", id: 99 };
const FAILED: GivingUp = { kind: "failed", reason: "failed:network: gone", message: "It is gone." };

async function bench(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-give-up-"));
  const store = await openStore(`sqlite:${join(folder, "kodiai.db")}`);
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { database } = store;
  const queue = createSqliteQueue(database, QUEUE_DEFAULTS, () => 0);
  const notices = new Map<string, CheckNotice>();
  const reactions: string[] = [];
  const conclude: Checks["conclude"] = async ({ head }, notice) => void notices.set(head, notice);
  const react: Comments["react"] = async (_target, reaction) => void reactions.push(reaction);
  const session = {
    // The code under test reads only these fields.
    pullRequests: { read: async () => ({ repositoryRef: REPOSITORY, number: 5, head: NOW }) as PullRequest },
    checks: { conclude },
    comments: { react },
    mention: async () => "@kodiai",
    close: async () => {},
  };
  // Calling any other method throws.
  const forge = { openSession: () => session as unknown as ForgeSession };
  const add = async (trigger: ReviewTrigger, requestId: string, reactTo: CommentTarget | null = null) => {
    const plan = {
      repositoryRef: REPOSITORY,
      number: 5,
      head: "",
      isBot: false,
      trigger,
      requestId,
      isFull: false,
      reactTo,
      requester: null,
    };
    const [added] = await database.transaction((sql) => queue.enqueue([planReview(plan).request], sql));
    return added?.jobId ?? 0;
  };
  const startRun = (jobId: number, head: string) =>
    claimRun(
      {
        jobId,
        installationId: 7,
        repositoryId: 42,
        repository: "octo/cat",
        pullRequest: 5,
        base: "",
        head,
        triggers: "",
        startedAt: 0,
      },
      database,
    );
  const noteCheck = (head: string, state: "created" | "published") =>
    createPublicationJournal(database, {
      repositoryId: 42,
      pullRequest: 5,
      head,
      request: "",
      now: () => 0,
    }).write("check", { state, bodyHash: "", marker: "", externalId: 1, attemptedAt: null });
  const giveUp = async (jobId: number, why: GivingUp) => {
    const job: Job | null = await queue.read(jobId);
    assert.ok(job !== null);
    await giveUpReview(job, why, { forge, store: { queue, database, now: () => 1 } });
  };
  const statuses = async (jobId: number) =>
    (await readRunsOfJob(jobId, database)).map(({ status }) => status);
  return { notices, reactions, add, startRun, noteCheck, giveUp, statuses };
}

test("a failure is shown on the newest commit, even when work started on an older one", async (t) => {
  const { notices, reactions, add, startRun, noteCheck, giveUp, statuses } = await bench(t);
  const requested = await add("comment", "c1", COMMENT);
  await startRun(requested, OLD);
  await noteCheck(OLD, "created");
  const job = await add("ready-for-review", "r1");
  await giveUp(job, FAILED);
  assert.deepEqual([...notices.keys()], [OLD, NOW]);
  assert.equal(notices.get(NOW)?.title, "The review failed");
  assert.deepEqual(await statuses(requested), ["failed"]);
  assert.deepEqual(
    reactions,
    ["confused"],
    "the comment that requested the review is answered even though a newer job failed",
  );
});

test("a check that an earlier review concluded stays, unless it is re-run", async (t) => {
  for (const [trigger, heads] of [
    ["opened", []],
    ["comment", []],
    ["check-rerequested", [NOW]],
  ] as const) {
    const { notices, add, noteCheck, giveUp } = await bench(t);
    await noteCheck(NOW, "published");
    await giveUp(await add(trigger, "x"), FAILED);
    assert.deepEqual([...notices.keys()], heads, trigger);
  }
});

test("a replaced job concludes the check it started, creates none, and leaves other jobs' checks alone", async (t) => {
  const { notices, reactions, add, startRun, noteCheck, giveUp } = await bench(t);
  const job = await add("comment", "c1", COMMENT);
  await startRun(job, OLD);
  await noteCheck(NOW, "created");
  await giveUp(job, {
    kind: "superseded",
    reason: "superseded-by:2",
    message: "A newer review replaced it.",
  });
  assert.deepEqual([...notices.keys()], []);
  await noteCheck(OLD, "created");
  await giveUp(job, {
    kind: "superseded",
    reason: "superseded-by:2",
    message: "A newer review replaced it.",
  });
  assert.deepEqual(
    [...notices],
    [
      [
        OLD,
        {
          conclusion: "cancelled",
          title: "A newer review replaced it.",
          summary: "A newer review replaced it.",
        },
      ],
    ],
  );
  assert.deepEqual(reactions, []);
});

test("untrusted text in an error is neutralised before it is published as Markdown", async (t) => {
  const { notices, add, giveUp } = await bench(t);
  const message = "no branch ![x](https://evil.example/p.png) <img src=x> @octo/team #12";
  await giveUp(await add("opened", ""), { kind: "failed", reason: "failed:git: `@ada`", message });
  const summary = notices.get(NOW)?.summary ?? "";
  assert.doesNotMatch(summary, /!\[x\]\(|<img|@octo|(?<!`.*)#12/);
  assert.match(summary, /``/);
});
