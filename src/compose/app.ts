/**
 * Composes the GitHub App: settings, store, queue, forge, repositories, recipes, worker and server. Loaded only by commands
 * that need it.
 */
import { DAY_MS } from "../base/day-ms.ts";
import type { CheckLine } from "../doctor/check.ts";
import type { Analysers } from "../linters/analysers.ts";
import { count } from "../base/count.ts";
import { hostname } from "node:os";
import { join } from "node:path";
import { KodiaiError, messageOf } from "../base/errors.ts";
import { armFaultPoint } from "../base/fault-point.ts";
import { createLog, type Log, type LogLevel } from "../base/log.ts";
import type { App, PublishOptions, Records, Running, ServeOptions } from "../cli/app.ts";
import { type DashboardSettings, readDashboardSettings } from "../config/dashboard-settings.ts";
import { readEmbeddingSettings } from "../config/embedding-settings.ts";
import { findUnknownSettings } from "../config/known-settings.ts";
import { readProxySettings } from "../config/proxy-settings.ts";
import { readRegistrySettings } from "../config/registry-settings.ts";
import { type AppSettings, isApiOf, readAppSettings, readStoreSettings } from "../config/server-settings.ts";
import type { SettingsSource } from "../config/settings-reader.ts";
import { readModelSettings } from "../config/model-settings.ts";
import type { Forge, PullRequestAddress } from "../forge/forge.ts";
import type { CodeIndexSources } from "../code-index/open-code-index.ts";
import { hostOfApi } from "../forge/github/api-host.ts";
import { createGithubForge } from "../forge/github/github-forge.ts";
import { GITHUB_LIMITS_METRIC } from "../forge/github/limits-metric.ts";
import { createGithubWebhooks } from "../forge/github/github-webhooks.ts";
import { createCloseRecipe } from "../jobs/close-pull-request.ts";
import { FORGET_KIND } from "../jobs/forget-job.ts";
import { createForgetRecipe } from "../jobs/forget-repositories.ts";
import { EMBED_KIND } from "../jobs/memory/embed-job.ts";
import { createEmbedRecipe } from "../jobs/memory/embed-memories.ts";
import type { MemorySource } from "../jobs/memory/memory-source.ts";
import { createLearnRecipe } from "../jobs/memory/learn-recipe.ts";
import { createReplyRecipe } from "../jobs/memory/read-reply-recipe.ts";
import { createConverseRecipe } from "../jobs/mentions/converse/converse-recipe.ts";
import { createMentionRecipe } from "../jobs/mentions/immediate/mention-recipe.ts";
import {
  CONVERSE_KIND,
  CONVERSE_LANE,
  MENTION_KIND,
  MENTION_LANE,
  OUTSIDER_LANES,
} from "../jobs/mentions/mention-job.ts";
import { planReview } from "../jobs/plan-job.ts";
import { type JobReport, KEEP_STATISTICS_DAYS, type Recipe } from "../jobs/recipe.ts";
import { createReconcileRecipe, RECONCILE_KIND } from "../jobs/reconcile.ts";
import { TRANSLATE_KIND } from "../jobs/record-delivery.ts";
import { toRepositoryRef } from "../jobs/register-event.ts";
import { createChangeReview } from "../jobs/review-change.ts";
import { CLOSE_KIND, LEARN_KIND, REPLY_KIND, REVIEW_KIND, SETTLE_KIND } from "../jobs/review-job.ts";
import { createReviewRecipe } from "../jobs/review-pull-request.ts";
import { subjectOfJob } from "../jobs/subject-of-job.ts";
import type { CodeTools, OneShotPolicy, OpenReview } from "../jobs/run/run-deps.ts";
import type { ReportModelFailure } from "../model/report-model-failure.ts";
import { stopCode } from "../model/stop-code.ts";
import type { ModelSource } from "../jobs/reading/pull-request-models.ts";
import { createSettleRecipe } from "../jobs/settling/settle-recipe.ts";
import { createTranslateRecipe } from "../jobs/translate-delivery.ts";
import { type Job, type Queue, QUEUE_DEFAULTS, type QueueOptions } from "../queue/queue.ts";
import { createRepositoryCache } from "../repository/git/cache/repository-cache.ts";
import { createRepositoryWriters } from "../repository/git/write/repository-writers.ts";
import { type MountedDashboard, mountDashboard, planDashboard } from "./mount-dashboard.ts";
import { startIntakeThread } from "../server/intake-thread.ts";
import { createMetrics, type Metrics } from "../server/metrics.ts";
import { createReadiness } from "../server/readiness.ts";
import { createRejections } from "../server/rejections.ts";
import { startServer } from "../server/server.ts";
import { loadAppIdentity } from "../server/load-app-identity.ts";
import { startReconciling } from "../server/start-reconciling.ts";
import { createWebhookHandler, type WebhookHandler } from "../server/webhook-handler.ts";
import { createRepositoryIds, type RepositoryIds } from "../store/repositories/repository-ids.ts";
import { recordExecution, recordRateLimit } from "../store/repositories/telemetry.ts";
import type { Reader } from "../reading/reader.ts";
import type { Database } from "../store/database.ts";
import { openStore, type Store } from "../store/store.ts";
import { openVectors } from "../store/vectors/open-vectors.ts";
import { jobProcessStarter, receiveClaim } from "../worker/job-process.ts";
import { runGivenClaim } from "../worker/run-given-claim.ts";
import { runNow } from "../worker/run-now.ts";
import { createWorker, type Worker, type WorkerDeps } from "../worker/worker.ts";

