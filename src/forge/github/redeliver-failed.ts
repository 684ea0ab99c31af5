/** Requests redelivery of failed webhooks, because GitHub never retries them on its own. */
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

/** A delivery that failed this often won't succeed with one more attempt. */
const MAX_ATTEMPTS = 5;

/** Pages of a hundred deliveries: more than three days of a busy app, and an end to an endless list. */
const MAX_PAGES = 100;

export type RedeliverDeps = { readonly app: GithubClient; readonly log: Log; readonly now: () => number };

/** Returns the number of deliveries that GitHub accepted for redelivery. */
export async function redeliverFailed(withinMs: number, deps: RedeliverDeps): Promise<number> {
  const { app, log } = deps;
  let requested = 0;
  for (const { id, guid } of chooseFailed(await listDeliveries(withinMs, deps))) {
    try {
      await app.request("POST /app/hook/deliveries/{delivery_id}/attempts", { delivery_id: id });
      requested += 1;
    } catch (error) {
      // A delivery that GitHub can't resend, for example because its log has expired, must not stop the others.
      if (!hasStatus(error, 404) && !hasStatus(error, 422)) throw error;
      log.warn("a delivery can't be redelivered", { delivery: guid, reason: error.message });
    }
  }
  return requested;
}

/** Returns one attempt of each delivery whose attempts all failed, oldest first. Attempts of a delivery share its guid. */
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

/** Lists the deliveries of the last `withinMs`, newest first. */
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
    const recent = page.filter(({ deliveredAtMs }) => deliveredAtMs >= sinceMs);
    deliveries.push(...recent);
    pages += 1;
    if (recent.length < page.length || pages === MAX_PAGES) break;
  }
  return deliveries;
}
