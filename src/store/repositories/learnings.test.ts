import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { markForgotten, withoutForgotten } from "./forgotten.ts";
import {
  countUse,
  deleteLearning,
  listLearnings,
  type NewLearning,
  putLearning,
  readLearning,
  updateLearning,
} from "./learnings.ts";

const REPOSITORY = 5_000_000_000;

const learning = (name: string, given: Partial<NewLearning> = {}): NewLearning => ({
  repositoryId: REPOSITORY,
  source: "feedback",
  name,
  kind: "pattern",
  text: `about ${name}`,
  paths: ["src/**"],
  confidence: 0.5,
  confirmations: 1,
  provenance: null,
  owner: null,
  createdBy: "kodiai",
  expiresAt: null,
  at: 1_000,
  ...given,
});

for (const engine of ENGINES) {
  test(`${engine.name}: a learning is written once per source and name, and keeps its uses when it rises`, () =>
    withStore(engine, async ({ database }) => {
      await putLearning(learning("a"), database);
      const [first] = await listLearnings(REPOSITORY, 2_000, database);
      assert.ok(first !== undefined);
      await countUse([first.id, first.id, 99_999], 3_000, database);
      await putLearning(
        learning("a", { confidence: 0.625, confirmations: 3, createdBy: "eve", at: 4_000 }),
        database,
      );
      assert.deepEqual(await listLearnings(REPOSITORY, 4_000, database), [
        {
          id: first.id,
          repositoryId: REPOSITORY,
          source: "feedback",
          name: "a",
          kind: "pattern",
          text: "about a",
          paths: ["src/**"],
          confidence: 0.625,
          confirmations: 3,
          provenance: null,
          owner: null,
          createdBy: "kodiai",
          expiresAt: null,
          uses: 1,
          lastUsedAt: 3_000,
          createdAt: 1_000,
          updatedAt: 4_000,
        },
      ]);
      assert.deepEqual(await listLearnings(1, 4_000, database), [], "another repository has none");
    }));

  test(`${engine.name}: learnings are listed by confidence, use and count, without expired ones`, () =>
    withStore(engine, async ({ database }) => {
      const given = [
        learning("low", { confidence: 0.3 }),
        learning("unused"),
        learning("used"),
        learning("high", { source: "person", confidence: 0.9 }),
        learning("expired", { confidence: 1, expiresAt: 5_000 }),
      ];
      for (const each of given) await putLearning(each, database);
      const ids = new Map((await listLearnings(REPOSITORY, 0, database)).map(({ id, name }) => [name, id]));
      await countUse([ids.get("used") ?? 0], 2_000, database);
      const names = (await listLearnings(REPOSITORY, 5_000, database)).map(({ name }) => name);
      assert.deepEqual(names, ["high", "used", "unused", "low"]);
      assert.equal((await readLearning(ids.get("expired") ?? 0, database))?.expiresAt, 5_000);
    }));

  test(`${engine.name}: an edit changes the given fields only`, () =>
    withStore(engine, async ({ database }) => {
      await putLearning(learning("a", { owner: "ann", expiresAt: 9_000 }), database);
      const [before] = await listLearnings(REPOSITORY, 0, database);
      assert.ok(before !== undefined);
      const change = { text: "new", paths: [], expiresAt: null, at: 7_000 } as const;
      assert.equal(await updateLearning(before.id, change, database), true);
      const { at, ...fields } = change;
      assert.deepEqual(await readLearning(before.id, database), { ...before, ...fields, updatedAt: at });
      assert.equal(await updateLearning(before.id + 1, change, database), false);
      await deleteLearning(before.id, database);
      assert.equal(await readLearning(before.id, database), null);
    }));

  test(`${engine.name}: a forgotten learning isn't learned again, but a person can add it`, () =>
    withStore(engine, async ({ database }) => {
      const forgotten = { kind: "learning", source: "feedback", name: "a" } as const;
      const memory = { kind: "memory", pullRequest: 1, identity: "f1" } as const;
      await markForgotten(REPOSITORY, [forgotten, memory, memory], { at: 1, sql: database });
      await putLearning(learning("a"), database);
      assert.deepEqual(await listLearnings(REPOSITORY, 0, database), []);
      await putLearning(learning("a", { repositoryId: 1 }), database);
      assert.equal((await listLearnings(1, 0, database)).length, 1, "in its repository only");
      await putLearning(learning("a", { source: "person" }), database);
      assert.equal((await listLearnings(REPOSITORY, 0, database)).length, 1);
      const items = [memory, { ...memory, identity: "f2" }, { ...memory, pullRequest: 2 }];
      const kept = await withoutForgotten(REPOSITORY, items, { toItem: (item) => item, sql: database });
      assert.deepEqual(kept, items.slice(1));
    }));
}
