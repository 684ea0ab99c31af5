/**
 * Accepted webhook deliveries. A delivery is inserted with its outcome. One whose body a job has still to parse keeps the body until
 * then.
 */
import { KodiaiError } from "../../base/errors.ts";
import type { Row, Sql } from "../database.ts";
import { inBatchesAtOnce, lookUps, rowsOf } from "../many-rows.ts";

export type DeliveryState = "received" | "queued" | "skipped" | "failed";

/** Facts from the body, known once it is parsed. */
export type DeliveryFacts = {
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly repository: string | null;
  readonly pullRequest: number | null;
  readonly sender: string | null;
};

export type NewDelivery = DeliveryFacts & {
  readonly guid: string;
  readonly event: string;
  readonly bytes: number;
  readonly receivedAt: number;
  /** Identifies the received bytes: their SHA-256, or the name of a secret, a dash, and their signature with it. */
  readonly bodyHash: string;
  /** The received JSON. Null if it was parsed and isn't needed again. */
  readonly body: string | null;
} & Pick<Delivery, "state" | "reason" | "jobId">;

export type Delivery = DeliveryFacts & {
  readonly guid: string;
  readonly event: string;
  readonly bytes: number;
  readonly receivedAt: number;
  readonly state: DeliveryState;
  /** `group:detail`. Null until the delivery is settled. */
  readonly reason: string | null;
  readonly jobId: number | null;
};

export type Settlement = {
  readonly state: Exclude<DeliveryState, "received">;
  readonly reason: string | null;
  readonly jobId: number | null;
  /** Facts learned since the insert. Null fields change nothing. */
  readonly facts?: DeliveryFacts;
  /** Keeps the body, because a job will read it. */
  readonly keepBody?: boolean;
};

const COLUMNS =
  "guid, event, action, installation_id, repository_id, repository, pull_request, sender, bytes, received_at, state, reason, job_id";

/** `known`: a delivery with this id and the same body exists. `conflict`: one with this id and another body exists. */
export type Familiarity = "new" | "known" | "conflict";

/** Returns one answer per delivery, in order. Earlier deliveries of the list count as existing. */
export async function findDeliveries(
  deliveries: readonly Pick<NewDelivery, "guid" | "bodyHash">[],
  sql: Sql,
): Promise<readonly Familiarity[]> {
  const found = await inBatchesAtOnce([...new Set(deliveries.map(({ guid }) => guid))], (batch) =>
    sql.query<{ guid: string; body_hash: string | null }>(
      lookUps(batch.length, "select guid, body_hash from deliveries where guid ="),
      batch,
    ),
  );
  const hashes = new Map(found.map(({ guid, body_hash: bodyHash }) => [guid, bodyHash]));
  return deliveries.map(({ guid, bodyHash }) => {
    const known = hashes.get(guid);
    if (known === undefined) hashes.set(guid, bodyHash);
    if (known === undefined) return "new";
    // Earlier versions stored no hash.
    return known === null || known === bodyHash || kindOf(known) !== kindOf(bodyHash) ? "known" : "conflict";
  });
}

/** Hashes of different kinds, or with different secrets, say nothing about each other. */
function kindOf(bodyHash: string): string {
  return bodyHash.slice(0, Math.max(0, bodyHash.lastIndexOf("-")));
}

/** Inserts deliveries with different ids. Returns those that exist by now, because another server has inserted them. */
export async function insertDeliveries<Inserted extends NewDelivery>(
  deliveries: readonly Inserted[],
  sql: Sql,
): Promise<readonly Inserted[]> {
  // Sorted, so that two servers with the same deliveries lock rows in the same order and can't deadlock.
  const sorted = deliveries.toSorted((a, b) => (a.guid < b.guid ? -1 : a.guid > b.guid ? 1 : 0));
  const rows = await inBatchesAtOnce(sorted, (batch) => insertAll(batch, sql));
  const inserted = new Set(rows.map(({ guid }) => guid));
  return deliveries.filter(({ guid }) => !inserted.has(guid));
}

