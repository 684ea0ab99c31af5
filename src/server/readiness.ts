/** Whether the server can do its work now: the database answers, the queue moves, GitHub accepts our credentials. */
import { describeError } from "../base/errors.ts";
import type { Forge } from "../forge/forge.ts";
import type { Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";

/** Probes come every few seconds; GitHub is not asked that often. */
const CREDENTIALS_KEPT_MS = 30_000;

/** A job that could run and has waited this long shows that nobody works. */
const MAX_READY_AGE_MS = 15 * 60 * 1_000;

type Check = { readonly isReady: boolean; readonly detail: string };

export type Readiness = { readonly isReady: boolean; readonly checks: Readonly<Record<string, Check>> };

export type ReadinessDeps = {
  readonly database: Database;
  readonly queue: Queue;
  readonly forge: Pick<Forge, "checkCredentials">;
  readonly now: () => number;
};

export function createReadiness({ database, queue, forge, now }: ReadinessDeps): () => Promise<Readiness> {
  let credentials: { readonly at: number; readonly check: Promise<Check> } | null = null;
  const checkCredentials = (): Promise<Check> => {
    if (credentials === null || now() - credentials.at > CREDENTIALS_KEPT_MS) {
      const check = attempt(async () => {
        const { slug } = await forge.checkCredentials();
        return { isReady: true, detail: `accepted as ${slug}` };
      });
      credentials = { at: now(), check };
    }
    return credentials.check;
  };
  return async () => {
    const [storage, jobs, github] = await Promise.all([
      attempt(async () => {
        await database.query("select 1 as one");
        return { isReady: true, detail: "answers" };
      }),
      attempt(async () => {
        const { queued, running, oldestReadyMs } = await queue.stats();
        const age = Math.round((oldestReadyMs ?? 0) / 1_000);
        const detail = `${queued} queued, ${running} running, oldest ready for ${age} s`;
        return { isReady: (oldestReadyMs ?? 0) <= MAX_READY_AGE_MS, detail };
      }),
      checkCredentials(),
    ]);
    const checks = { database: storage, queue: jobs, github };
    return { isReady: Object.values(checks).every(({ isReady }) => isReady), checks };
  };
}

async function attempt(check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    return { isReady: false, detail: describeError(error) };
  }
}
