/**
 * SQL for migrations: triggers that note the day of every row that is added, changed or removed, by any process, also one of the
 * version before. They run in the writer's transaction, so that a crash loses neither the row nor the note.
 */
import type { Dialect } from "../database.ts";

type NotedTable = {
  readonly table: string;
  /** The beginning of its triggers' names. Omitted: the table's name. */
  readonly prefix?: string;
  /** A change of other columns changes no total. */
  readonly columns: readonly string[];
};

type CountedTable = NotedTable & {
  /** The column with the time that decides the day. A row in which it is null belongs to none. */
  readonly time: string;
};

type TableOfFindings = NotedTable & {
  /** The condition that a finding belongs to the row. */
  readonly ofRow: (row: string) => string;
};

/** Statements that note days. */
type Notes = {
  /** SQLite: of one row. */
  readonly one: (row: "old" | "new") => string;
  /** PostgreSQL: of both rows, and of all rows of the table `changed`. */
  readonly both: string;
  readonly all: string;
};

const DAY_MS = 86_400_000;

/** `notes` is a table with a column `day`. */
export function noteChangedDays(
  notes: string,
  { time, ...noted }: CountedTable,
  dialect: Dialect,
): readonly string[] {
  const dayOf = (row: string): string => `${row}.${time} / ${DAY_MS}`;
  const rowsOf = (rows: string): string =>
    `insert into ${notes} (day) select distinct day from ${rows} where day is not null;`;
  const statements: Notes = {
    // Transactions run one after the other, so one note of a day is enough.
    one: (row) =>
      `insert into ${notes} (day) select ${dayOf(row)} where ${row}.${time} is not null
       and not exists (select 1 from ${notes} where day = ${dayOf(row)});`,
    // Each transaction adds its own notes: one that relied on the note of another could lose it before its commit.
    both: rowsOf(`(values (${dayOf("old")}), (${dayOf("new")})) as days (day)`),
    all: rowsOf(`(select ${time} / ${DAY_MS} as day from changed) as days`),
  };
  return createTriggers(noted, statements, dialect);
}

/** Notes the days of the reported findings that belong to changed rows of another table. */
export function noteDaysOfFindings(
  notes: string,
  { ofRow, ...noted }: TableOfFindings,
  dialect: Dialect,
): readonly string[] {
  const day = `findings.told_at / ${DAY_MS}`;
  const noteDays = (tables: string, condition: string): string =>
    `insert into ${notes} (day) select distinct ${day} from ${tables} where findings.told_at is not null and (${condition})`;
  const statements: Notes = {
    one: (row) =>
      `${noteDays("findings", ofRow(row))} and not exists (select 1 from ${notes} where day = ${day});`,
    both: `${noteDays("findings", `${ofRow("old")} or ${ofRow("new")}`)};`,
    all: `${noteDays("findings, changed", ofRow("changed"))};`,
  };
  return createTriggers(noted, statements, dialect);
}

function createTriggers(
  { table, prefix = table, columns }: NotedTable,
  { one, both, all }: Notes,
  { name }: Dialect,
): readonly string[] {
  const isOther = columns.map((column) => `old.${column} is distinct from new.${column}`).join(" or ");
  if (name === "sqlite")
    return [
      `create trigger ${prefix}_day_of_added after insert on ${table} begin ${one("new")} end`,
      `create trigger ${prefix}_day_of_removed after delete on ${table} begin ${one("old")} end`,
      `create trigger ${prefix}_day_of_changed after update on ${table} when ${isOther}
       begin ${one("old")} ${one("new")} end`,
    ];
  const create = (suffix: string, body: string): string =>
    `create function ${prefix}_${suffix}() returns trigger language plpgsql as $body$ begin ${body} return null; end $body$`;
  return [
    create("note_rows", all),
    create("note_row", both),
    `create trigger ${prefix}_day_of_added after insert on ${table} referencing new table as changed
     for each statement execute function ${prefix}_note_rows()`,
    `create trigger ${prefix}_day_of_removed after delete on ${table} referencing old table as changed
     for each statement execute function ${prefix}_note_rows()`,
    `create trigger ${prefix}_day_of_changed after update on ${table} for each row when (${isOther})
     execute function ${prefix}_note_row()`,
  ];
}
