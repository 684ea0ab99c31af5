/** `kodiai migrate --from sqlite:PATH`: moves an installation to the PostgreSQL database in DATABASE_URL. */
import { count, grouped } from "../base/count.ts";
import type { MoveReport, MovedTable } from "../store/move/move-report.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { columns } from "./jobs.ts";
import { usage } from "./parse-arguments.ts";
import { createProgress } from "./progress.ts";

const SHOWN_CHECKSUM_CHARS = 12;

export const migrate: Command = {
  name: "migrate",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Moves an installation from SQLite to the PostgreSQL database in DATABASE_URL. Copies every table of the file and of the\ntelemetry file next to it, and compares them row by row. Stop every `kodiai serve` and `kodiai worker` first. If the\ncommand is interrupted, run it again to continue.",
  options: {
    from: { type: "string", value: "sqlite:PATH", help: "the database to move" },
  },
  examples: [
    {
      line: "DATABASE_URL=postgres://kodiai:…@db/kodiai kodiai migrate --from sqlite:./data/kodiai.db",
      comment: "move the file of a stopped server",
    },
  ],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const from = options["from"];
  if (typeof from !== "string") throw usage(migrate, "migrate requires --from sqlite:PATH");
  if (!/^sqlite:(?!:memory:|file:|$)/.test(from)) {
    throw usage(migrate, "--from must be the address of an SQLite file, such as sqlite:./data/kodiai.db");
  }
  const progress = createProgress(deps);
  try {
    const moved = await deps.installation.moveStore(from, {
      onProgress: (stage, table, done, total) =>
        progress.update(`${stage} ${table}, ${grouped(done)} of ${count(total, "row")}`),
      signal: deps.signal,
    });
    progress.clear();
    deps.stdout.write(render(moved));
    return EXIT.ok;
  } catch (error) {
    if (!deps.signal.aborted) throw error;
    progress.clear();
    deps.stderr.write("kodiai: interrupted; run the command again to continue\n");
    return EXIT.interrupted;
  } finally {
    progress.clear();
  }
}

function render({ outcome, movedAt, tables }: MoveReport): string {
  const lines = tables.length === 0 ? [] : columns([["TABLE", "ROWS", "CHECKSUM", ""], ...tables.map(toRow)]);
  const notes = tables.flatMap(({ name, notCopied }) =>
    notCopied.map((column) => `${name}.${column} isn't copied or compared; Kodiai recomputes it`),
  );
  return `${[...lines, ...notes, conclude(outcome, movedAt, tables)].join("\n")}\n`;
}

function toRow({ name, rows, checksum, isSame }: MovedTable): readonly string[] {
  const verdict = isSame ? "same" : `differs: ${count(rows.target, "row")} in PostgreSQL`;
  return [name, String(rows.source), checksum.slice(0, SHOWN_CHECKSUM_CHARS), verdict];
}

function conclude(outcome: MoveReport["outcome"], movedAt: number, tables: readonly MovedTable[]): string {
  const on = new Date(movedAt).toISOString();
  const total = tables.reduce((sum, { rows }) => sum + rows.source, 0);
  switch (outcome) {
    case "moved":
      return `moved ${count(total, "row")} of ${count(tables.length, "table")}. Start Kodiai with this DATABASE_URL. Don't use the SQLite file again.`;
    case "moved-before":
      return `already moved on ${on}; the databases are identical, and nothing was changed`;
    case "used-since":
      return `already moved on ${on}; PostgreSQL has been used since then, and nothing was changed`;
    case "updated-since":
      return `already moved on ${on} by an earlier version of Kodiai; the databases can't be compared any more, and nothing was changed`;
  }
}
