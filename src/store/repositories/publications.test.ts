import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { createPublicationJournal, type StoredEntry } from "./publications.ts";
import type { PublicationJournal } from "../../forge/forge.ts";

const place = { repositoryId: 5_000_000_000, pullRequest: 7, head: "aaa", request: "", now: () => 42 };

const intended: StoredEntry = {
  state: "intended",
  bodyHash: "hash",
  marker: "mark",
  externalId: null,
  attemptedAt: null,
};

for (const engine of ENGINES) {
  test(`${engine.name}: an entry is read as it was last written, even after a restart`, () =>
    withStore(engine, async ({ database }) => {
      const journal: PublicationJournal = createPublicationJournal(database, place);
      assert.equal(await journal.read("review"), null);
      await journal.write("review", intended);
      assert.deepEqual(await journal.read("review"), intended);
      const created = {
        ...intended,
        state: "created",
        externalId: 9_007_199_254_740_991,
        attemptedAt: 43,
      } as const;
      await journal.write("review", created);
      assert.deepEqual(await createPublicationJournal(database, place).read("review"), created);
      assert.equal(await journal.read("summary"), null);
    }));

  test(`${engine.name}: a summary belongs to the pull request, a check to the head, a review to the request`, () =>
    withStore(engine, async ({ database }) => {
      const journal = createPublicationJournal(database, place);
      for (const part of ["review", "summary", "check"] as const) await journal.write(part, intended);
      const found = async (other: Partial<typeof place>) => {
        const elsewhere = createPublicationJournal(database, { ...place, ...other });
        const parts: string[] = [];
        for (const part of ["review", "summary", "check"] as const)
          if ((await elsewhere.read(part)) !== null) parts.push(part);
        return parts;
      };
      assert.deepEqual(await found({}), ["review", "summary", "check"]);
      assert.deepEqual(await found({ request: "comment-5" }), ["summary", "check"]);
      assert.deepEqual(await found({ head: "bbb" }), ["summary"]);
      assert.deepEqual(await found({ pullRequest: 8 }), []);
      assert.deepEqual(await found({ repositoryId: 1 }), []);
    }));
}
