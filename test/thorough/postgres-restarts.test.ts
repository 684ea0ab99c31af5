/**
 * PostgreSQL is restarted again and again while webhooks come in and reviews are under way: nothing that was acknowledged
 * is lost, and nothing is said twice. KODIAI_TEST_LONG=1 does it for two minutes at 50 webhooks a second.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test, type TestContext } from "node:test";
import { openPostgresQueue } from "../../src/queue/postgres/postgres-queue.ts";
import type { Job } from "../../src/queue/queue.ts";
import { eventually } from "../support/eventually.ts";
import { AFTER, BEFORE, createScenario, ONE_REVIEW, type Scenario } from "../support/app/scenario.ts";
import type { FakeGithub } from "../../fake-github/fake-github.ts";
import type { Webhook } from "../../fake-github/payloads.ts";
import type { PullRequest } from "../../fake-github/world.ts";
import { type Cluster, startCluster } from "../support/postgres/cluster.ts";
import type { Engine } from "../support/queue-contract/engines.ts";
import { isLong } from "../support/extent.ts";

const PLAN = isLong
  ? { ms: 120_000, perSecond: 50, restartEveryMs: 20_000, installations: 12, pullRequests: 60 }
  : { ms: 24_000, perSecond: 15, restartEveryMs: 6_000, installations: 4, pullRequests: 12 };

/** How long the server is away after a crash: some seconds are waited for, and more are answered with a refusal. */
const AWAY_MS = [2_000, 14_000];

/** A sender asks again soon, where GitHub leaves it to the reconciler: what counts here is the same delivery, repeated. */
const SEND_AGAIN_MS = 500;

/** Longer than in other tests: no worker of a busy machine is to be taken for dead. */
const LEASE_SECONDS = "10";

const HOUR_MS = 3_600_000;

const CONFIG = "review:\n  debounceSeconds: 0\n";

const PUSHED = { "src/more.ts": "debugger;\n" };

/** A cluster of which tests may do what they like, as the engine of a scenario. */
function engineOn(cluster: Cluster): Engine {
  return {
    name: "postgres",
    dueDelayMs: 200,
    createDatabase: async () => ({ url: cluster.url("postgres"), remove: () => Promise.resolve() }),
    openQueue: ({ database, listen }, options, now) =>
      openPostgresQueue({ database, options, now, listen, onError: () => {} }),
  };
}

async function openPullRequests(fake: FakeGithub): Promise<readonly PullRequest[]> {
  const repositories = [];
  for (let index = 0; index < PLAN.installations; index++) {
    const installation = fake.createInstallation(`org-${index}`);
    // Found by events alone, and by no sweep: the app seems to have come after them.
    Object.assign(installation, { createdAtMs: fake.clock.now() + HOUR_MS });
    const files = { ...BEFORE, ".kodiai.yml": CONFIG };
    repositories.push(await fake.createRepository({ owner: `org-${index}`, files, installation }));
  }
  const opened = [];
  for (let index = 0; index < PLAN.pullRequests; index++) {
    const repository = repositories[index % repositories.length];
    assert.ok(repository !== undefined);
    // The title makes each a commit of its own.
    const request = { files: AFTER, branch: `branch-${index}`, title: `Change ${index}` };
    opened.push(await fake.openPullRequest(repository, request));
  }
  return opened;
}

type Sent = {
  readonly guid: string;
  /** Of the request that was acknowledged, and from the first try on. */
  readonly answerMs: number;
  readonly totalMs: number;
  readonly refusals: readonly number[];
};

/** Sends until it is acknowledged, always as the same delivery. */
async function sendUntilAcknowledged(fake: FakeGithub, webhook: Webhook, url: string): Promise<Sent> {
  const guid = randomUUID();
  const startedAt = performance.now();
  const refusals: number[] = [];
  for (;;) {
    const { statusCode, durationMs } = await fake.send(webhook, { guid, url });
    if (statusCode === 202) {
      return { guid, answerMs: durationMs, totalMs: Math.round(performance.now() - startedAt), refusals };
    }
    refusals.push(statusCode);
    await new Promise((resolve) => setTimeout(resolve, SEND_AGAIN_MS));
  }
}

/** Events of one pull request: its opening first, then repeated and irrelevant ones; every third one gets a push. */
function createStory(fake: FakeGithub, pullRequest: PullRequest, isPushed: boolean) {
  let sent = 0;
  let opened: Promise<Webhook> | null = null;
  return async (): Promise<Webhook> => {
    sent++;
    opened ??= fake.events.pullRequest("opened", pullRequest);
    if (isPushed && sent === 5) {
      await fake.push(pullRequest, PUSHED);
      opened = fake.events.pullRequest("synchronize", pullRequest);
    }
    if (sent % 3 === 0) return fake.events.push(pullRequest.repository);
    return opened;
  };
}

