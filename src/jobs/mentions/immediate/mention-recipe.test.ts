import assert from "node:assert/strict";
import { test } from "node:test";
import { engineNamed, withStore } from "../../../../test/support/queue-contract/engines.ts";
import { KodiaiError } from "../../../base/errors.ts";
import { createLog } from "../../../base/log.ts";
import type {
  AnswerRequest,
  Comments,
  ForgeSession,
  Issue,
  People,
  PullRequest,
  PullRequests,
  Reaction,
  Reviews,
} from "../../../forge/forge.ts";
import { createSqliteQueue } from "../../../queue/sqlite/sqlite-queue.ts";
import { type Job, QUEUE_DEFAULTS } from "../../../queue/queue.ts";
import type { Database } from "../../../store/database.ts";
import { writeLedger } from "../../../store/repositories/findings.ts";
import { setPause } from "../../../store/repositories/pauses.ts";
import type { JobContext } from "../../recipe.ts";
import { planReview } from "../../plan-job.ts";
import { parseReviewJob } from "../../review-job.ts";
import type { MentionCommand } from "../command.ts";
import { type MentionJob, planConversation, planMention } from "../mention-job.ts";
import { createMentionRecipe } from "./mention-recipe.ts";

const REF = {
  host: "github.com",
  installationId: 7,
  forgeId: 42,
  repositoryId: 42,
  owner: "octo",
  name: "cat",
};

// A test double: commands read only these fields.
const PULL_REQUEST = {
  repositoryRef: REF,
  number: 5,
  isOpen: true,
  isLocked: false,
  isPrivate: false,
  author: { login: "ada", isBot: false },
  baseRef: "main",
  head: "a".repeat(40),
  updatedAt: 1,
  url: "https://example.org/octo/cat/pull/5",
} as PullRequest;

const ISSUE = { repositoryRef: REF, number: 5, url: "https://example.org/octo/cat/issues/5" } as Issue;

type World = {
  readonly config: string;
  readonly isWriter: boolean;
  readonly hasModel: boolean;
  readonly pullRequest: PullRequest;
  /** Methods of the host that behave otherwise. */
  readonly session: Partial<PullRequests & People & Comments & Reviews>;
};

const USUAL: World = { config: "", isWriter: true, hasModel: false, pullRequest: PULL_REQUEST, session: {} };

function mentionOf(command: MentionCommand, given: Partial<MentionJob> = {}): MentionJob {
  return {
    repositoryRef: REF,
    place: { number: 5, target: { kind: "issue-comment", id: 99 }, threadRoot: null },
    isPullRequest: true,
    requester: { login: "ben", isBot: false, isInsider: false },
    requesterId: 1,
    command,
    requestId: "c99",
    writtenAt: 1,
    ...given,
  };
}

/** A recipe with a real database and a host that records what is written. */
function sceneOn(database: Database, given: Partial<World> = {}) {
  const { config, isWriter, hasModel, pullRequest, session: overrides } = { ...USUAL, ...given };
  const answers: string[] = [];
  const reactions: Reaction[] = [];
  const resolved: string[] = [];
  const session = {
    pullRequests: { read: overrides.read ?? (async () => pullRequest) },
    issues: { read: async () => ISSUE },
    mention: async () => "@kodiai",
    contents: {
      readRepository: async () => ({
        defaultBranch: "main",
        isPrivate: false,
        url: "https://example.org/octo/cat",
      }),
      readFile: async () => (config === "" ? null : Buffer.from(config)),
      readOwnerFile: async () => ({ kind: "absent", name: "octo/.github:.github/kodiai.yml" }),
    },
    people: { hasWriteAccess: overrides.hasWriteAccess ?? (async () => isWriter) },
    comments: {
      react:
        overrides.react ?? (async (_target: unknown, reaction: Reaction) => void reactions.push(reaction)),
      answer:
        overrides.answer ??
        (async ({ body, journal }: AnswerRequest) => {
          if ((await journal.read("answer"))?.state === "published") return;
          answers.push(body);
          const entry = { bodyHash: "", marker: "", externalId: 1, attemptedAt: null };
          await journal.write("answer", { ...entry, state: "published" });
        }),
      readDiscussion: async () => ({ findingId: "one", lines: null, comments: [] }),
    },
    reviews: {
      readThreads: overrides.readThreads ?? (async () => []),
      resolveThreads:
        overrides.resolveThreads ??
        (async (_number: number, ids: readonly string[]) => resolved.push(...ids)),
    },
    missingPermission: { push: "It can't push.", resolve: "It can't resolve." },
    limitWrites: () => {},
    close: async () => {},
  };
  const now = (): number => 1_000;
  const queue = createSqliteQueue(database, QUEUE_DEFAULTS, now);
  const recipe = createMentionRecipe({
    forge: { openSession: () => session as unknown as ForgeSession },
    store: { queue, database, now },
    models: {
      load: async () => ({ models: hasModel ? [{} as never] : [], noModel: null, problems: [] }),
    },
  });
  const jobOf = (mention: MentionJob, createdAt = 1_000): Job =>
    ({ ...planMention(mention), id: 1, createdAt }) as unknown as Job;
  const run = (mention: MentionJob, createdAt?: number) =>
    recipe.run({
      job: jobOf(mention, createdAt),
      signal: new AbortController().signal,
      log: createLog({ level: "error", format: "text", write: () => {}, now }),
      step: async () => {},
      lease: async () => "held",
      keepStatistics: () => {},
      countModelUse: () => {},
    } satisfies JobContext);
  const queued = async () => {
    const jobs = await queue.list({ states: null, limit: 100 });
    return jobs.map(({ kind }) => kind).toSorted();
  };
  const outcome = async () => {
    const [row] = await database.query<{ outcome: string | null }>("select outcome from mentions");
    return row?.outcome ?? null;
  };
  return { recipe, run, jobOf, answers, reactions, resolved, queue, queued, outcome };
}

