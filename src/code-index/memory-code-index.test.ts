/** Runs the contract of the code index in memory, and checks that the reader never waits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openIndexWorld, readHead, testCodeIndex } from "../../test/support/code-index-contract.ts";
import type { Reader } from "../reading/reader.ts";
import { createMemoryCodeIndex } from "./memory-code-index.ts";

testCodeIndex("memory", (_, given) => createMemoryCodeIndex(given));

test("the reader has the next batch before it answers the first one", async (t) => {
  const world = await openIndexWorld(t);
  for (const name of ["a", "b", "c", "d", "e"]) {
    world.made.write(`${name}.py`, `import ${name}\n#${"-".repeat(400_000)}\n`);
  }
  world.made.commit("root");
  let asked = 0;
  const second = Promise.withResolvers<void>();
  const reader: Reader = {
    ...world.reader,
    async ask(task, takes, maxMs) {
      if (++asked === 2) second.resolve();
      await second.promise;
      return world.reader.ask(task, takes, maxMs);
    },
  };
  const { facts, failed } = await readHead(
    createMemoryCodeIndex({ repository: world.repository, reader }),
    world,
  );
  assert.deepEqual([asked, failed], [5, []]);
  for (const [path, { imports }] of facts) assert.equal(`${imports[0]?.specifier}.py`, path);
  assert.equal(facts.size, 5);
});