/** Webhooks at an even pace to all servers in turn, about more and more pull requests. */
async function sendAll(
  fake: FakeGithub,
  pullRequests: readonly PullRequest[],
  urls: readonly string[],
): Promise<readonly Sent[]> {
  const stories = pullRequests.map((each, index) => createStory(fake, each, index % 3 === 0));
  const total = (PLAN.ms / 1_000) * PLAN.perSecond;
  const startedAt = performance.now();
  const sent: Promise<Sent>[] = [];
  for (let index = 0; index < total; index++) {
    const dueMs = startedAt + (index * 1_000) / PLAN.perSecond - performance.now();
    if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs));
    // The next ones begin while the last ones go on.
    const begun = Math.ceil(((index + 1) / total) * stories.length);
    const tell = stories[Math.max(0, begun - 1 - (index % 7))];
    const url = urls[index % urls.length];
    assert.ok(tell !== undefined && url !== undefined);
    const webhook = await tell();
    sent.push(sendUntilAcknowledged(fake, webhook, url));
  }
  return Promise.all(sent);
}

/** Alternates administrator restarts and crashes until stopped. Returns their number. */
async function keepRestarting(cluster: Cluster, signal: AbortSignal): Promise<number> {
  const startedAt = performance.now();
  for (let count = 0; ; count++) {
    await untilPassed(startedAt + (count + 1) * PLAN.restartEveryMs - performance.now(), signal);
    if (signal.aborted) return count;
    if (count % 2 === 0) await cluster.restart();
    else {
      await cluster.crash();
      await untilPassed(AWAY_MS[((count - 1) / 2) % AWAY_MS.length] ?? 0, signal);
      await cluster.start();
    }
  }
}

function untilPassed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

async function assertNothingLost({ database }: Scenario, sent: readonly Sent[]): Promise<number> {
  const rows = await database.query<{ guid: string; state: string }>("select guid, state from deliveries");
  const states = new Map(rows.map(({ guid, state }) => [guid, state]));
  const lost = sent.filter(({ guid }) => !["queued", "skipped"].includes(states.get(guid) ?? ""));
  assert.deepEqual(lost, []);
  return rows.length;
}

/**
 * A job that waited out a restart reads the head that it finds, and may so review a push before the push's own event is
 * received: the job of that event then finds it reviewed. Another test checks the publication.
 */
function isWell({ state, reason }: Job): boolean {
  return state === "done" || state === "superseded" || reason === "skipped:already-reviewed";
}

function assertPublishedOnce(scenario: Scenario, pullRequests: readonly PullRequest[]): void {
  for (const [index, pullRequest] of pullRequests.entries()) {
    const { reviews, comments, summaries, conclusions } = scenario.published(pullRequest);
    const isPushed = index % 3 === 0;
    const sent = isPushed ? ["src/more.ts:1", ...ONE_REVIEW.comments] : ONE_REVIEW.comments;
    const name = `pull request ${index}`;
    assert.deepEqual(comments.toSorted(), sent.toSorted(), name);
    assert.deepEqual([summaries, conclusions], [1, ["neutral"]], name);
    // A push may have come before or after the review of the first head.
    assert.ok(reviews === 1 || (isPushed && reviews === 2), `${name} has ${reviews} reviews`);
  }
}

function tellFigures(t: TestContext, figures: Readonly<Record<string, unknown>>): void {
  t.diagnostic(JSON.stringify(figures));
}

test("[P19] PostgreSQL is restarted under load: no acknowledged event is lost, none is published twice", async (t) => {
  const cluster = await startCluster({ isDurable: true });
  t.after(() => cluster.remove());
  const scenario = await createScenario(t, {
    engine: engineOn(cluster),
    workerProcesses: 4,
    environment: { KODIAI_LEASE_SECONDS: LEASE_SECONDS },
  });
  const { fake } = scenario;
  const pullRequests = await openPullRequests(fake);
  const servers = [
    await scenario.start(["serve", "--no-worker"]),
    await scenario.start(["serve", "--no-worker"]),
  ];
  await scenario.startWorkers();

  const enough = new AbortController();
  const restarting = keepRestarting(cluster, enough.signal);
  const sent = await sendAll(
    fake,
    pullRequests,
    servers.map(({ webhookUrl }) => webhookUrl),
  );
  enough.abort();
  const restarts = await restarting;
  const loadMs = performance.now();
  await eventually("every job to end", async () => {
    const { queued, running } = await scenario.queue.stats();
    return queued + running === 0;
  });

  assert.ok(restarts >= 3, `${restarts} restarts`);
  const recorded = await assertNothingLost(scenario, sent);
  const jobs = await scenario.jobs();
  assert.deepEqual(
    jobs.filter((job) => !isWell(job)),
    [],
  );
  assertPublishedOnce(scenario, pullRequests);
  // Several workers of one installation write at the same time, and pushes come between a last look at the head and its write.
  scenario.check({ isOverlapAllowed: true, isLateWriteAllowed: true });
  const refusals = sent.flatMap((each) => each.refusals);
  tellFigures(t, {
    restarts,
    sent: sent.length,
    refused503: refusals.filter((status) => status === 503).length,
    unanswered: refusals.filter((status) => status !== 503).length,
    recorded,
    jobs: jobs.length,
    deaths: jobs.reduce((sum, { deaths }) => sum + deaths, 0),
    longestAnswerMs: Math.max(...sent.map(({ answerMs }) => answerMs)),
    longestUntilAcknowledgedMs: Math.max(...sent.map(({ totalMs }) => totalMs)),
    drainedMs: Math.round(performance.now() - loadMs),
  });
});