function testMention(name: string, work: (database: Database) => Promise<void>): void {
  test(name, () => withStore(engineNamed("sqlite"), ({ database }) => work(database)));
}

async function addFinding(database: Database, state = "open"): Promise<void> {
  await writeLedger(
    [
      {
        identity: "one",
        number: 1,
        path: "a.ts",
        side: "new",
        startLine: 1,
        endLine: 1,
        others: "[]",
        severity: "major",
        category: "correctness",
        title: "Title",
        words: "[]",
        rule: null,
        source: "model",
        state,
        placement: "inline",
      },
    ],
    { runId: 1, repositoryId: 42, pullRequest: 5, head: "aaa", at: 1 },
    database,
  );
}

const gone = new KodiaiError("not-found", "gone", { hint: "" });
const offline = new KodiaiError("network", "no answer", { hint: "", retryable: true });
const locked = new KodiaiError("forbidden", "locked", { hint: "" });

testMention("a deleted comment and a missing pull request end quietly", async (database) => {
  const deleted = sceneOn(database, { session: { react: () => Promise.reject(gone) } });
  assert.deepEqual(await deleted.run(mentionOf({ kind: "help" })), {
    state: "skipped",
    reason: "skipped:comment-deleted",
  });
  assert.deepEqual([deleted.answers, await deleted.outcome()], [[], "skipped:comment-deleted"]);
  const missing = sceneOn(database, { session: { read: () => Promise.reject(gone) } });
  const { state } = await missing.run(mentionOf({ kind: "help" }, { requestId: "c100" }));
  assert.deepEqual([state, missing.reactions], ["skipped", []]);
});

testMention("a failed look-up of access is retried, and never a yes", async (database) => {
  const scene = sceneOn(database, { session: { hasWriteAccess: () => Promise.reject(offline) } });
  await assert.rejects(scene.run(mentionOf({ kind: "pause" })), offline);
  assert.deepEqual([scene.answers, await scene.outcome()], [[], null]);
  assert.deepEqual(await database.query("select login from pauses"), []);
});

testMention("a locked conversation is recorded, and what the command did stays", async (database) => {
  const scene = sceneOn(database, { session: { answer: () => Promise.reject(locked) } });
  const outcome = await scene.run(mentionOf({ kind: "pause" }));
  assert.equal(outcome.state, "done");
  assert.equal(await scene.outcome(), "failed:unanswered");
  assert.equal((await database.query("select login from pauses")).length, 1);
  assert.deepEqual(scene.reactions, ["eyes", "confused"]);
});

testMention("an answer that was interrupted is posted once, in the same words", async (database) => {
  await setPause({ repositoryId: 42, pullRequest: 5 }, { login: "ada", at: 1 }, database);
  const failing = sceneOn(database, { session: { answer: () => Promise.reject(offline) } });
  await assert.rejects(failing.run(mentionOf({ kind: "pause" })), offline);
  await database.query("delete from pauses");
  const scene = sceneOn(database);
  for (let times = 0; times < 3; times++) await scene.run(mentionOf({ kind: "pause" }));
  assert.equal(scene.answers.length, 1);
  assert.match(scene.answers.join(), /^`ada` has already paused/);
  assert.deepEqual(await database.query("select login from pauses"), []);
});

