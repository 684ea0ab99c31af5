/** Tests the store with several processes at once. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { KNOWLEDGE_MIGRATIONS } from "../src/store/migrations/all-migrations.ts";
import { openStore } from "../src/store/store.ts";
import { ENGINES } from "./support/queue-contract/engines.ts";
import type { OpenStage } from "./support/queue-contract/open-process.ts";

const script = join(import.meta.dirname, "support/queue-contract/open-process.ts");
const [LOADED, OPENED] = ["loaded", "opened"] satisfies readonly OpenStage[];

for (const engine of ENGINES) {
  test(`${engine.name}: processes that start at once on an empty database migrate it exactly once`, async () => {
    const created = await engine.createDatabase({ isEmpty: true });
    try {
      const children = Array.from({ length: 4 }, () => {
        const child = spawn(process.execPath, [script, engine.name, created.url], {
          stdio: ["pipe", "pipe", "inherit"],
        });
        return {
          child,
          lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
          gone: once(child, "exit"),
        };
      });
      // All processes have loaded their code and wait for the same signal, so that they collide.
      for (const { lines } of children) assert.equal((await lines.next()).value, LOADED);
      for (const { child } of children) child.stdin.end("go\n");
      for (const { lines, gone } of children) {
        assert.equal((await lines.next()).value, OPENED);
        assert.deepEqual(await gone, [0, null]);
      }
      const store = await openStore(created.url);
      const steps = await store.database.query("select number from schema_migrations");
      assert.equal(steps.length, KNOWLEDGE_MIGRATIONS.length);
      const written = await store.database.query("select guid from deliveries");
      assert.equal(written.length, children.length * 50);
      await store.close();
    } finally {
      await created.remove();
    }
  });
}