function insertAll(batch: readonly NewDelivery[], sql: Sql): Promise<readonly { readonly guid: string }[]> {
  return sql.query<{ guid: string }>(
    `insert into deliveries (guid, event, bytes, received_at, action, installation_id, repository_id, repository,
       pull_request, sender, state, reason, job_id, body, body_hash)
     values ${rowsOf(batch.length, 15)} on conflict (guid) do nothing returning guid`,
    batch.flatMap((delivery) => [
      delivery.guid,
      delivery.event,
      delivery.bytes,
      delivery.receivedAt,
      delivery.action,
      delivery.installationId,
      delivery.repositoryId,
      delivery.repository,
      delivery.pullRequest,
      delivery.sender,
      delivery.state,
      delivery.reason,
      delivery.jobId,
      delivery.body,
      delivery.bodyHash,
    ]),
  );
}

/** Settles a delivery, and deletes its body unless a job will read it. */
export async function settleDelivery(guid: string, settlement: Settlement, sql: Sql): Promise<void> {
  const { state, reason, jobId, facts, keepBody = false } = settlement;
  await sql.query(
    `update deliveries set state = $2, reason = $3, job_id = $4, body = case when $11 = 1 then body else null end,
       action = coalesce($5, action), installation_id = coalesce($6, installation_id),
       repository_id = coalesce($7, repository_id), repository = coalesce($8, repository),
       pull_request = coalesce($9, pull_request), sender = coalesce($10, sender)
     where guid = $1`,
    [
      guid,
      state,
      reason,
      jobId,
      facts?.action ?? null,
      facts?.installationId ?? null,
      facts?.repositoryId ?? null,
      facts?.repository ?? null,
      facts?.pullRequest ?? null,
      facts?.sender ?? null,
      keepBody ? 1 : 0,
    ],
  );
}

/** Finds a delivery by its id or by a unique prefix of it. */
export async function readDelivery(guidOrPrefix: string, sql: Sql): Promise<Delivery | null> {
  const [exact] = await sql.query(`select ${COLUMNS} from deliveries where guid = $1`, [guidOrPrefix]);
  if (exact !== undefined) return toDelivery(exact);
  const [found, second] = await sql.query(
    `select ${COLUMNS} from deliveries where substr(guid, 1, $2) = $1 order by received_at desc limit 2`,
    [guidOrPrefix, guidOrPrefix.length],
  );
  if (second !== undefined) {
    throw new KodiaiError("usage", `Several deliveries start with ${guidOrPrefix}`, {
      hint: "Give more characters of the delivery's id.",
    });
  }
  return found === undefined ? null : toDelivery(found);
}

/** Null if the delivery is unknown or its body was deleted. */
export async function readDeliveryBody(guid: string, sql: Sql): Promise<string | null> {
  const [row] = await sql.query<{ body: string | null }>("select body from deliveries where guid = $1", [
    guid,
  ]);
  return row?.body ?? null;
}

/** Newest first. With `withoutJob`, only deliveries that led to no job. */
export async function listDeliveries(
  { limit, withoutJob }: { readonly limit: number; readonly withoutJob: boolean },
  sql: Sql,
): Promise<readonly Delivery[]> {
  const condition = withoutJob ? "where job_id is null" : "";
  const rows = await sql.query(
    `select ${COLUMNS} from deliveries ${condition} order by received_at desc, guid limit $1`,
    [limit],
  );
  return rows.map(toDelivery);
}

/** Deliveries that led to this job, oldest first. */
export async function deliveriesOfJob(jobId: number, sql: Sql): Promise<readonly Delivery[]> {
  const rows = await sql.query(
    `select ${COLUMNS} from deliveries where job_id = $1 order by received_at, guid`,
    [jobId],
  );
  return rows.map(toDelivery);
}

/** Deletes settled deliveries received before then and returns how many. */
export async function deleteDeliveriesBefore(timeMs: number, sql: Sql): Promise<number> {
  const rows = await sql.query(
    "delete from deliveries where received_at < $1 and state <> 'received' returning guid",
    [timeMs],
  );
  return rows.length;
}

/** Each `as` names the type its column has in the migration. */
function toDelivery(row: Row): Delivery {
  return {
    guid: row["guid"] as string,
    event: row["event"] as string,
    action: row["action"] as string | null,
    installationId: row["installation_id"] as number | null,
    repositoryId: row["repository_id"] as number | null,
    repository: row["repository"] as string | null,
    pullRequest: row["pull_request"] as number | null,
    sender: row["sender"] as string | null,
    bytes: row["bytes"] as number,
    receivedAt: row["received_at"] as number,
    state: row["state"] as DeliveryState,
    reason: row["reason"] as string | null,
    jobId: row["job_id"] as number | null,
  };
}
