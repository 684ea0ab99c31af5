/** Runs the contract tests of the Database port against every engine. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { testDatabase } from "../../test/support/database-contract.ts";
import { ENGINES } from "../../test/support/queue-contract/engines.ts";
import { isRead } from "./database.ts";

for (const engine of ENGINES) testDatabase(engine);

test("a statement is a write unless it is clearly a read", () => {
  const reads = ["select 1", "  SELECT id from jobs", "with a as (select 1 as one) select one from a"];
  const writes = [
    "insert into things (id) values (1)",
    "with a as (delete from things returning id) select id from a",
    "select id from things for update skip locked",
    "select pg_advisory_xact_lock(1)",
    "select pg_notify('x', '')",
    "select setval('things_id_seq', 5)",
    "begin; select 1; commit",
    "vacuum",
  ];
  assert.deepEqual([reads.map(isRead), writes.map(isRead)], [reads.map(() => true), writes.map(() => false)]);
});