export type AppSources = {
  readonly settings: SettingsSource;
  /** The only environment variables that git gets. */
  readonly gitEnvironment: Readonly<Record<string, string>>;
  readonly openReader: (signal: AbortSignal) => Promise<Reader>;
  readonly openAnalysers: () => Promise<Analysers>;
  readonly version: string;
  readonly stderr: { readonly isTerminal: boolean; write(text: string): void };
};

export async function openRecords(
  { settings: source, stderr }: Pick<AppSources, "settings" | "stderr">,
  { mayCreate = false } = {},
): Promise<Records> {
  const { databaseUrl, logLevel } = readStoreSettings(source);
  const store = await openStore(databaseUrl, { mustExist: !mayCreate, connections: LOOKUP_CONNECTIONS });
  const queue = await openQueueOrClose(store, QUEUE_DEFAULTS, openLog(logLevel, stderr));
  const { database, telemetry, now } = store;
  return {
    database,
    telemetry,
    now,
    queue,
    openVectors: () => openVectors(database),
    close: () => closeBoth(queue, store),
  };
}

/** Commands that only look things up run one query at a time. */
const LOOKUP_CONNECTIONS = 2;

/** Closes the store if its queue can't be opened. */
export async function openQueueOrClose(store: Store, options: QueueOptions, log: Log): Promise<Queue> {
  try {
    return await openQueue(store, options, log);
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens the queue for the database's dialect. */
async function openQueue({ database, now, listen }: Store, options: QueueOptions, log: Log): Promise<Queue> {
  if (database.dialect.name === "sqlite") {
    const { createSqliteQueue } = await import("../queue/sqlite/sqlite-queue.ts");
    return createSqliteQueue(database, options, now);
  }
  const { openPostgresQueue } = await import("../queue/postgres/postgres-queue.ts");
  const onError = (error: unknown): void => log.warn("queue failed", { error: messageOf(error) });
  return openPostgresQueue({ database, options, now, listen, onError });
}

export async function closeBoth(queue: Queue, store: Store): Promise<void> {
  await queue.close();
  await store.close();
}

export function openLog(level: LogLevel, stderr: AppSources["stderr"]): Log {
  return createLog({
    level,
    format: stderr.isTerminal ? "text" : "json",
    write: (line) => stderr.write(line),
    now: Date.now,
  });
}

type Parts = {
  readonly settings: AppSettings;
  readonly store: Store;
  readonly queue: Queue;
  readonly queueOptions: QueueOptions;
  readonly forge: Forge;
  readonly repositoryIds: RepositoryIds;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly recipes: Readonly<Record<string, Recipe>>;
  readonly version: string;
  readonly isTokenTooPowerful: () => Promise<boolean>;
  readonly dashboard: DashboardSettings;
  /** The checks of `kodiai doctor`. */
  readonly examine: () => Promise<readonly CheckLine[]>;
  readonly logFormat: "json" | "text";
  readonly proxyVariables: Readonly<Record<string, string>>;
};

/** `examine` runs the checks of `kodiai doctor`, which know how to open an app too. */
export async function openApp(sources: AppSources, examine: Parts["examine"]): Promise<App> {
  const parts = await composeParts(sources, examine);
  return {
    serve(options) {
      warnOfUnknownSettings(sources, parts);
      return serve(options, parts);
    },
    work: (concurrency) => work(concurrency, parts),
    runGivenJob: (signal) => runGivenJob(signal, parts),
    publishReview: (address, options) => publishReview(address, options, parts),
    close: () => closeBoth(parts.queue, parts.store),
  };
}

type CodeIndexRequest = Omit<CodeIndexSources, "cacheFolder" | "id"> & { readonly repositoryId: number };

/** Long because it is a list: what the app consists of, each part after those that it needs. */
async function composeParts(sources: AppSources, examine: Parts["examine"]): Promise<Parts> {
  const { settings: source, version, stderr } = sources;
  const settings = readAppSettings(source);
  // A wrong list of hosts shows at the start, not as a degradation of every review.
  readRegistrySettings(source);
  readProxySettings(source);
  const embeddingSettings = readEmbeddingSettings(source);
  const dashboard = readDashboardSettings(source);
  if (settings.faultPoint !== null) armFaultPoint(settings.faultPoint, settings.faultPullRequest);
  const log = openLog(settings.logLevel, stderr);
  const models = await modelSource(source, log);
  const store = await openStore(settings.databaseUrl, {
    connections: settings.databaseConnections,
    onClockSetBack: (aheadMs) =>
      log.warn("system clock was set back; timestamps keep increasing", { aheadMs }),
  });
  const queueOptions = { ...QUEUE_DEFAULTS, leaseMs: settings.leaseMs };
  const queue = await openQueueOrClose(store, queueOptions, log);
  const metrics = createMetrics(queue, GITHUB_LIMITS_METRIC);
  const forge = openForge(settings, { store, metrics, log, version });
  const { openMemorySource } = await import("./memory.ts");
  const memory = await openMemorySource(embeddingSettings, store.database);
  const repositoryIds = createRepositoryIds(store.database, hostOfApi(settings.apiUrl));
  const recipes = await composeRecipes(sources, {
    settings,
    store,
    queue,
    forge,
    repositoryIds,
    models,
    memory,
  });
  const isTokenTooPowerful = async (): Promise<boolean> =>
    (await import("./registries.ts")).isTokenTooPowerful(source, version);
  return {
    settings,
    store,
    queue,
    queueOptions,
    forge,
    repositoryIds,
    metrics,
    log,
    recipes,
    version,
    isTokenTooPowerful,
    dashboard,
    examine,
    logFormat: stderr.isTerminal ? "text" : "json",
    proxyVariables: proxyVariablesIn(source),
  };
}

/** With those that name a file. */
function proxyVariablesIn({ environment }: SettingsSource): Parts["proxyVariables"] {
  const named = Object.entries(environment).filter(([name]) => /^(?:https?|no)_proxy(?:_file)?$/i.test(name));
  return Object.fromEntries(named.map(([name, value]) => [name, value ?? ""]));
}

/** Rate limits are counted, and kept in the statistics. */
function openForge(
  settings: AppSettings,
  { store, metrics, log, version }: Pick<Parts, "store" | "metrics" | "log" | "version">,
): Forge {
  const { now, telemetry } = store;
  return createGithubForge({
    ...settings,
    userAgent: `kodiai/${version}`,
    now,
    onRateLimit: ({ installationId, untilMs }) => {
      metrics.limited();
      const limit = {
        at: now(),
        expiresAt: now() + KEEP_STATISTICS_DAYS * DAY_MS,
        resource: `installation ${installationId ?? "none"}`,
        remaining: 0,
        resetAt: untilMs,
      };
      recordRateLimit(limit, telemetry).catch((error: unknown) =>
        log.warn("telemetry failed", { error: String(error) }),
      );
    },
    log,
  });
}

/** The parts of the recipes, with or without a server. */
export type RecipeParts = Pick<Parts, "store" | "queue" | "forge" | "repositoryIds"> & {
  readonly settings: Pick<AppSettings, "dataFolder" | "apiUrl" | "cacheBytes" | "forgetAfterMs">;
  readonly models: ModelSource;
  readonly memory: MemorySource;
  /** Missing in the App. */
  readonly oneShot?: OneShotPolicy;
};

export async function composeRecipes(
  sources: AppSources,
  { settings, store: opened, queue, forge, repositoryIds, models, memory, oneShot }: RecipeParts,
): Promise<Parts["recipes"]> {
  const { database, telemetry, now } = opened;
  const { version } = sources;
  const store = { database, telemetry, queue, now };
  const cache = {
    folder: join(settings.dataFolder, "repositories"),
    environment: sources.gitEnvironment,
    allowHttp: settings.apiUrl.startsWith("http:"),
  };
  const repositories = createRepositoryCache({ ...cache, maxBytes: settings.cacheBytes });
  const openWriter = createRepositoryWriters(cache);
  const openReview = await reviewOpener(models, { database, now });
  const code = await codeTools(sources, settings);
  const reviewing = {
    forge,
    repositories,
    store,
    code,
    memory,
    models,
    openReview,
    version,
    ...(oneShot === undefined ? {} : { oneShot }),
  };
  const conversing = { forge, repositories, openWriter, store, code, models, version };
  const { forgetAfterMs } = settings;
  const forgetting = {
    forge,
    repositories,
    repositoryIds,
    queue,
    database,
    telemetry,
    now,
    forgetAfterMs,
  };
  return {
    [REVIEW_KIND]: createReviewRecipe(reviewing),
    [CLOSE_KIND]: createCloseRecipe({ forge, store }),
    [LEARN_KIND]: createLearnRecipe({
      forge,
      database,
      now,
      queue,
      hasModels: Object.keys(models.settings.access).length > 0,
    }),
    [REPLY_KIND]: createReplyRecipe({ forge, store, models }),
    [SETTLE_KIND]: createSettleRecipe({ forge, store, version }),
    [MENTION_KIND]: createMentionRecipe({ forge, store, models }),
    [CONVERSE_KIND]: createConverseRecipe(conversing),
    [TRANSLATE_KIND]: createTranslateRecipe({ forge, queue, database, repositoryIds }),
    [RECONCILE_KIND]: createReconcileRecipe({
      memory,
      forge,
      queue,
      database,
      telemetry,
      repositoryIds,
      now,
    }),
    [EMBED_KIND]: createEmbedRecipe({ memory, database, now }),
    [FORGET_KIND]: createForgetRecipe(forgetting),
  };
}

async function codeTools(
  { settings: source, openReader, openAnalysers, version }: AppSources,
  { dataFolder }: Pick<AppSettings, "dataFolder">,
): Promise<CodeTools> {
  return {
    openReader,
    analysers: await openAnalysers(),
    typeChecker: {
      async check(files, project, signal) {
        const { createTypeChecker } = await import("../linters/oxlint/create-type-checker.ts");
        return createTypeChecker(Date.now).check(files, project, signal);
      },
    },
    openCodeIndex: async ({ repositoryId, ...given }: CodeIndexRequest) => {
      const { openCodeIndex } = await import("../code-index/open-code-index.ts");
      // Named as by versions that knew only GitHub, so that their facts are found.
      const id = `github-${repositoryId}`;
      return openCodeIndex({ ...given, id, cacheFolder: join(dataFolder, "code") });
    },
    lookups: {
      openRegistries: async () => {
        const { openRegistries } = await import("./registries.ts");
        const cacheFolder = join(dataFolder, "lookups");
        return openRegistries(source, { version, cacheFolder, openReader });
      },
      wallClock: Date.now,
    },
  };
}

/** Recording is loaded only if it's enabled. */
async function reviewOpener(
  { settings }: ModelSource,
  deps: { readonly database: Database; readonly now: () => number },
): Promise<OpenReview> {
  if (!settings.recordsRuns) return createChangeReview;
  const { recordRuns } = await import("../jobs/recording/record-run.ts");
  return recordRuns(deps);
}

export async function modelSource(source: SettingsSource, log: Log): Promise<ModelSource> {
  const settings = readModelSettings(source);
  const { loadModels, randomWord } = await import("./models.ts");
  const onFailure: ReportModelFailure = (failure) =>
    log.warn("model request failed", { ...failure, reason: stopCode(failure.reason) });
  // The operator's model must load at startup, not at the first review.
  const own = { asked: settings.model, configured: null, fallbacks: [] };
  await loadModels({ ...own, style: { effort: "medium" }, repository: "" }, settings, onFailure);
  return {
    settings,
    load: (wanted) => loadModels(wanted, settings, onFailure),
    randomWord,
  };
}

async function serve(options: ServeOptions, parts: Parts): Promise<Running> {
  const { concurrency } = options;
  const { settings, store, queue, forge, metrics, log, version } = parts;
  const { database, now } = store;
  const address = { host: options.host ?? settings.host, port: options.port ?? settings.port };
  const planned = planDashboard(parts.dashboard, { host: address.host, isWanted: options.hasDashboard });
  let dashboard: MountedDashboard | null = null;
  const rejections = createRejections({
    database,
    now,
    log,
    onRejected: (reason) => metrics.rejected(reason),
  });
  const readiness = createReadiness({ database, queue, forge, log });
  const identity = loadAppIdentity(parts);
  const { appId, databaseUrl, apiUrl } = settings;
  const intake = startIntakeThread({ databaseUrl, appId, host: hostOfApi(apiUrl) });
  const secrets = [settings.webhookSecret, settings.previousWebhookSecret];
  const webhooks = createGithubWebhooks(...secrets.filter((secret) => secret !== null));
  const handleWebhook = createWebhookHandler({
    intake,
    queue,
    webhooks,
    slug: () => (identity.isNameKnown() ? forge.slug() : null),
    rejections,
    log,
    now,
  });
  const server = await startServer(address, {
    webhookPath: webhooks.path,
    handleWebhook,
    readiness,
    metrics,
    metricsToken: settings.metricsToken,
    onRejected: (reason) => rejections.add(reason),
    servePages:
      planned === null
        ? null
        : async (incoming, response) => (await dashboard?.handle(incoming, response)) ?? false,
    log,
    version,
    uptimeMs: () => process.uptime() * 1_000,
  });
  if (planned !== null) dashboard = await openDashboardOf(planned.originAt(server.port), parts);
  const relay = await openRelay(handleWebhook, parts);
  const stopReconciling = startReconciling({ database, queue, log, now });
  void warnOfToken(parts);
  const worker = concurrency === null ? null : startWorker(concurrency, parts);
  return {
    description: `listening on port ${server.port}, webhooks at ${webhooks.path}${relay === null ? "" : " and through the relay"}${worker === null ? ", without a worker" : ""}${dashboard === null ? "" : `\nkodiai: ${dashboard.description}`}`,
    async stop() {
      stopReconciling();
      identity.stop();
      await relay?.stop();
      // Both stop at the same time, so that a slow sender doesn't shorten the grace period of jobs.
      await Promise.all([server.stop(), worker?.stop()]);
      await dashboard?.close();
      await intake.close();
      await rejections.flush();
    },
  };
}

async function openDashboardOf(origin: string, parts: Parts): Promise<MountedDashboard> {
  const { settings, dashboard, examine, log, logFormat, store, version, proxyVariables } = parts;
  const { databaseUrl, logLevel } = settings;
  const options = {
    settings: dashboard,
    origin,
    databaseUrl,
    logLevel,
    logFormat,
    version,
    proxyVariables,
  };
  return mountDashboard(options, { examine, log, now: store.now });
}

/** Null without the setting. */
async function openRelay(handleWebhook: WebhookHandler, { settings, log }: Parts) {
  if (settings.webhookRelay === null) return null;
  const { startWebhookRelay } = await import("../server/webhook-relay.ts");
  return startWebhookRelay(settings.webhookRelay, { handleWebhook, log });
}

/** A typing error in a name would otherwise go unnoticed. */
function warnOfUnknownSettings({ settings }: AppSources, { log }: Parts): void {
  for (const { name, nearest } of findUnknownSettings(settings))
    log.warn("unknown setting, which has no effect", { name, nearest });
}

/** A token that can do less can lose less. */
async function warnOfToken({ isTokenTooPowerful, log }: Parts): Promise<void> {
  if (await isTokenTooPowerful())
    log.warn("GITHUB_TOKEN can read private repositories; look-ups only need a token that can't");
}

async function work(concurrency: number, parts: Parts): Promise<Running> {
  const identity = loadAppIdentity(parts);
  const worker = startWorker(concurrency, parts);
  return {
    description: `running jobs, up to ${count(concurrency, "review")} at a time`,
    async stop() {
      identity.stop();
      await worker.stop();
    },
  };
}

/** Lanes of jobs that must not wait behind reviews. Someone waits for a mention, so it doesn't wait for upkeep either. People without write access share two slots. */
export const SHORT_LANES = [
  ["event", "upkeep"],
  [MENTION_LANE],
  [CONVERSE_LANE],
  ...Object.values(OUTSIDER_LANES).map((lane) => [lane]),
];

function startWorker(concurrency: number, parts: Parts): Worker {
  const options = { name: workerName(), concurrency, lanes: null, shortLanes: SHORT_LANES };
  return createWorker(options, workerDeps(parts));
}

/** The parent process records the metrics of the job. */
async function runGivenJob(signal: AbortSignal, parts: Parts): Promise<void> {
  const given = await receiveClaim(signal);
  await runGivenClaim(given, workerDeps(parts));
}

/** Arguments of a process for one job; see `kodiai worker --help`. */
const ONE_GIVEN_JOB = ["worker", "--given-job"];

function workerDeps(parts: Parts): WorkerDeps {
  const startJobProcess = jobProcessStarter(ONE_GIVEN_JOB);
  return {
    ...parts,
    now: parts.store.now,
    startJobProcess,
    onReport: (report) => recordReport(report, parts),
  };
}

/** Restarted containers have the same host name and process ID, so a few random digits make the name unique. */
export function workerName(): string {
  return `${hostname()}/${process.pid}-${crypto.randomUUID().slice(0, 6)}`;
}

/** Records metrics and telemetry. A failure never affects the job. */
function recordReport(report: JobReport, { metrics, store, log }: Parts): void {
  metrics.worked(report);
  const { job, state: outcome, ms, keepDays } = report;
  if (keepDays === 0) return;
  const { id: jobId, kind, attempts } = job;
  const repository = keepDays === null ? null : (subjectOfJob(job)?.repository ?? null);
  const startedAt = store.now() - ms;
  recordExecution(
    {
      jobId,
      kind,
      repository,
      outcome,
      startedAt,
      ms,
      attempts,
      expiresAt: startedAt + (keepDays ?? KEEP_STATISTICS_DAYS) * DAY_MS,
    },
    store.telemetry,
  ).catch((error: unknown) => log.warn("telemetry failed", { error: String(error) }));
}

async function publishReview(
  { origin, owner, name, number }: PullRequestAddress,
  { isFull, onStep, signal }: PublishOptions,
  parts: Parts,
): Promise<Job> {
  const { apiUrl } = parts.settings;
  if (!isApiOf(apiUrl, origin)) {
    throw new KodiaiError(
      "config",
      `the GitHub App is set up for ${apiUrl}, but the pull request is on ${origin}`,
      {
        hint: "Set GITHUB_API_URL and the app's settings for that host.",
      },
    );
  }
  const found = await parts.forge.findRepository(owner, name);
  if (found === null) {
    throw new KodiaiError("not-found", `the GitHub App isn't installed on ${owner}/${name}`, {
      hint: "Install it on that repository (Settings, GitHub Apps), or review without --publish.",
    });
  }
  const requestId = crypto.randomUUID();
  const review = {
    repositoryRef: await toRepositoryRef(found, parts.repositoryIds),
    number,
    head: "",
    isBot: false,
    trigger: "command-line",
    requestId,
    isFull,
    reactTo: null,
    requester: null,
  } as const;
  const { request } = planReview(review);
  const { database } = parts.store;
  return runNow(
    request,
    { workerName: workerName(), onStep, signal },
    { database, worker: workerDeps(parts) },
  );
}
