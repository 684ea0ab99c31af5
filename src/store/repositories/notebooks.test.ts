import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { openStore } from "../store.ts";
import { appendNotebookRow, deleteNotebookRowsBefore, readNotebookRows } from "./notebooks.ts";

const row = { runId: 5_000_000_001, pass: "main", kind: "finding", body: "{}", at: 100 };

for (const engine of ENGINES) {
  test(`${engine.name}: entries are numbered within their run and read in order`, () =>
    withStore(engine, async ({ database }) => {
      for (const body of ["one", "two \u{1f99d}\n"])
        await appendNotebookRow({ ...row, body: JSON.stringify(body) }, database);
      assert.equal(await appendNotebookRow({ ...row, runId: 2 }, database), 1);
      assert.deepEqual(
        (await readNotebookRows(row.runId, database)).map((each) => ({ ...each })),
        [
          { number: 1, pass: "main", kind: "finding", body: '"one"' },
          { number: 2, pass: "main", kind: "finding", body: JSON.stringify("two \u{1f99d}\n") },
        ],
      );
      assert.deepEqual(await readNotebookRows(3, database), []);
    }));

  test(`${engine.name}: concurrent writers never get the same number and lose no entry`, () =>
    withStore(engine, async ({ database }, url) => {
      // SQLite has one writer at a time, so more connections of one process would only wait for each other.
      const isShared = database.dialect.name === "postgres";
      const others = await Promise.all((isShared ? [url, url] : []).map((each) => openStore(each)));
      try {
        const databases = [database, ...others.map((other) => other.database)];
        const numbers = await Promise.all(
          Array.from({ length: 60 }, (_, index) =>
            appendNotebookRow(
              { ...row, body: String(index) },
              databases[index % databases.length] ?? database,
            ),
          ),
        );
        const all = Array.from({ length: 60 }, (_, index) => index + 1);
        assert.deepEqual(
          numbers.toSorted((a, b) => a - b),
          all,
        );
        const rows = await readNotebookRows(row.runId, database);
        assert.deepEqual(
          rows.map(({ number, body }) => [number, numbers.indexOf(number) === Number(body)]),
          all.map((number) => [number, true]),
        );
      } finally {
        for (const other of others) await other.close();
      }
    }));

  test(`${engine.name}: old entries are deleted`, () =>
    withStore(engine, async ({ database }) => {
      await appendNotebookRow({ ...row, at: 99 }, database);
      await appendNotebookRow({ ...row, at: 100 }, database);
      await deleteNotebookRowsBefore(100, database);
      assert.deepEqual(
        (await readNotebookRows(row.runId, database)).map(({ number }) => number),
        [2],
      );
    }));
}
