/** Finds repositories whose memories have to be embedded: after a change of the provider, or when an earlier job failed. */
import type { Queue } from "../../queue/queue.ts";
import type { Database } from "../../store/database.ts";
import { listMemorySpaces } from "../../store/repositories/memory-spaces.ts";
import { planEmbed } from "./embed-job.ts";
import { BLOCKED_RETRY_MS, isDue, openFor } from "./embed-memories.ts";
import type { MemorySource } from "./memory-source.ts";

/** Repositories per statement: with SQLite, one takes a few milliseconds. */
const PAGE = 200;

export type PlanEmbedsDeps = {
  readonly database: Database;
  readonly queue: Queue;
  readonly memory: MemorySource;
  readonly now: () => number;
};

/** Sends nothing to a provider. Plans one job per repository and period at most. Returns how many jobs are new. */
export async function planDueEmbeds(deps: PlanEmbedsDeps): Promise<number> {
  const { database, queue, memory } = deps;
  const cause = `due/${Math.floor(deps.now() / BLOCKED_RETRY_MS)}`;
  let planned = 0;
  for (let after = 0; ;) {
    const page = await listMemorySpaces({ after, limit: PAGE }, database);
    const due: number[] = [];
    for (const spaces of page) {
      const { embeddings } = await openFor(spaces, memory);
      if (isDue(spaces, embeddings)) due.push(spaces.repositoryId);
    }
    if (due.length > 0) {
      const enqueued = await database.transaction((sql) =>
        queue.enqueue(
          due.map((repositoryId) => planEmbed(repositoryId, cause)),
          sql,
        ),
      );
      planned += enqueued.filter(({ isNew }) => isNew).length;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last.repositoryId;
  }
  if (planned > 0) queue.wake();
  return planned;
}
