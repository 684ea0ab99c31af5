/** A move to PostgreSQL that is killed at any point is refused as it is, and completed by the next run. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { MOVE_FAULT_POINTS } from "../../src/base/fault-point.ts";
import { migrate } from "../support/move/run-migrate.ts";
import { fillEveryTable, readPostgres, readSqlite, sampleMove } from "../support/move/sample-move.ts";
import { runKodiai } from "../support/run-kodiai.ts";

void suite("a move is killed", { concurrency: 2 }, () => {
  for (const point of MOVE_FAULT_POINTS) {
    test(`${point}: the half-moved database is refused, and the next run completes it`, async (t) => {
      const { path, from, targetUrl } = await sampleMove(t);
      fillEveryTable(path);
      const before = readSqlite(path);
      const doomed = await migrate(from, targetUrl, { KODIAI_FAULT_POINT: point });
      assert.deepEqual([doomed.code, doomed.stdout], [-1, ""], doomed.stderr);
      const jobs = await runKodiai(["jobs"], { cwd: import.meta.dirname, env: { DATABASE_URL: targetUrl } });
      assert.equal(jobs.code, 2);
      assert.match(jobs.stderr, /unfinished move from SQLite\n.*kodiai migrate --from/);
      const { code, stdout, stderr } = await migrate(from, targetUrl);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(stdout, /^moved \d+ rows of \d+ tables\./m);
      assert.deepEqual(await readPostgres(targetUrl), before);
      assert.deepEqual(readSqlite(path), before);
    });
  }

  test("after every batch: each run comes one batch further", async (t) => {
    const { path, from, targetUrl } = await sampleMove(t);
    fillEveryTable(path);
    const kills = Object.keys(readSqlite(path)).length;
    for (let kill = 1; kill <= kills; kill++) {
      const doomed = await migrate(from, targetUrl, { KODIAI_FAULT_POINT: "move-after-batch" });
      assert.equal(doomed.code, -1, `${kill}: ${doomed.stderr}`);
    }
    // Nothing is left to copy, so that nothing kills it.
    const last = await migrate(from, targetUrl, { KODIAI_FAULT_POINT: "move-after-batch" });
    assert.equal(last.code, 0, last.stderr);
    assert.deepEqual(await readPostgres(targetUrl), readSqlite(path));
  });
});
