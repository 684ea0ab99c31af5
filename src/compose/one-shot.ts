/**
 * Composes a run with a given token: the App's recipes, a temporary database, and a worker that stops when nothing is queued. The traces
 * of earlier runs are read from the pull request.
 */
import { join } from "node:path";
import { KodiaiError } from "../base/errors.ts";
import { armFaultPoint } from "../base/fault-point.ts";
import { createScratchFolder, removeScratchFolder } from "../base/scratch-folder.ts";
import type {
  OneShot,
  OneShotChoices,
  OneShotGiven,
  OneShotResult,
  PublishOptions,
  WaitingOptions,
} from "../cli/app.ts";
import { LOCAL_EMBEDDINGS } from "../config/embedding-settings.ts";
import { isApiOf, readOneShotSettings } from "../config/server-settings.ts";
import type { PullRequestAddress, RawDelivery } from "../forge/forge.ts";
import { hostOfApi } from "../forge/github/api-host.ts";
import { createTokenForge, type TokenForge } from "../forge/github/token-forge.ts";
import { EMBED_KIND } from "../jobs/memory/embed-job.ts";
import { planReview } from "../jobs/plan-job.ts";
import type { ModelSource } from "../jobs/reading/pull-request-models.ts";
import {
  type ConflictingDelivery,
  type DeliveryResult,
  planDelivery,
  recordDeliveries,
} from "../jobs/record-delivery.ts";
import { toRepositoryRef } from "../jobs/register-event.ts";
import type { OneShotReview } from "../jobs/run/run-deps.ts";
import { type Job, type JobRequest, QUEUE_DEFAULTS } from "../queue/queue.ts";
import { createRepositoryIds, type RepositoryIds } from "../store/repositories/repository-ids.ts";
import { openStore, type Store } from "../store/store.ts";
import { runUntilIdle } from "../worker/run-until-idle.ts";
import type { WorkerDeps } from "../worker/worker.ts";
import {
  type AppSources,
  closeBoth,
  composeRecipes,
  modelSource,
  openLog,
  openQueueOrClose,
  SHORT_LANES,
  workerName,
} from "./app.ts";

/** A failure of a moment is tried again while the caller waits; a lasting one is shown soon. */
const QUEUE_OPTIONS = { ...QUEUE_DEFAULTS, maxAttempts: 3, backoffMs: 2_000, maxBackoffMs: 10_000 };

/** As much as a runner has to spare. */
const CACHE_BYTES = 2_000_000_000;

const AS_THE_APP: OneShotChoices = {
  comments: "review",
  verify: null,
  readSarif: () => [],
  mayRepeat: true,
};

type Parts = {
  readonly forge: TokenForge;
  readonly store: Store;
  readonly repositoryIds: RepositoryIds;
  readonly worker: WorkerDeps;
  readonly apiUrl: string;
  readonly mayRepeat: boolean;
  /** The last one of each job. */
  readonly reviews: Map<number, OneShotReview>;
};

export async function openOneShot(given: OneShotGiven, sources: AppSources): Promise<OneShot> {
  const folder = await createScratchFolder("run");
  try {
    const parts = await composeOneShot(given, folder, sources);
    const { forge, store, worker } = parts;
    const { slug: account } = await forge.checkCredentials();
    return {
      account,
      deliver: (delivery, options) => deliver(delivery, options, parts),
      review: (address, options) => review(address, options, parts),
      listOpenNumbers: (owner, name) => forge.listOpenNumbers(owner, name),
      async close() {
        await closeBoth(worker.queue, store);
        await removeScratchFolder(folder);
      },
    };
  } catch (error) {
    await removeScratchFolder(folder);
    throw error;
  }
}

async function composeOneShot(given: OneShotGiven, folder: string, sources: AppSources): Promise<Parts> {
  // The caller may be in a checkout of the change. Its `.env` must not decide about anything.
  const source = { ...sources.settings, dotEnv: null };
  const settings = readOneShotSettings(source, given.origin);
  const token = given.token ?? settings.token;
  if (token === null) throw withoutToken(given.origin);
  if (settings.faultPoint !== null) armFaultPoint(settings.faultPoint, 0);
  const log = openLog(settings.logLevel, sources.stderr);
  const choices = given.choices ?? AS_THE_APP;
  const { apiUrl, markerSecret } = settings;
  const models = withOptions(given, await modelSource(source, log));
  const store = await openStore(`sqlite:${join(folder, "kodiai.db")}`, {});
  const queue = await openQueueOrClose(store, QUEUE_OPTIONS, log);
  const { now } = store;
  const userAgent = `kodiai/${sources.version}`;
  try {
    const forge = await createTokenForge({
      token,
      apiUrl,
      userAgent,
      isReadOnly: choices.comments === "none",
      markerSecret,
      now,
      log,
    });
    const { openMemorySource } = await import("./memory.ts");
    // This memory is gone afterwards, so no provider is paid for it.
    const memory = await openMemorySource({ embeddings: LOCAL_EMBEDDINGS, access: {} }, store.database);
    const repositoryIds = createRepositoryIds(store.database, hostOfApi(apiUrl));
    const reviews = new Map<number, OneShotReview>();
    const dataFolder = given.dataFolder ?? settings.dataFolder ?? folder;
    const recipes = await composeRecipes(
      { ...sources, settings: source },
      {
        settings: { dataFolder, apiUrl, cacheBytes: CACHE_BYTES, forgetAfterMs: 0 },
        store,
        queue,
        forge,
        repositoryIds,
        models,
        memory,
        oneShot: {
          givenConfig: given.config,
          verify: choices.verify,
          readSarif: choices.readSarif,
          isSummaryOnly: choices.comments === "summary",
          mayRepeat: choices.mayRepeat,
          onReviewed: (reviewed) => void reviews.set(reviewed.jobId, reviewed),
        },
      },
    );
    const worker: WorkerDeps = {
      queue,
      recipes,
      log,
      now,
      queueOptions: QUEUE_OPTIONS,
      onReport: () => {},
      startJobProcess: () => {
        throw new TypeError("no job of a new database has crashed a process before");
      },
    };
    return { forge, store, repositoryIds, worker, apiUrl, mayRepeat: choices.mayRepeat, reviews };
  } catch (error) {
    await closeBoth(queue, store);
    throw error;
  }
}

