/** A process that is killed while it embeds loses one request at most, and the next one continues where it was. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { FaultPoint } from "../../src/base/fault-point.ts";
import { EMBED_BATCH } from "../../src/jobs/memory/embed-memories.ts";
import {
  assertAllIn,
  countSpaces,
  MODEL,
  OTHER_MODEL,
  titlesUpTo,
  withEmbedBench,
} from "../support/memory/embed-bench.ts";
import { ENGINES } from "../support/queue-contract/engines.ts";

const PROGRAM = new URL("../support/memory/embed-process.ts", import.meta.url).pathname;
/** Three batches. */
const TOTAL = 2 * EMBED_BATCH + 6;
const ONE = { model: MODEL, dimensions: 64 };
const TWO = { model: OTHER_MODEL, dimensions: 64 };

async function embed(url: string, serverUrl: string, point: FaultPoint | ""): Promise<string> {
  const child = spawn(process.execPath, [PROGRAM, url, serverUrl, point], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { promise, resolve } = Promise.withResolvers<string | null>();
  child.on("close", (_, signal) => resolve(signal));
  const said = await text(child.stdout);
  return (await promise) ?? said;
}

for (const engine of ENGINES)
  test(`${engine.name}: kill -9 during a change of the model`, async (t) => {
    await withEmbedBench(t, engine, async (bench) => {
      const { server, url } = bench;
      await bench.remember(titlesUpTo(TOTAL));
      assert.equal(await embed(url, server.url, ""), "done");
      await assertAllIn(bench, ONE);
      await bench.configure(OTHER_MODEL);
      const before = server.calls.length;

      assert.equal(await embed(url, server.url, "after-embedding"), "SIGKILL");
      assert.deepEqual(await countSpaces(bench, [ONE, TWO]), [TOTAL - EMBED_BATCH, EMBED_BATCH]);

      // In the transaction of the second batch: it leaves nothing behind.
      assert.equal(await embed(url, server.url, "in-embedding"), "SIGKILL");
      assert.deepEqual(await countSpaces(bench, [ONE, TWO]), [TOTAL - EMBED_BATCH, EMBED_BATCH]);

      assert.equal(await embed(url, server.url, ""), "done");
      await assertAllIn(bench, TWO);
      assert.deepEqual(await countSpaces(bench, [ONE]), [0]);
      const [first, lost, second, third, ...more] = server.calls.slice(before).map(({ texts }) => texts);
      assert.deepEqual(lost, second);
      assert.deepEqual(more, []);
      assert.equal(new Set([first, second, third].flat()).size, TOTAL);
    });
  });
