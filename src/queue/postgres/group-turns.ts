/**
 * Keeps the turns of groups in pg-boss: one pg-boss queue per lane, with one entry per group that has work there. The
 * worker that fetches an entry takes that group's turn; a group with more work is appended again. `job_turns` records
 * which groups have an entry, so that no group has two.
 */
import { PgBoss, type Db } from "pg-boss";
import type { Database, Sql, SqlValue } from "../../store/database.ts";
import { type QueueTransaction, openQueueTransaction, type TurnKey } from "../rules/queue-transaction.ts";
import { isSharedLane, RESERVED_LANE_PREFIX } from "../queue.ts";

/** Schema of pg-boss's own tables, separate from Kodiai's. */
const BOSS_SCHEMA = "kodiai_queue";

export type GroupTurns = {
  /** Queues turns for groups that became ready, and for `freedGroups`, where a job ended and another may now run. */
  queueReady(transaction: QueueTransaction, freedGroups: readonly string[]): Promise<void>;
  /** Queues a turn for every group that has work and no turn. */
  queueMissing(sql: Sql): Promise<void>;
  /** Like `queueMissing`, and also covers groups whose recorded turn has no entry in pg-boss. */
  repair(sql: Sql): Promise<void>;
  /** Appends entries for groups that `job_turns` already records as waiting. */
  append(lane: string, groups: readonly string[], sql: Sql): Promise<void>;
  /** Takes up to `count` turns and returns their groups. */
  take(lane: string, count: number, sql: Sql): Promise<readonly string[]>;
  /** Returns the lanes with waiting turns: of the given lanes, or of all shared ones. */
  lanesWithTurns(lanes: readonly string[] | null): Promise<readonly string[]>;
  close(): Promise<void>;
};

type Turn = { readonly group: string };

const QUEUE_TURNS = `with ready as (
    select ready.lane, ready.job_group from json_to_recordset($1::json) as ready (lane text, job_group text)
    union
    select other.lane, other.job_group from job_turns as other
    where other.is_shared = 1 and other.job_group in (select value from json_array_elements_text($2::json)) and exists (
      select 1 from jobs
      where jobs.state = 'ready' and jobs.lane = other.lane and jobs.job_group = other.job_group))
  insert into job_turns (lane, job_group, is_shared, is_waiting, turn)
  select lane, job_group, 1, 1, 0 from ready order by job_group, lane
  on conflict (lane, job_group) do update set is_waiting = 1 where job_turns.is_waiting = 0
  returning lane, job_group`;

/** Skips from lane to lane in an index, so its cost doesn't depend on the number of waiting groups. */
const LANES_WITH_TURNS = `with recursive waiting (lane) as (
    select min(lane) from job_turns where is_waiting = 1
    union all
    select (select min(lane) from job_turns where is_waiting = 1 and job_turns.lane > waiting.lane)
    from waiting where lane is not null)
  select lane from waiting where lane is not null`;

/** Clears recorded turns without an entry in pg-boss: its schema was dropped, or wasn't part of a backup. */
const CLEAR_LOST_TURNS = `update job_turns set is_waiting = 0
  where is_waiting = 1 and is_shared = 1 and not exists (
    select 1 from ${BOSS_SCHEMA}.job as entry
    where entry.name = job_turns.lane and entry.data ->> 'group' = job_turns.job_group)`;

/** One closure: its functions share one pg-boss and the lanes that it has opened. */
export async function openGroupTurns(
  database: Database,
  onError: (error: Error) => void,
): Promise<GroupTurns> {
  const boss = new PgBoss({
    db: bossDatabase(database),
    schema: BOSS_SCHEMA,
    // Entries are deleted when they are fetched, so there is nothing to supervise or clean up.
    supervise: false,
    schedule: false,
  });
  // pg-boss emits plain objects rather than errors.
  boss.on("error", ({ message }) => onError(new Error(message)));
  const opened = new Set<string>();

  async function openLane(lane: string): Promise<void> {
    if (opened.has(lane)) return;
    await boss.createQueue(lane);
    opened.add(lane);
  }

  async function append(lane: string, groups: readonly string[], sql: Sql): Promise<void> {
    if (groups.length === 0) return;
    await openLane(lane);
    const turns = groups.map((group) => ({ data: { group } satisfies Turn }));
    await boss.insert(lane, turns, { db: bossDatabase(sql), returnId: false });
  }

  async function queueReady({ ready, sql }: QueueTransaction, freedGroups: readonly string[]): Promise<void> {
    const shared = ready.splice(0).filter(({ lane }) => !isReserved(lane));
    if (shared.length === 0 && freedGroups.length === 0) return;
    const queued = await sql.query<{ lane: string; job_group: string }>(QUEUE_TURNS, [
      JSON.stringify(shared.map(({ lane, group }) => ({ lane, job_group: group }))),
      JSON.stringify(freedGroups),
    ]);
    for (const [lane, groups] of byLane(queued.map(({ lane, job_group: group }) => ({ lane, group })))) {
      await append(lane, groups, sql);
    }
  }

  async function queueMissing(sql: Sql): Promise<void> {
    const rows = await sql.query<{ lane: string; job_group: string }>(
      "select distinct lane, job_group from jobs where state = 'ready'",
    );
    // Queueing turns doesn't use the time.
    const transaction = openQueueTransaction(sql, 0);
    for (const { lane, job_group: group } of rows) transaction.ready.push({ lane, group });
    await queueReady(transaction, []);
  }

  /** Holds the schema lock while pg-boss creates or migrates its tables, so that only one process does it at a time. */
  async function startExclusively(): Promise<void> {
    const { lockSchema } = database.dialect;
    if (lockSchema === null) throw new Error("This queue engine requires PostgreSQL.");
    await database.transaction(async (sql) => {
      await sql.query(lockSchema);
      // pg-boss uses other connections, because its statements manage their own transactions.
      await boss.start();
      await repair(sql);
    });
  }

  async function repair(sql: Sql): Promise<void> {
    await sql.query(CLEAR_LOST_TURNS);
    await queueMissing(sql);
  }

  await startExclusively();
  return {
    queueReady,
    queueMissing,
    repair,
    append,
    async take(lane, count, sql) {
      const db = bossDatabase(sql);
      const entries = await boss.fetch<Turn>(lane, { batchSize: count, db });
      if (entries.length === 0) return [];
      await boss.deleteJob(
        lane,
        entries.map(({ id }) => id),
        { db },
      );
      return entries.map(({ data }) => data.group);
    },
    async lanesWithTurns(wanted) {
      const rows = await database.query<{ lane: string }>(LANES_WITH_TURNS);
      return rows.map(({ lane }) => lane).filter((lane) => wanted?.includes(lane) ?? isSharedLane(lane));
    },
    close: () => boss.stop({ close: false, graceful: false }),
  };
}

export function isReserved(lane: string): boolean {
  return lane.startsWith(RESERVED_LANE_PREFIX);
}

/** Runs pg-boss's statements on Kodiai's connections, inside its transactions. */
function bossDatabase(sql: Sql): Db {
  return {
    async executeSql(text, values = []) {
      // pg-boss passes strings, numbers and arrays of them, which the driver accepts, and parses its rows itself.
      return { rows: [...(await sql.query(text, values as readonly SqlValue[]))] };
    },
  };
}

function byLane(turns: readonly TurnKey[]): ReadonlyMap<string, readonly string[]> {
  const grouped = Map.groupBy(turns, ({ lane }) => lane);
  return new Map([...grouped].map(([lane, of]) => [lane, of.map(({ group }) => group)]));
}
