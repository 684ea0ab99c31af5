import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { deleteRejectionsBefore, listRejections, recordRejections } from "./rejections.ts";

for (const engine of ENGINES) {
  test(`${engine.name}: rejections are counted per reason and day, however many there are`, () =>
    withStore(engine, async ({ database }) => {
      const noon = Date.UTC(2025, 11, 31, 12);
      const nextDay = noon + 13 * 3_600_000;
      await recordRejections(new Map([["bad-signature", 1_000_000]]), noon, database);
      await recordRejections(
        new Map(Object.entries({ "bad-signature": 5, "too-large": 1 })),
        noon + 1,
        database,
      );
      // A clock that goes back doesn't make the last time earlier.
      await recordRejections(new Map([["bad-signature", 1]]), noon - 1, database);
      await recordRejections(new Map([["bad-signature", 2]]), nextDay, database);
      assert.deepEqual(await listRejections(9, database), [
        { reason: "bad-signature", day: "2026-01-01", count: 2, lastAt: nextDay },
        { reason: "bad-signature", day: "2025-12-31", count: 1_000_006, lastAt: noon + 1 },
        { reason: "too-large", day: "2025-12-31", count: 1, lastAt: noon + 1 },
      ]);
      assert.equal((await listRejections(1, database)).length, 1);
      await deleteRejectionsBefore(nextDay, database);
      assert.deepEqual(
        (await listRejections(9, database)).map(({ day }) => day),
        ["2026-01-01"],
      );
    }));
}
