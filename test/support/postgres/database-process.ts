/**
 * A process with its own database connection, for tests that freeze it or check that it exits. It prints one word per step and reads
 * commands from standard input.
 */
import { createInterface } from "node:readline";
import { openPostgresDatabase } from "../../../src/store/postgres/postgres-database.ts";

const [url = "", task = ""] = process.argv.slice(2);
const database = openPostgresDatabase({ url, connections: 2 });
const say = (word: string): void => void process.stdout.write(`${word}\n`);
const lines = createInterface({ input: process.stdin });
const nextInput = (): Promise<void> =>
  new Promise((resolve) => {
    lines.once("line", () => resolve());
  });

/** Locks the row with id 1 and waits in the transaction for a command. */
async function hold(): Promise<void> {
  let runs = 0;
  await database.transaction(async (sql) => {
    runs++;
    await sql.query("update things set name = $1 where id = $2", [`held in run ${runs}`, 1]);
    say("holding");
    if (runs === 1) await nextInput();
    await sql.query("insert into things (id, name) values ($1, $2)", [2, `added in run ${runs}`]);
  });
  say("committed");
}

/** Opens connections of all kinds and closes them on command. */
async function use(): Promise<void> {
  await Promise.all([1, 2].map(() => database.query("select pg_sleep(0.05), $1 as given", ["x"])));
  await new Promise<void>((resolve) => void database.listen("things", resolve));
  say("used");
  await nextInput();
}

await (task === "hold" ? hold() : use());
await database.close();
lines.close();
process.stdin.unref();
say("closed");
