/**
 * A pull request on a fake GitHub, and the app: every test of the whole app begins with this. Afterwards the oracle
 * looks at everything that was written.
 */
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Job, Queue } from "../../../src/queue/queue.ts";
import { QUEUE_DEFAULTS } from "../../../src/queue/queue.ts";
import type { Database } from "../../../src/store/database.ts";
import { openStore } from "../../../src/store/store.ts";
import type { AppOptions } from "../../../fake-github/app.ts";
import { type FakeGithub, startFakeGithub } from "../../../fake-github/fake-github.ts";
import type { PullRequestRequest } from "../../../fake-github/people.ts";
import { checkOracle } from "../../../fake-github/oracle.ts";
import type { PullRequest, Repository } from "../../../fake-github/world.ts";
import { type Engine, engineNamed } from "../queue-contract/engines.ts";
import { eventually } from "../eventually.ts";
import { type AppFolder, appFolder, joinApps, type RunningApp, startApp } from "./running-app.ts";

/** Two findings: pasted SQL on line 4, an empty catch on line 10. */
export const FINDINGS = [
  { path: "src/users.ts", line: 4, rule: "sql-from-strings" },
  { path: "src/users.ts", line: 10, rule: "empty-catch" },
] as const;

export const BEFORE = {
  "src/users.ts": "export function find(id: string) {\n  return id;\n}\n",
  "src/users.test.ts": "// one\n",
};

export const AFTER = {
  "src/users.ts": [
    'import { db } from "./db";',
    "",
    "export async function find(id: string) {",
    "  return db.query(`select * from users where id = ${id}`);",
    "}",
    "",
    "export function load() {",
    "  try {",
    '    find("1");',
    "  } catch {}",
    "}",
    "",
  ].join("\n"),
  "src/users.test.ts": "// two\n",
};

const HOUR_MS = 3_600_000;

/** Longer than GitHub waits: a busy machine may take longer, and no test depends on it. */
const ANSWER_TIMEOUT_MS = 120_000;

export type ScenarioOptions = {
  /** `.kodiai.yml` at the base. */
  readonly config?: string;
  /** Further files at the base. */
  readonly baseFiles?: Readonly<Record<string, string>>;
  readonly isPrivate?: boolean;
  readonly pullRequest?: Partial<PullRequestRequest>;
  /** The pull request is younger than the installation, so that a sweep finds it; otherwise only events lead to it. */
  readonly isSwept?: boolean;
  /** The database that the app runs on; a file when it is not said. */
  readonly engine?: Engine;
  /** How many processes run jobs. By default there are none, and the server runs them itself. */
  readonly workerProcesses?: number;
  /** The app that writes, if it isn't ours. */
  readonly app?: AppOptions;
  /** Settings of every process. */
  readonly environment?: Readonly<Record<string, string>>;
};

export type Scenario = {
  readonly fake: FakeGithub;
  readonly folder: AppFolder;
  readonly repository: Repository;
  readonly pullRequest: PullRequest;
  /** Starts the whole app, or with arguments one process of it; a server takes the webhooks from then on. */
  start(args?: readonly string[], environment?: Readonly<Record<string, string>>): Promise<RunningApp>;
  /** Starts the processes that run jobs: `workerProcesses`, but at least so many. */
  startWorkers(least?: number): Promise<RunningApp>;
  /** Time passes for GitHub and for jobs that wait, without a wait: all that is stored becomes older. */
  passTime(ms: number): Promise<void>;
  /** Sends an event about the pull request, as GitHub would. */
  send(action: string): Promise<number | null>;
  readonly queue: Queue;
  readonly database: Database;
  readonly telemetry: Database;
  /** Reviews and closings, oldest first. */
  jobs(): Promise<readonly Job[]>;
  /** Waits until no such job, and no answer to a mention, is queued or running; then they are as they ended. */
  settled(): Promise<readonly Job[]>;
  /** Summarizes what is published on the pull request, or on another one. */
  published(on?: PullRequest): Published;
  check(expectations?: Parameters<typeof checkOracle>[1]): void;
};

export type Published = {
  readonly reviews: number;
  /** "path:line", in order. */
  readonly comments: readonly string[];
  readonly summaries: number;
  readonly conclusions: readonly (string | null)[];
};

