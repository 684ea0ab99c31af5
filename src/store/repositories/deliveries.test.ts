import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { KodiaiError } from "../../base/errors.ts";
import type { Sql } from "../database.ts";
import {
  deleteDeliveriesBefore,
  deliveriesOfJob,
  findDeliveries,
  insertDeliveries,
  listDeliveries,
  type NewDelivery,
  readDeliveryBody,
  readDelivery,
  settleDelivery,
} from "./deliveries.ts";

const delivery: NewDelivery = {
  guid: "72d3162e-cc78-11e3-81ab-4c9367dc0958",
  event: "pull_request",
  action: null,
  installationId: null,
  repositoryId: null,
  repository: null,
  pullRequest: null,
  sender: null,
  bytes: 17,
  receivedAt: 1_000,
  bodyHash: "a".repeat(64),
  body: '{"action":"opened"}',
  state: "received",
  reason: null,
  jobId: null,
};

const FACTS = {
  action: "opened",
  // GitHub's ids are 64-bit integers.
  installationId: 9_007_199_254_740_991,
  repositoryId: 5_000_000_000,
  repository: "acme/shop",
  pullRequest: 7,
  sender: "ada",
};

/** True unless a delivery with this id exists. */
async function insertDelivery(one: NewDelivery, sql: Sql): Promise<boolean> {
  return (await insertDeliveries([one], sql)).length === 0;
}

for (const engine of ENGINES) {
  test(`${engine.name}: a delivery is inserted once, and known by its id and its body`, () =>
    withStore(engine, async ({ database }) => {
      const other = { ...delivery, body: "other", bodyHash: "b".repeat(64) };
      const all = [delivery, { ...other, guid: "another" }, { ...delivery, body: null }, other];
      assert.deepEqual(await findDeliveries(all, database), ["new", "new", "known", "conflict"]);
      assert.equal(await insertDelivery(delivery, database), true);
      assert.deepEqual(await findDeliveries(all, database), ["known", "new", "known", "conflict"]);
      assert.equal(await insertDelivery(other, database), false);
      // Signed with a secret that was replaced since: whether the body is another one can't be known.
      const bySecret = (name: string, signature: string) => ({
        guid: "signed",
        bodyHash: `${name}-${signature}`,
      });
      const signed = [bySecret("a", "1"), bySecret("a", "1"), bySecret("a", "2"), bySecret("b", "2")];
      assert.deepEqual(await findDeliveries(signed, database), ["new", "known", "conflict", "known"]);
      // As an earlier version stored it.
      await database.query("update deliveries set body_hash = null");
      assert.deepEqual(await findDeliveries([other], database), ["known"]);
      assert.equal(await readDeliveryBody(delivery.guid, database), delivery.body);
      assert.equal(await readDeliveryBody("unknown", database), null);
    }));

  test(`${engine.name}: settling a delivery records its outcome and facts and deletes the body`, () =>
    withStore(engine, async ({ database }) => {
      await insertDelivery(delivery, database);
      const settled = { state: "queued", reason: null, jobId: 5_000_000_001 } as const;
      await settleDelivery(delivery.guid, { ...settled, facts: FACTS, keepBody: true }, database);
      assert.equal(await readDeliveryBody(delivery.guid, database), delivery.body);
      await settleDelivery(delivery.guid, { ...settled, reason: "same-job" }, database);
      assert.equal(await readDeliveryBody(delivery.guid, database), null);
      const { body: _, bodyHash: _hash, ...rest } = delivery;
      const expected = { ...rest, ...FACTS, ...settled, reason: "same-job" };
      assert.deepEqual(await readDelivery(delivery.guid, database), expected);
      assert.deepEqual(await deliveriesOfJob(settled.jobId, database), [expected]);
    }));

  test(`${engine.name}: a delivery is found by a unique prefix of its id`, () =>
    withStore(engine, async ({ database }) => {
      for (const guid of ["abc-1", "abc-2", "ab%-3"]) await insertDelivery({ ...delivery, guid }, database);
      assert.equal((await readDelivery("abc-2", database))?.guid, "abc-2");
      assert.equal((await readDelivery("ab%", database))?.guid, "ab%-3");
      assert.equal(await readDelivery("x", database), null);
      await assert.rejects(readDelivery("abc", database), (error) => error instanceof KodiaiError);
    }));

  test(`${engine.name}: deliveries are listed newest first, all or those without a job`, () =>
    withStore(engine, async ({ database }) => {
      for (const [index, guid] of ["a", "b", "c", "d"].entries())
        await insertDelivery({ ...delivery, guid, receivedAt: index }, database);
      await settleDelivery("b", { state: "queued", reason: null, jobId: 1 }, database);
      await settleDelivery("c", { state: "skipped", reason: "skipped:draft", jobId: null }, database);
      const guids = (rows: readonly { guid: string }[]) => rows.map(({ guid }) => guid).join("");
      assert.equal(guids(await listDeliveries({ limit: 3, withoutJob: false }, database)), "dcb");
      assert.equal(guids(await listDeliveries({ limit: 9, withoutJob: true }, database)), "dca");
    }));

  test(`${engine.name}: only settled deliveries are deleted by age`, () =>
    withStore(engine, async ({ database }) => {
      for (const guid of ["settled", "open"]) await insertDelivery({ ...delivery, guid }, database);
      await insertDelivery({ ...delivery, guid: "young", receivedAt: 5_000 }, database);
      for (const guid of ["settled", "young"])
        await settleDelivery(guid, { state: "skipped", reason: "x", jobId: null }, database);
      assert.equal(await deleteDeliveriesBefore(2_000, database), 1);
      const left = await listDeliveries({ limit: 9, withoutJob: false }, database);
      assert.deepEqual(
        left.map(({ guid }) => guid),
        ["young", "open"],
      );
    }));
}
