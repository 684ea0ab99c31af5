/** Moving an installation from SQLite to PostgreSQL as an operator does it, with the program and with kills. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "../../src/store/store.ts";
import { fillEveryTable, readSqlite, sampleMove } from "../support/move/sample-move.ts";
import { migrate } from "../support/move/run-migrate.ts";

test("it prints what it moved, and run again that it was moved", async (t) => {
  const { path, from, targetUrl } = await sampleMove(t);
  fillEveryTable(path);
  const first = await migrate(from, targetUrl);
  assert.equal(first.code, 0, first.stderr);
  assert.equal(first.stderr, "", "no progress without a terminal");
  const lines = first.stdout.trimEnd().split("\n");
  assert.match(lines[0] ?? "", /^TABLE +ROWS +CHECKSUM$/);
  const tables = Object.entries(readSqlite(path));
  for (const [name, rows] of tables) {
    assert.ok(
      lines.some((line) => new RegExp(`^${name} +${rows.length} +[0-9a-f]{12} +same$`).test(line)),
      `${name} in:\n${first.stdout}`,
    );
  }
  assert.match(first.stdout, /^job_turns\.is_waiting isn't copied/m);
  const total = tables.reduce((sum, [, rows]) => sum + rows.length, 0);
  assert.ok(
    (lines.at(-1) ?? "").startsWith(`moved ${total} rows of ${tables.length} tables. `),
    lines.at(-1) ?? "",
  );
  assert.match(lines.at(-1) ?? "", /Don't use the SQLite file again\.$/);

  const again = await migrate(from, targetUrl);
  assert.equal(again.code, 0);
  assert.match(
    again.stdout,
    /^already moved on 20\d\d-.*Z; the databases are identical, and nothing was changed$/m,
  );
  const store = await openStore(targetUrl);
  await store.database.query("delete from rejections");
  await store.close();
  const used = await migrate(from, targetUrl);
  assert.equal(used.code, 0);
  assert.match(used.stdout, /^rejections +12 +\w+ +differs: 0 rows in PostgreSQL$/m);
  assert.match(
    used.stdout,
    /^already moved on .*; PostgreSQL has been used since then, and nothing was changed$/m,
  );
});
