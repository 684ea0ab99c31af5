/**
 * The line in which groups wait for their turn, kept by pg-boss: a queue of its own for each lane, an entry for each
 * group that has something to run there. Whoever fetches an entry has the group's turn; a group that has more to run
 * goes to the end. `job_turns` remembers who stands in line, so that nobody stands there twice.
 */
import { PgBoss, type Db } from "pg-boss";
import type { Database, Sql, SqlValue } from "../../store/database.ts";
import { type QueueTransaction, openQueueTransaction, type TurnKey } from "../rules/queue-transaction.ts";
import { RESERVED_LANE_PREFIX } from "../queue.ts";

/** The engine's schema, beside our tables. */
const ENGINE_SCHEMA = "kodiai_queue";

export type GroupTurns = {
  /** Puts everybody in line who has become ready, and whoever of these groups can run something now that one has left. */
  queue(transaction: QueueTransaction, leftGroups: readonly string[]): Promise<void>;
  /** Puts everybody in line who has something to run and does not stand there. */
  queueAll(sql: Sql): Promise<void>;
  /** Puts everybody in line who has something to run, also those who are only said to stand there. */
  repair(sql: Sql): Promise<void>;
  /** Puts groups at the end of a line in which they are known to stand. */
  enter(lane: string, groups: readonly string[], sql: Sql): Promise<void>;
  /** Takes at most so many turns: the groups whose turn it is. */
  take(lane: string, count: number, sql: Sql): Promise<readonly string[]>;
  /** Of these lanes, or of all that are not reserved: those where somebody stands in line. */
  occupied(lanes: readonly string[] | null): Promise<readonly string[]>;
  close(): Promise<void>;
};

type Turn = { readonly group: string };

const QUEUE_GROUPS = `with place as (
    select place.lane, place.job_group from json_to_recordset($1::json) as place (lane text, job_group text)
    union
    select other.lane, other.job_group from job_turns as other
    where other.is_shared = 1 and other.job_group in (select value from json_array_elements_text($2::json)) and exists (
      select 1 from jobs
      where jobs.state = 'ready' and jobs.lane = other.lane and jobs.job_group = other.job_group))
  insert into job_turns (lane, job_group, is_shared, is_waiting, turn)
  select lane, job_group, 1, 1, 0 from place order by job_group, lane
  on conflict (lane, job_group) do update set is_waiting = 1 where job_turns.is_waiting = 0
  returning lane, job_group`;

/** From one lane to the next in an index, so that it does not matter how many groups wait. */
const OCCUPIED_LANES = `with recursive occupied (lane) as (
    select min(lane) from job_turns where is_waiting = 1
    union all
    select (select min(lane) from job_turns where is_waiting = 1 and job_turns.lane > occupied.lane)
    from occupied where lane is not null)
  select lane from occupied where lane is not null`;

/** Whoever is said to stand in line and does not: it was dropped, or was not part of a backup. */
const FORGET_LOST_PLACES = `update job_turns set is_waiting = 0
  where is_waiting = 1 and is_shared = 1 and not exists (
    select 1 from ${ENGINE_SCHEMA}.job as entry
    where entry.name = job_turns.lane and entry.data ->> 'group' = job_turns.job_group)`;

export async function openGroupTurns(
  database: Database,
  onError: (error: Error) => void,
): Promise<GroupTurns> {
  const engine = new PgBoss({
    db: engineDatabase(database),
    schema: ENGINE_SCHEMA,
    // It has nothing to supervise or to clean up: an entry is gone as soon as it is fetched.
    supervise: false,
    schedule: false,
  });
  // It says what it caught as an object that is no error.
  engine.on("error", ({ message }) => onError(new Error(message)));
  const opened = new Set<string>();

  async function openLane(lane: string): Promise<void> {
    if (opened.has(lane)) return;
    await engine.createQueue(lane);
    opened.add(lane);
  }

  async function enter(lane: string, groups: readonly string[], sql: Sql): Promise<void> {
    if (groups.length === 0) return;
    await openLane(lane);
    const turns = groups.map((group) => ({ data: { group } satisfies Turn }));
    await engine.insert(lane, turns, { db: engineDatabase(sql), returnId: false });
  }

  async function queue({ ready, sql }: QueueTransaction, leftGroups: readonly string[]): Promise<void> {
    const shared = ready.splice(0).filter(({ lane }) => !isReserved(lane));
    if (shared.length === 0 && leftGroups.length === 0) return;
    const stood = await sql.query<{ lane: string; job_group: string }>(QUEUE_GROUPS, [
      JSON.stringify(shared.map(({ lane, group }) => ({ lane, job_group: group }))),
      JSON.stringify(leftGroups),
    ]);
    for (const [lane, groups] of byLane(stood.map(({ lane, job_group: group }) => ({ lane, group })))) {
      await enter(lane, groups, sql);
    }
  }

  async function queueAll(sql: Sql): Promise<void> {
    const places = await sql.query<{ lane: string; job_group: string }>(
      "select distinct lane, job_group from jobs where state = 'ready'",
    );
    // Nothing of what is done here asks for the time.
    const transaction = openQueueTransaction(sql, 0);
    for (const { lane, job_group: group } of places) transaction.ready.push({ lane, group });
    await queue(transaction, []);
  }

  /** It makes or renews its tables when it starts, which two processes must not do at once. */
  async function startAlone(): Promise<void> {
    const { lockSchema } = database.dialect;
    if (lockSchema === null) throw new Error("The engine of this queue needs PostgreSQL.");
    await database.transaction(async (sql) => {
      await sql.query(lockSchema);
      // On other connections, since its statements have transactions of their own.
      await engine.start();
      await repair(sql);
    });
  }

  async function repair(sql: Sql): Promise<void> {
    await sql.query(FORGET_LOST_PLACES);
    await queueAll(sql);
  }

  await startAlone();
  return {
    queue,
    queueAll,
    repair,
    enter,
    async take(lane, count, sql) {
      const db = engineDatabase(sql);
      const entries = await engine.fetch<Turn>(lane, { batchSize: count, db });
      if (entries.length === 0) return [];
      await engine.deleteJob(
        lane,
        entries.map(({ id }) => id),
        { db },
      );
      return entries.map(({ data }) => data.group);
    },
    async occupied(wanted) {
      const rows = await database.query<{ lane: string }>(OCCUPIED_LANES);
      return rows.map(({ lane }) => lane).filter((lane) => wanted?.includes(lane) ?? true);
    },
    close: () => engine.stop({ close: false, graceful: false }),
  };
}

export function isReserved(lane: string): boolean {
  return lane.startsWith(RESERVED_LANE_PREFIX);
}

/** The engine's statements on our connections, within our transactions. */
function engineDatabase(sql: Sql): Db {
  return {
    async executeSql(text, values = []) {
      // Its values are texts, numbers and lists of them, which the driver knows; its rows are read by itself.
      return { rows: [...(await sql.query(text, values as readonly SqlValue[]))] };
    },
  };
}

function byLane(places: readonly TurnKey[]): ReadonlyMap<string, readonly string[]> {
  const grouped = Map.groupBy(places, ({ lane }) => lane);
  return new Map([...grouped].map(([lane, of]) => [lane, of.map(({ group }) => group)]));
}
