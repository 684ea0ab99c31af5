/** Parses a delivery that wasn't parsed before its acknowledgement, and enqueues its job. */
import type { Forge } from "../forge/forge.ts";
import type { Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";
import { readDeliveryBody, readDelivery, settleDelivery } from "../store/repositories/deliveries.ts";
import type { RepositoryIds } from "../store/repositories/repository-ids.ts";
import type { JobOutcome, Recipe } from "./recipe.ts";
import { type PlanDeps, planEvent, saveHeads, settlePlans } from "./record-delivery.ts";

export type TranslateDeps = {
  readonly database: Database;
  readonly queue: Queue;
  readonly forge: PlanDeps["forge"] & Pick<Forge, "checkCredentials">;
  readonly repositoryIds: RepositoryIds;
};

export function createTranslateRecipe(deps: TranslateDeps): Recipe {
  let isNameKnown = false;
  return {
    async run({ job }) {
      // Without the app's name, a command to it looks like any other comment.
      if (!isNameKnown) await deps.forge.checkCredentials();
      isNameKnown = true;
      return translate(job.payload, deps);
    },
    giveUp: async () => {},
  };
}

async function translate(payload: string, deps: TranslateDeps): Promise<JobOutcome> {
  const { database, queue } = deps;
  // Only deferDelivery writes this payload.
  const { id } = JSON.parse(payload) as { readonly id: string };
  const [delivery, body] = await Promise.all([readDelivery(id, database), readDeliveryBody(id, database)]);
  if (delivery === null || body === null) return { state: "done", reason: "translated" };
  const planned = await planEvent({ id, event: delivery.event, body }, deps);
  const settled = await database.transaction(async (sql) => {
    const states = await settlePlans(
      [{ ...planned, receivedAt: delivery.receivedAt }],
      (requests) => queue.enqueue(requests, sql),
      sql,
    );
    await saveHeads([planned], sql);
    for (const state of states) await settleDelivery(id, { ...state, facts: planned.facts }, sql);
    return states;
  });
  queue.wake();
  return { state: "done", reason: `translated:${settled.map(({ state }) => state).join()}` };
}