export async function createScenario(
  t: Pick<TestContext, "after">,
  options: ScenarioOptions = {},
): Promise<Scenario> {
  const fake = await startFakeGithub({ answerTimeoutMs: ANSWER_TIMEOUT_MS, ...options.app });
  const config = options.config === undefined ? {} : { ".kodiai.yml": options.config };
  const repository = await fake.createRepository({
    files: { ...BEFORE, ...config, ...options.baseFiles },
    isPrivate: options.isPrivate ?? true,
  });
  const pullRequest = await fake.openPullRequest(repository, {
    title: "Find users",
    files: AFTER,
    ...options.pullRequest,
  });
  if (options.isSwept !== true) Object.assign(fake.installation, { createdAtMs: fake.clock.now() + HOUR_MS });
  const engine = options.engine ?? engineNamed("sqlite");
  const created = await engine.createDatabase();
  const folder = appFolder(fake, created.url, options.environment);
  const store = await openStore(created.url);
  const queue = await engine.openQueue(store, QUEUE_DEFAULTS, store.now);
  const running: RunningApp[] = [];
  t.after(async () => {
    await Promise.all(running.map((app) => app.stop()));
    await queue.close();
    await store.close();
    await created.remove();
    await fake.close();
    folder.remove();
  });
  const startOne: Scenario["start"] = async (args = ["serve"], environment = {}) => {
    const app = await startApp(args, folder, environment);
    running.push(app);
    if (app.webhookUrl !== "") fake.setWebhookUrl(app.webhookUrl);
    return app;
  };
  const { workerProcesses = 0 } = options;
  const startWorkers: Scenario["startWorkers"] = async (least = 1) => {
    const count = Math.max(least, workerProcesses);
    const started = Array.from({ length: count }, (_, index) =>
      // Each as on a machine of its own: they have nothing in common but the database.
      startOne(["worker", "--concurrency", "1"], { KODIAI_DATA: join(folder.path, `machine-${index}`) }),
    );
    return joinApps(await Promise.all(started));
  };
  const listJobs = async (isWanted: (kind: string) => boolean): Promise<readonly Job[]> => {
    const all = await queue.list({ states: null, limit: 1_000 });
    return all.filter(({ kind }) => isWanted(kind)).toReversed();
  };
  const isReview = (kind: string): boolean => kind.endsWith("pull-request");
  const jobs = (): Promise<readonly Job[]> => listJobs(isReview);
  return {
    fake,
    folder,
    repository,
    pullRequest,
    async start(args, environment) {
      if (args !== undefined || workerProcesses === 0) return startOne(args, environment);
      const server = await startOne(["serve", "--no-worker"], environment);
      return joinApps([server, await startWorkers()]);
    },
    startWorkers,
    async passTime(ms) {
      const { database } = store;
      fake.clock.advance(ms);
      await database.query("update publications set attempted_at = attempted_at - $1", [ms]);
      await database.query("update runs set finished_at = finished_at - $1", [ms]);
      await database.query(
        "update jobs set due_at = due_at - $1, run_at = run_at - $1 where state = 'delayed'",
        [ms],
      );
    },
    async send(action) {
      const delivery = await fake.send(await fake.events.pullRequest(action, pullRequest));
      return delivery.statusCode;
    },
    queue,
    database: store.database,
    telemetry: store.telemetry,
    jobs,
    settled: () =>
      eventually("all jobs to end", async () => {
        // A mention may become a review.
        const all = await listJobs((kind) => isReview(kind) || kind === "mention" || kind === "converse");
        const isOpen = all.some(({ state }) => state === "queued" || state === "running");
        const reviews = all.filter(({ kind }) => isReview(kind));
        return !isOpen && reviews.length > 0 && reviews;
      }),
    published: (on = pullRequest) => publishedOn(fake, on),
    check: (expectations) => checkOracle(fake, expectations),
  };
}

function publishedOn(fake: FakeGithub, pullRequest: PullRequest): Published {
  const bot = `${fake.slug}[bot]`;
  return {
    reviews: fake.reviewsOf(pullRequest).filter(({ author }) => author.login === bot).length,
    comments: fake.reviewCommentsOf(pullRequest).map(({ path, line }) => `${path}:${line}`),
    summaries: fake.commentsOf(pullRequest).filter(({ author }) => author.login === bot).length,
    conclusions: fake.checksOf(pullRequest).map(({ conclusion }) => conclusion),
  };
}

/** The result when nothing is written. */
export const NO_REVIEW: Published = { reviews: 0, comments: [], summaries: 0, conclusions: [] };

/** The result of one review of the pull request above. */
export const ONE_REVIEW: Published = {
  reviews: 1,
  comments: FINDINGS.map(({ path, line }) => `${path}:${line}`),
  summaries: 1,
  conclusions: ["neutral"],
};
