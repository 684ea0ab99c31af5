/** Asks GitHub to send again what did not reach us: it never does so by itself. */
import type { Log } from "../../base/log.ts";
import type { GithubClient } from "./github-client.ts";
import { hasStatus } from "./github-error.ts";
import { githubNow } from "./github-time.ts";

export type FailedDelivery = {
  readonly id: number;
  readonly guid: string;
  readonly deliveredAtMs: number;
  readonly isReceived: boolean;
};

/** What failed this often while we were there to ask is not healed by asking once more. */
const MAX_ATTEMPTS = 5;

/** A hundred deliveries each: more than three days of a busy app, and an end to a list that has none. */
const MAX_PAGES = 100;

export type RedeliverDeps = { readonly app: GithubClient; readonly log: Log; readonly now: () => number };

/** The number that GitHub agreed to send again. */
export async function redeliverFailed(withinMs: number, deps: RedeliverDeps): Promise<number> {
  const { app, log } = deps;
  let asked = 0;
  for (const { id, guid } of chooseFailed(await listDeliveries(withinMs, deps))) {
    try {
      await app.request("POST /app/hook/deliveries/{delivery_id}/attempts", { delivery_id: id });
      asked += 1;
    } catch (error) {
      // One that GitHub does not send again, for instance because its log has just lost it, must not hold up the others.
      if (!hasStatus(error, 404) && !hasStatus(error, 422)) throw error;
      log.warn("a delivery cannot be had again", { delivery: guid, reason: error.message });
    }
  }
  return asked;
}

/** One attempt of each delivery whose attempts have all failed, oldest first; attempts of one delivery share its guid. */
export function chooseFailed(deliveries: readonly FailedDelivery[]): readonly FailedDelivery[] {
  const attempts = new Map<string, FailedDelivery[]>();
  for (const delivery of deliveries) {
    const known = attempts.get(delivery.guid);
    if (known === undefined) attempts.set(delivery.guid, [delivery]);
    else known.push(delivery);
  }
  return [...attempts.values()]
    .filter((same) => same.length < MAX_ATTEMPTS && !same.some(({ isReceived }) => isReceived))
    .flatMap((same) => same.slice(0, 1))
    .sort((left, right) => left.deliveredAtMs - right.deliveredAtMs);
}

/** Newest first, those of the last `withinMs`. */
async function listDeliveries(
  withinMs: number,
  { app, now }: RedeliverDeps,
): Promise<readonly FailedDelivery[]> {
  const deliveries: FailedDelivery[] = [];
  let pages = 0;
  for await (const { data, headers } of app.paginate.iterator("GET /app/hook/deliveries", {
    per_page: 100,
  })) {
    const page = data.map(({ id, guid, delivered_at: deliveredAt, status_code: status }) => ({
      id: Number(id),
      guid,
      deliveredAtMs: Date.parse(deliveredAt),
      isReceived: status >= 200 && status < 300,
    }));
    const sinceMs = githubNow(headers, now()) - withinMs;
    const young = page.filter(({ deliveredAtMs }) => deliveredAtMs >= sinceMs);
    deliveries.push(...young);
    pages += 1;
    if (young.length < page.length || pages === MAX_PAGES) break;
  }
  return deliveries;
}
