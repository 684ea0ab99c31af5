/** Whether the server can do its work now: the database can be written, the queue moves, GitHub accepts our credentials. */
import { describeError } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { Forge } from "../forge/forge.ts";
import type { Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";

/** Probes come every few seconds; GitHub is not asked that often. */
const CREDENTIALS_KEPT_MS = 30_000;

/** Anybody may ask, as often as they like; the database is written to once a second at most. */
const ANSWER_KEPT_MS = 1_000;

/** A job that could run and has waited this long shows that nobody works. */
const MAX_READY_AGE_MS = 15 * 60 * 1_000;

type Check = { readonly isReady: boolean; readonly detail: string };

export type Readiness = { readonly isReady: boolean; readonly checks: Readonly<Record<string, Check>> };

export type ReadinessDeps = {
  readonly database: Pick<Database, "assertWritable">;
  readonly queue: Pick<Queue, "stats">;
  readonly forge: Pick<Forge, "checkCredentials">;
  readonly log: Log;
};

export function createReadiness({ database, queue, forge, log }: ReadinessDeps): () => Promise<Readiness> {
  const checkStorage = attempt(async () => {
    await database.assertWritable();
    return { isReady: true, detail: "can be written" };
  });
  const checkQueue = attempt(async () => {
    const { queued, running, oldestReadyMs } = await queue.stats();
    const age = Math.round((oldestReadyMs ?? 0) / 1_000);
    const detail = `${queued} queued, ${running} running, oldest ready for ${age} s`;
    return { isReady: (oldestReadyMs ?? 0) <= MAX_READY_AGE_MS, detail };
  });
  const checkCredentials = keptFor(
    CREDENTIALS_KEPT_MS,
    attempt(async () => {
      const { slug } = await forge.checkCredentials();
      return { isReady: true, detail: `accepted as ${slug}` };
    }),
  );
  let wasReady = true;
  return keptFor(ANSWER_KEPT_MS, async () => {
    const [storage, jobs, github] = await Promise.all([checkStorage(), checkQueue(), checkCredentials()]);
    const checks = { database: storage, queue: jobs, github };
    const failed = Object.entries(checks).filter(([, { isReady: isWell }]) => !isWell);
    const isReady = failed.length === 0;
    // Most who ask are not told the details: the log has them.
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

/** The same answer for all who ask within this time of the question. */
function keptFor<Value>(keptMs: number, ask: () => Promise<Value>): () => Promise<Value> {
  let kept: { readonly at: number; readonly answer: Promise<Value> } | null = null;
  return () => {
    const at = performance.now();
    if (kept === null || at - kept.at > keptMs) kept = { at, answer: ask() };
    return kept.answer;
  };
}