testMention(
  "giving up says what to do once, and nothing about a mention that another job has",
  async (database) => {
    const why = { kind: "failed", reason: "failed:poison", message: "It crashed." } as const;
    const scene = sceneOn(database, { hasModel: true });
    const failed = mentionOf({ kind: "help" });
    for (let times = 0; times < 2; times++) await scene.recipe.giveUp(scene.jobOf(failed), why);
    assert.equal(scene.answers.length, 1);
    assert.match(scene.answers.join(), /`failed:poison`.*Comment again/);
    assert.deepEqual([scene.reactions, await scene.outcome()], [["confused"], "failed:poison"]);
    const handedOver = mentionOf({ kind: "ask", question: "Why?" }, { requestId: "c100" });
    await scene.run(handedOver);
    await scene.recipe.giveUp(scene.jobOf(handedOver), why);
    assert.equal(scene.answers.length, 1);
    assert.deepEqual(await scene.queued(), ["converse"]);
  },
);

testMention("each command that takes time becomes one job", async (database) => {
  const config = "write:\n  enabled: true\n";
  const scene = sceneOn(database, { hasModel: true, config });
  const thread = { number: 5, target: { kind: "review-comment", id: 99 } as const, threadRoot: 3 };
  await addFinding(database);
  const commands: readonly MentionCommand[] = [
    { kind: "review", isFull: true },
    { kind: "ask", question: "Why?" },
    { kind: "plan", instruction: "x" },
    { kind: "summary" },
    { kind: "explain", finding: 1, question: "" },
    { kind: "fix", findings: "all", instruction: "", isHere: false },
    { kind: "change", instruction: "x", isHere: false },
  ];
  for (const [index, command] of commands.entries())
    for (let times = 0; times < 2; times++)
      await scene.run(mentionOf(command, { place: thread, requestId: `c${index}` }));
  assert.deepEqual(await scene.queued(), [
    ...Array.from({ length: 6 }, () => "converse"),
    "review-pull-request",
  ]);
  assert.deepEqual(scene.answers, []);
  const jobs = await scene.queue.list({ states: null, limit: 100 });
  const review = parseReviewJob(jobs.find(({ kind }) => kind === "review-pull-request")?.payload ?? "");
  assert.deepEqual(
    [
      review.trigger,
      review.request,
      review.isFull,
      review.reactTo,
      review.threadRoot,
      review.requester?.login,
    ],
    ["comment", "c0", true, thread.target, 3, "ben"],
  );
});

testMention("every refusal names what is needed", async (database) => {
  const closed = { ...PULL_REQUEST, isOpen: false };
  const reason = "x";
  const refusals: readonly [MentionCommand, Partial<World>, Partial<MentionJob>, RegExp, string][] = [
    [{ kind: "pause" }, { isWriter: false }, {}, /write access/, "refused:no-write-access"],
    [
      { kind: "help" },
      { isWriter: false, config: "mentions:\n  allowEveryone: false\n" },
      {},
      /`mentions.allowEveryone: false`/,
      "refused:no-write-access",
    ],
    [{ kind: "review", isFull: false }, { pullRequest: closed }, {}, /closed/, "refused:closed"],
    [{ kind: "pause" }, {}, { isPullRequest: false }, /pull requests only/, "refused:not-a-pull-request"],
    [{ kind: "ask", question: "Why?" }, {}, {}, /needs a model, and none is set up here/, "refused:no-model"],
    [
      { kind: "change", instruction: "x", isHere: false },
      {},
      {},
      /`write.enabled: true`/,
      "refused:write-off",
    ],
    [{ kind: "dismiss", finding: null, reason }, {}, {}, /^Which finding\?/, "refused:no-finding"],
    [{ kind: "waive", finding: 3, reason }, {}, {}, /no finding 3/, "refused:unknown-finding"],
    [
      { kind: "learn", text: "x" },
      { config: "memory:\n  enabled: false\n" },
      {},
      /`memory.enabled`/,
      "refused:memory-off",
    ],
    [{ kind: "learn", text: "x".repeat(501) }, {}, {}, /at most 500 characters/, "refused:too-long"],
    [
      { kind: "unknown", word: "<b>@x" },
      {},
      {},
      /^Kodiai doesn't know this command/,
      "refused:unknown-command",
    ],
  ];
  for (const [index, [command, world, given, words, outcome]] of refusals.entries()) {
    const scene = sceneOn(database, world);
    const requestId = `c${index}`;
    assert.deepEqual(await scene.run(mentionOf(command, { ...given, requestId })), {
      state: "done",
      reason: outcome,
    });
    assert.match(scene.answers.join("\n"), words);
    assert.deepEqual(scene.reactions, ["eyes", "confused"], command.kind);
    assert.deepEqual(await scene.queued(), []);
  }
});

