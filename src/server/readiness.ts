/** Checks whether the server is ready: the database is writable, jobs are processed, and the forge accepts the credentials. */
import { describeError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Forge } from "../forge/forge.ts";
import type { Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";

/** Probes arrive every few seconds. GitHub gets a request less often. */
const CREDENTIALS_TTL_MS = 30_000;

/** Anyone can send any number of requests, so the database is checked no more than once per second. */
const RESULT_TTL_MS = 1_000;

/** A job that has been ready to run for this long means that no worker is running. */
const MAX_READY_AGE_MS = 15 * 60 * 1_000;

type Check = { readonly isReady: boolean; readonly detail: string };

export type Readiness = { readonly isReady: boolean; readonly checks: Readonly<Record<string, Check>> };

export type ReadinessDeps = {
  readonly database: Pick<Database, "assertWritable">;
  readonly queue: Pick<Queue, "stats">;
  readonly forge: Pick<Forge, "name" | "checkCredentials">;
  readonly log: Log;
};

export function createReadiness({ database, queue, forge, log }: ReadinessDeps): () => Promise<Readiness> {
  const checkStorage = attempt(async () => {
    await database.assertWritable();
    return { isReady: true, detail: "writable" };
  });
  const checkQueue = attempt(async () => {
    const { queued, running, oldestReadyMs } = await queue.stats();
    const age = Math.round((oldestReadyMs ?? 0) / 1_000);
    const detail = `${queued} queued, ${running} running, oldest ready for ${age} s`;
    return { isReady: (oldestReadyMs ?? 0) <= MAX_READY_AGE_MS, detail };
  });
  const checkCredentials = cacheFor(
    CREDENTIALS_TTL_MS,
    attempt(async () => {
      const { slug } = await forge.checkCredentials();
      return { isReady: true, detail: `accepted as ${slug}` };
    }),
  );
  let wasReady = true;
  return cacheFor(RESULT_TTL_MS, async () => {
    const [storage, jobs, credentials] = await Promise.all([
      checkStorage(),
      checkQueue(),
      checkCredentials(),
    ]);
    const checks = { database: storage, queue: jobs, [forge.name]: credentials };
    const failed = Object.entries(checks).filter(([, check]) => !check.isReady);
    const isReady = failed.length === 0;
    // Most callers don't get the details, so the log has them.
    if (!isReady && wasReady)
      log.error("not ready", Object.fromEntries(failed.map(([name, { detail }]) => [name, detail])));
    if (isReady && !wasReady) log.info("ready again");
    wasReady = isReady;
    return { isReady, checks };
  });
}

function attempt(check: () => Promise<Check>): () => Promise<Check> {
  return async () => {
    try {
      return await check();
    } catch (error) {
      return { isReady: false, detail: describeError(error) };
    }
  };
}

/** All calls within `ttlMs` share one result. */
function cacheFor<Value>(ttlMs: number, load: () => Promise<Value>): () => Promise<Value> {
  let cached: { readonly at: number; readonly result: Promise<Value> } | null = null;
  return () => {
    const at = performance.now();
    if (cached === null || at - cached.at > ttlMs) cached = { at, result: load() };
    return cached.result;
  };
}
