import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { engineNamed } from "../../../test/support/queue-contract/engines.ts";
import { type SampleQueue, withQueue } from "../../../test/support/queue-contract/sample-queue.ts";
import { openQueueTransaction } from "../rules/queue-transaction.ts";
import { claimJob } from "./claim-job.ts";
import type { Sql } from "../../store/database.ts";

const sqlite = engineNamed("sqlite");

/** Collects every statement of claims that meet a lost lease, a due job, and a turn whose group has no job left. */
async function statementsOfClaims({
  queue,
  database,
  options,
  add,
  take,
  now,
  pass,
}: SampleQueue): Promise<readonly string[]> {
  const seen = new Set<string>();
  const recording = (sql: Sql): Sql => ({
    query(text, params) {
      seen.add(text);
      return sql.query(text, params);
    },
  });
  const claim = (lanes: readonly string[] | null) =>
    database.transaction((sql) =>
      claimJob({ worker: "w", lanes }, options, openQueueTransaction(recording(sql), now())),
    );
  await add({ serialKey: "pr-1" }, { serialKey: "pr-1" }, { delayMs: 1_000 });
  const lost = await take();
  await queue.cancel(lost.job.id, "closed");
  await add({ group: "gone" });
  await queue.cancel(4, "closed");
  pass(1_000_000);
  assert.notEqual(await claim(["review", "mention"]), null);
  assert.notEqual(await claim(null), null);
  assert.equal(await claim(null), null);
  return [...seen];
}

test("no statement of a claim scans a table or sorts, so its cost doesn't grow with the backlog", () =>
  withQueue(sqlite, {}, async (sample) => {
    const statements = await statementsOfClaims(sample);
    assert.ok(statements.length >= 9, `${statements.length} statements`);
    for (const statement of statements) {
      const values = new Set(statement.match(/\$\d+/g)).size;
      const plan = await sample.database.query<{ detail: string }>(
        `explain query plan ${statement}`,
        Array.from({ length: values }, () => null),
      );
      const steps = plan.map(({ detail }) => detail);
      // There are no more running jobs than workers, and their index holds nothing else.
      const costly = steps.filter(
        (step) =>
          /TEMP B-TREE/.test(step) ||
          (step.startsWith("SCAN") &&
            !/^SCAN (?:CONSTANT ROW|(?:jobs|other) USING (?:COVERING )?INDEX jobs_running)$/.test(step)),
      );
      assert.deepEqual(costly, [], `${statement}\n${steps.join("\n")}`);
    }
  }));

test("a claim that finds no work writes nothing", () =>
  withQueue(sqlite, { groupLimit: 1 }, async ({ queue, add, take, takeId, url }) => {
    // One job runs. The others wait for the group limit, their delay, and their serial key.
    await add({ serialKey: "pr-1" }, {}, { delayMs: 60_000 }, { serialKey: "pr-1" });
    await take();
    assert.equal(await takeId(), null);
    const log = `${url.replace("sqlite:", "")}-wal`;
    const before = statSync(log, { bigint: true });
    for (let looks = 0; looks < 20; looks++) assert.equal(await takeId(), null);
    await queue.stats();
    const after = statSync(log, { bigint: true });
    assert.deepEqual([after.size, after.mtimeNs], [before.size, before.mtimeNs]);
    await add({});
    assert.notDeepEqual(statSync(log, { bigint: true }).mtimeNs, before.mtimeNs);
  }));