/** The caller is the operator: the options override the environment and the repository. */
function withOptions({ model, budgetUsd }: OneShotGiven, source: ModelSource): ModelSource {
  const { settings } = source;
  const budgets = { ...settings.budgets, ...(budgetUsd === null ? {} : { perReviewUsd: budgetUsd }) };
  return {
    ...source,
    settings: { ...settings, budgets },
    load: (wanted) => source.load({ ...wanted, asked: model ?? wanted.asked }),
  };
}

function withoutToken(origin: string): KodiaiError {
  return new KodiaiError("config", `there is no token for ${origin}`, {
    hint: "Set GITHUB_TOKEN to a token that can write to pull requests, and for another host than github.com also GITHUB_API_URL. Or set up the GitHub App.",
  });
}

async function deliver(raw: RawDelivery, options: WaitingOptions, parts: Parts) {
  const { forge, store, repositoryIds, worker } = parts;
  const { database, now } = store;
  const { hashParts } = await import("../base/hash.ts");
  const received = {
    ...raw,
    bytes: Buffer.byteLength(raw.body),
    bodyHash: hashParts([raw.body]),
    receivedAt: now(),
  };
  const planned = await planDelivery(received, { forge, repositoryIds });
  if (planned.plan.kind === "failed") {
    const { code, message } = planned.plan;
    throw new KodiaiError(code, message, { hint: "Check that the file has the payload of this event." });
  }
  const [recorded] = await database.transaction((sql) => recordDeliveries([planned], worker.queue, sql));
  const skipped = reasonOf(recorded);
  return { skipped, results: skipped === null ? await runAll(options, parts) : [] };
}

function reasonOf(recorded: DeliveryResult | ConflictingDelivery | undefined): string | null {
  return recorded?.state === "skipped" ? recorded.reason : null;
}

async function review(
  { origin, owner, name, number }: PullRequestAddress,
  { isFull, ...options }: PublishOptions,
  parts: Parts,
): Promise<OneShotResult> {
  const { forge, repositoryIds, apiUrl, store, worker, mayRepeat } = parts;
  if (!isApiOf(apiUrl, origin))
    throw new KodiaiError("config", `the token is for ${apiUrl}, but the pull request is on ${origin}`, {
      hint: "Set GITHUB_API_URL and the token for that host.",
    });
  const found = await forge.findRepository(owner, name);
  if (found === null)
    throw new KodiaiError("not-found", `the token can't read ${owner}/${name}`, {
      hint: "Check the address, and that the token can read that repository.",
    });
  const { request } = planReview({
    repositoryRef: await toRepositoryRef(found, repositoryIds),
    number,
    head: "",
    isBot: false,
    // A caller that only wants missing reviews has requested none of them.
    trigger: mayRepeat ? "command-line" : "sweep",
    // Two processes that review one head share it, and so they publish one review.
    requestId: "",
    isFull,
    reactTo: null,
    requester: null,
  });
  const [enqueued] = await enqueue(request, store, worker);
  const results = await runAll(options, parts);
  const own = results.find(({ job }) => job.id === enqueued?.jobId);
  if (own === undefined) throw new TypeError("a queued job must be among those that have run");
  return own;
}

function enqueue(request: JobRequest, { database }: Store, { queue }: WorkerDeps) {
  return database.transaction((sql) => queue.enqueue([request], sql));
}

async function runAll(
  options: WaitingOptions,
  { worker, reviews }: Parts,
): Promise<readonly OneShotResult[]> {
  worker.queue.wake();
  const waiting = { ...options, workerName: workerName(), shortLanes: SHORT_LANES };
  const jobs = await runUntilIdle(waiting, worker);
  // Memories of a temporary database are nothing to report.
  return jobs.filter(({ kind }) => kind !== EMBED_KIND).map((job) => toResult(job, reviews.get(job.id)));
}

function toResult(job: Job, reviewed: OneShotReview | undefined): OneShotResult {
  if (reviewed === undefined) return { job, publication: null, failOn: null, written: null };
  const { publication, failOn, outcome } = reviewed;
  return { job, publication, failOn, written: outcome.kind === "published" ? outcome.written : null };
}
