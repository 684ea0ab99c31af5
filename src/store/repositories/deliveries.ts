/**
 * Webhooks that were accepted. A delivery is `received` until it is known what becomes of it, and keeps its body until
 * then; every one ends with a reason.
 */
import { KodiaiError } from "../../base/errors.ts";
import type { Row, Sql } from "../database.ts";
import { inBatches, rowsOf } from "../many-rows.ts";

export type DeliveryState = "received" | "queued" | "skipped" | "failed";

/** What the body says about itself; known once it has been parsed. */
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
  /** Of the bytes as they came: SHA-256 in hexadecimal. */
  readonly bodyHash: string;
  /** The JSON as it came; null when it has been parsed and is not needed again. */
  readonly body: string | null;
};

export type Delivery = DeliveryFacts & {
  readonly guid: string;
  readonly event: string;
  readonly bytes: number;
  readonly receivedAt: number;
  readonly state: DeliveryState;
  /** `group:detail`; null while it is not settled. */
  readonly reason: string | null;
  readonly jobId: number | null;
};

export type Settlement = {
  readonly state: Exclude<DeliveryState, "received">;
  readonly reason: string | null;
  readonly jobId: number | null;
  /** What has been learnt since it was inserted; what is null changes nothing. */
  readonly facts?: DeliveryFacts;
  /** A job is going to read the body. */
  readonly keepBody?: boolean;
};

const COLUMNS =
  "guid, event, action, installation_id, repository_id, repository, pull_request, sender, bytes, received_at, state, reason, job_id";

export type Insertion = "inserted" | "known" | "conflict";

/**
 * One answer for each, in their order. `known`, `conflict`: nothing has changed, since there is one with this id, with the same
 * body or with another; it may be one of the same list.
 */
export async function insertDeliveries(
  deliveries: readonly NewDelivery[],
  sql: Sql,
): Promise<readonly Insertion[]> {
  // In an order that another server with the same deliveries has too, so that the two do not wait for each other.
  const sorted = deliveries.toSorted((a, b) => (a.guid < b.guid ? -1 : a.guid > b.guid ? 1 : 0));
  const inserted = await inBatches(sorted, (batch) => insertAll(batch, sql));
  const fresh = new Set(inserted.map(({ guid }) => guid));
  const results = new Map<NewDelivery, Insertion>();
  for (const delivery of sorted) if (fresh.delete(delivery.guid)) results.set(delivery, "inserted");
  for (const delivery of deliveries)
    if (!results.has(delivery))
      results.set(delivery, (await isSameBody(delivery, sql)) ? "known" : "conflict");
  return deliveries.map((delivery) => results.get(delivery) ?? "known");
}

function insertAll(batch: readonly NewDelivery[], sql: Sql): Promise<readonly { readonly guid: string }[]> {
  const rows = batch.map((delivery) => [
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
    "received",
    delivery.body,
    delivery.bodyHash,
  ]);
  return sql.query<{ guid: string }>(
    `insert into deliveries (guid, event, bytes, received_at, action, installation_id, repository_id, repository,
       pull_request, sender, state, body, body_hash)
     values ${rowsOf(rows.length, 13)} on conflict (guid) do nothing returning guid`,
    rows.flat(),
  );
}

/** Whether the one with this id had the same body. */
async function isSameBody({ guid, bodyHash }: NewDelivery, sql: Sql): Promise<boolean> {
  const [known] = await sql.query<{ body_hash: string | null }>(
    "select body_hash from deliveries where guid = $1",
    [guid],
  );
  // Of one that an earlier version recorded it is not known.
  return known?.body_hash == null || known.body_hash === bodyHash;
}

export type SettledDelivery = Omit<Settlement, "facts"> &
  Pick<NewDelivery, "guid" | "event" | "bytes" | "receivedAt">;

/** Says what became of deliveries that were inserted, and forgets the bodies but of those that are still to be read. */
export async function settleDeliveries(settled: readonly SettledDelivery[], sql: Sql): Promise<void> {
  await inBatches(settled, (batch) =>
    sql.query(
      // None is inserted. A server finds rows that it would insert by the index, whatever it believes the table to be: the plan of
      // an update of many is kept from when the table was small.
      `insert into deliveries as known (guid, event, bytes, received_at, state, reason, job_id, body)
       values ${rowsOf(batch.length, 8)} on conflict (guid) do update set
         state = excluded.state, reason = excluded.reason, job_id = excluded.job_id,
         body = case when excluded.body is null then null else known.body end`,
      batch.flatMap(({ guid, event, bytes, receivedAt, state, reason, jobId, keepBody = false }) => [
        guid,
        event,
        bytes,
        receivedAt,
        state,
        reason,
        jobId,
        keepBody ? "kept" : null,
      ]),
    ),
  );
}

/** Says what became of it, and forgets the body unless it is still to be read. */
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

/** Finds a delivery by its id or by as much of it as is unique. */
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

/** Null when the delivery is not known or its body is no longer needed. */
export async function readDeliveryBody(guid: string, sql: Sql): Promise<string | null> {
  const [row] = await sql.query<{ body: string | null }>("select body from deliveries where guid = $1", [
    guid,
  ]);
  return row?.body ?? null;
}

/** Newest first; only those that led to no job when `withoutJob`. */
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

/** Forgets settled deliveries that came before then; how many. */
export async function deleteDeliveriesBefore(timeMs: number, sql: Sql): Promise<number> {
  const rows = await sql.query(
    "delete from deliveries where received_at < $1 and state <> 'received' returning guid",
    [timeMs],
  );
  return rows.length;
}

/** Every `as` names the type that its column has in the migration. */
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