testMention(
  "a verdict is written once, bounded and masked; a settled finding needs none",
  async (database) => {
    await addFinding(database);
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const scene = sceneOn(database);
    const inThread = { number: 5, target: { kind: "review-comment", id: 99 } as const, threadRoot: 3 };
    const command = { kind: "dismiss", finding: null, reason: `${secret} ${"long ".repeat(200)}` } as const;
    for (let times = 0; times < 2; times++) await scene.run(mentionOf(command, { place: inThread }));
    const rows = await database.query("select state, reason, actor from finding_events");
    assert.equal(rows.length, 1);
    const [{ reason }] = rows as [{ reason: string }];
    assert.ok(!reason.includes(secret) && reason.length <= 502, reason);
    assert.equal(scene.answers.length, 1);
    assert.deepEqual((await scene.queued()).toSorted(), ["learn", "settle"]);
    await addFinding(database, "verified");
    await scene.run(mentionOf({ ...command, finding: 1 }, { requestId: "c100" }));
    assert.match(scene.answers.at(-1) ?? "", /already settled/);
    assert.equal((await database.query("select state from finding_events")).length, 1);
  },
);

testMention("resolve takes up to 50 open threads, and says if it may not", async (database) => {
  const thread = (index: number) => ({
    id: `t${index}`,
    findingId: `f${index}`,
    isResolved: index % 2 === 1,
  });
  const readThreads = async () => Array.from({ length: 120 }, (_, index) => thread(index)) as never;
  const scene = sceneOn(database, {
    session: { readThreads, resolveThreads: async (_number, ids) => ids.length },
  });
  await scene.run(mentionOf({ kind: "resolve", finding: null }));
  assert.deepEqual(scene.answers, [
    "50 threads resolved. 10 threads stayed open; `@kodiai resolve` tries again.",
  ]);
  const denied = sceneOn(database, {
    session: { readThreads, resolveThreads: () => Promise.reject(locked) },
  });
  await denied.run(mentionOf({ kind: "resolve", finding: null }, { requestId: "c100" }));
  assert.deepEqual(denied.answers, ["Kodiai may not resolve threads here: It can't resolve."]);
});

testMention(
  "a command waits for all jobs of those before it in its text, at most an hour",
  async (database) => {
    const { run, queue, answers } = sceneOn(database);
    const review = planReview({
      repositoryRef: REF,
      number: 5,
      head: "",
      isBot: false,
      trigger: "comment",
      requestId: "c99",
      isFull: false,
      reactTo: null,
      requester: null,
    }).request;
    const asked = mentionOf({ kind: "help" }, { requestId: "c99/3", after: ["c99/2", "c99"] });
    const first = mentionOf({ kind: "ask", question: "Why?" });
    const second = mentionOf({ kind: "ask", question: "And?" }, { requestId: "c99/2", after: ["c99"] });
    // Whatever the commands before have become: a review, a job that acknowledges, one that answers.
    for (const request of [review, planMention(second), planConversation(first, true)]) {
      const [added] = await database.transaction((sql) => queue.enqueue([request], sql));
      assert.deepEqual(await run(asked), {
        state: "wait",
        untilMs: 1_500,
        reason: "waiting:earlier-command",
      });
      assert.deepEqual(answers, []);
      await queue.cancel(added?.jobId ?? 0, "cancelled");
    }
    await database.transaction((sql) => queue.enqueue([planConversation(second, true)], sql));
    // It has waited for a minute, and then for more than an hour.
    assert.deepEqual(await run(asked, 1_000 - 60_000), {
      state: "wait",
      untilMs: 11_000,
      reason: "waiting:earlier-command",
    });
    assert.deepEqual(await run(asked, 1_000 - 3_600_001), { state: "done", reason: "answered:help" });
    assert.equal(answers.length, 1);
  },
);
