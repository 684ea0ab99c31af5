/** Records received webhooks: plans the job of each and commits those that arrive together in one transaction. */
import {
  type ConflictingDelivery,
  deferDelivery,
  type DeliveryResult,
  dependsOnName,
  planDelivery,
  type PlanDeps,
  type PlannedDelivery,
  recordDeliveries,
} from "../jobs/record-delivery.ts";
import type { Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";
import type { RepositoryIds } from "../store/repositories/repository-ids.ts";
import { createGroupCommit } from "../store/group-commit.ts";

/** Parsing a larger body would delay other acknowledgements, so a job parses it. */
const MAX_PARSED_BYTES = 512 * 1024;

/** A webhook with a valid signature. */
export type ReceivedWebhook = {
  readonly id: string;
  readonly event: string;
  readonly bytes: Uint8Array;
  readonly bodyHash: string;
  readonly receivedAt: number;
  /** The app's name, null until GitHub has returned it. */
  readonly slug: string | null;
};

/** `bad-json`: nothing was recorded. */
export type Recorded = DeliveryResult | ConflictingDelivery | { readonly state: "bad-json" };

export type Intake = {
  /** Resolves when the webhook is on disk. Rejects with a KodiaiError if it can't be written. */
  record(received: ReceivedWebhook): Promise<Recorded>;
  /** Call it when no webhook is being recorded. */
  close(): Promise<void>;
};

export type IntakeDeps = {
  readonly database: Database;
  readonly queue: Pick<Queue, "startEnqueuing">;
  /** The forge of an app with this name. */
  readonly readEvents: (slug: string | null) => PlanDeps["forge"];
  readonly repositoryIds: RepositoryIds;
};

export function createIntake({ database, queue, readEvents, repositoryIds }: IntakeDeps): Intake {
  // A commit waits for the disk, so deliveries of one turn of the event loop share one.
  const commits = createGroupCommit<PlannedDelivery, Recorded>(database, (deliveries, sql) =>
    recordDeliveries(deliveries, queue, sql),
  );
  return {
    async record({ id, event, bytes, bodyHash, receivedAt, slug }) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
      const raw = { id, event, body: text, bytes: bytes.length, bodyHash, receivedAt };
      if (raw.bytes > MAX_PARSED_BYTES) return commits.add(deferDelivery(raw));
      const delivery = await planDelivery(raw, { forge: readEvents(slug), repositoryIds });
      const { plan } = delivery;
      // Without the app's name a mention of it can't be recognized. A job looks again once the name is known.
      if (slug === null && dependsOnName(plan)) return commits.add(deferDelivery(raw));
      return plan.kind === "failed" && plan.code === "bad-json"
        ? { state: "bad-json" }
        : commits.add(delivery);
    },
    close: () => Promise.resolve(),
  };
}
