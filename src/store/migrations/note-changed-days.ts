/**
 * SQL for migrations: triggers that note the day of every row that is added, changed or removed, by any process, also one of the
 * version before. They run in the writer's transaction, so that a crash loses neither the row nor the note.
 */
import type { Dialect } from "../database.ts";

type CountedTable = {
  readonly table: string;
  /** The column with the time that decides the day. A row in which it is null belongs to none. */
  readonly time: string;
  /** A change of other columns changes no total. */
  readonly columns: readonly string[];
};

const DAY_MS = 86_400_000;

/** `notes` is a table with a column `day`. */
export function noteChangedDays(
  notes: string,
  { table, time, columns }: CountedTable,
  { name }: Dialect,
): readonly string[] {
  const isOther = columns.map((column) => `old.${column} is distinct from new.${column}`).join(" or ");
  const dayOf = (row: string): string => `${row}.${time} / ${DAY_MS}`;
  if (name === "sqlite") {
    // Transactions run one after the other, so one note of a day is enough.
    const note = (row: string): string =>
      `insert into ${notes} (day) select ${dayOf(row)} where ${row}.${time} is not null
       and not exists (select 1 from ${notes} where day = ${dayOf(row)});`;
    return [
      `create trigger ${table}_day_of_added after insert on ${table} begin ${note("new")} end`,
      `create trigger ${table}_day_of_removed after delete on ${table} begin ${note("old")} end`,
      `create trigger ${table}_day_of_changed after update on ${table} when ${isOther}
       begin ${note("old")} ${note("new")} end`,
    ];
  }
  // Each transaction adds its own notes: one that relied on the note of another could lose it before its commit.
  const rowsOf = (rows: string): string =>
    `insert into ${notes} (day) select distinct day from ${rows} where day is not null; return null;`;
  const create = (suffix: string, body: string): string =>
    `create function ${table}_${suffix}() returns trigger language plpgsql as $body$ begin ${body} end $body$`;
  return [
    create("note_rows", rowsOf(`(select ${time} / ${DAY_MS} as day from changed) as days`)),
    create("note_row", rowsOf(`(values (${dayOf("old")}), (${dayOf("new")})) as days (day)`)),
    `create trigger ${table}_day_of_added after insert on ${table} referencing new table as changed
     for each statement execute function ${table}_note_rows()`,
    `create trigger ${table}_day_of_removed after delete on ${table} referencing old table as changed
     for each statement execute function ${table}_note_rows()`,
    `create trigger ${table}_day_of_changed after update on ${table} for each row when (${isOther})
     execute function ${table}_note_row()`,
  ];
}
