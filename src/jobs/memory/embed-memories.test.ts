import assert from "node:assert/strict";
import { test } from "node:test";
import { answerJson, embeddingsAnswer, type Misbehaviour } from "../../../test/support/embeddings-server.ts";
import {
  assertAllIn,
  countSpaces,
  MODEL,
  OTHER_MODEL,
  REPOSITORY,
  searchIn,
  titlesUpTo,
  withEmbedBench,
} from "../../../test/support/memory/embed-bench.ts";
import { isAll } from "../../../test/support/extent.ts";
import { ENGINES } from "../../../test/support/queue-contract/engines.ts";
import { deleteMemories, putMemories } from "../../store/repositories/memories.ts";
import { sampleMemory } from "../../../test/support/memory/sample-memories.ts";
import { BLOCKED_RETRY_MS, EMBED_BATCH, MAX_EMBEDDED_PER_TURN } from "./embed-memories.ts";

const DIMENSIONS = 64;
/** Three batches. */
const TOTAL = 2 * EMBED_BATCH + 6;
const ONE = { model: MODEL, dimensions: DIMENSIONS };
const TWO = { model: OTHER_MODEL, dimensions: DIMENSIONS };

const status =
  (code: number): Misbehaviour =>
  (response) =>
    void response.writeHead(code).end("{}");

// Embedding is the same on every engine; the contracts of the stores test what isn't.
for (const engine of isAll ? ENGINES : ENGINES.slice(0, 1)) {
  test(`${engine.name}: new memories are embedded in batches, once`, async (t) => {
    await withEmbedBench(t, engine, async (bench) => {
      await bench.remember(titlesUpTo(TOTAL));
      await bench.plan("run/1");
      assert.deepEqual(
        (await bench.drain()).map(({ state, reason }) => `${state} ${reason}`),
        [`done embedded:${TOTAL} memories`],
      );
      assert.deepEqual(
        bench.server.calls.map(({ texts }) => texts.length),
        [EMBED_BATCH, EMBED_BATCH, TOTAL - 2 * EMBED_BATCH],
      );
      await assertAllIn(bench, ONE);
      const logged = bench.lines.find((line) => line.includes("memories embedded")) ?? "";
      assert.match(logged, new RegExp(`"memories":${TOTAL}.*"requests":3,"characters":\\d{4}`));

      await bench.plan("run/2");
      assert.equal((await bench.turn())?.reason, "embedded:nothing to do");
      assert.equal(bench.server.calls.length, 3);
      assert.equal(await bench.planDue(), 0);
    });
  });

  test(`${engine.name}: another model embeds everything again, and each vector is in one space at any time`, async (t) => {
    await withEmbedBench(t, engine, async (bench) => {
      await bench.remember(titlesUpTo(TOTAL));
      await bench.plan("run/1");
      await bench.drain();
      await assertAllIn(bench, ONE);

      await bench.configure(OTHER_MODEL);
      const during: (readonly number[])[] = [];
      bench.server.misbehaves = async (response, { texts }) => {
        during.push(await countSpaces(bench, [ONE, TWO]));
        answerJson(response, embeddingsAnswer(texts, DIMENSIONS));
      };
      assert.equal(await bench.planDue(), 1);
      assert.equal((await bench.turn())?.state, "done");
      assert.deepEqual(during, [
        [TOTAL, 0],
        [TOTAL - EMBED_BATCH, EMBED_BATCH],
        [TOTAL - 2 * EMBED_BATCH, 2 * EMBED_BATCH],
      ]);
      await assertAllIn(bench, TWO);
      assert.equal((await searchIn(bench, { ...ONE, query: "finding" })).size, 0);
      assert.equal(await bench.planDue(), 0);
    });
  });

  test(`${engine.name}: a model whose dimensions change embeds everything again`, async (t) => {
    await withEmbedBench(t, engine, async (bench) => {
      await bench.remember(titlesUpTo(40));
      await bench.plan("run/1");
      await bench.drain();
      bench.server.dimensions = 32;
      await bench.remember(["one more finding"]);
      await bench.plan("run/2");
      await bench.drain();
      await assertAllIn(bench, { model: MODEL, dimensions: 32 });
      assert.deepEqual(await countSpaces(bench, [ONE]), [0]);
    });
  });

  test(`${engine.name}: while the provider is down the job waits, and succeeds later`, async (t) => {
    await withEmbedBench(t, engine, async (bench) => {
      await bench.remember(titlesUpTo(5));
      await bench.plan("run/1");
      bench.server.misbehaves = status(503);
      for (const minutes of [1, 2, 5]) {
        assert.equal((await bench.turn())?.state, "retrying");
        assert.equal(await bench.turn(), null, "it comes back too early");
        bench.clock.now += minutes * 60_000;
      }
      assert.equal(bench.server.calls.length, 3);
      bench.server.misbehaves = null;
      assert.equal((await bench.turn())?.state, "done");
      await assertAllIn(bench, ONE);
    });
  });

  test(`${engine.name}: a provider that refuses the key is asked again once an hour`, async (t) => {
    await withEmbedBench(t, engine, async (bench) => {
      await bench.remember(titlesUpTo(5));
      bench.server.misbehaves = status(401);
      assert.equal(await bench.planDue(), 1);
      const refused = await bench.turn();
      assert.deepEqual([refused?.state, refused?.reason], ["parked", "waiting:forbidden"]);
      assert.ok(bench.lines.some((line) => line.includes("Check KODIAI_EMBEDDINGS_KEY")));
      assert.equal(await bench.planDue(), 0);
      assert.equal(await bench.turn(), null);
      bench.clock.now += BLOCKED_RETRY_MS;
      bench.server.misbehaves = null;
      assert.equal(await bench.planDue(), 1);
      assert.equal((await bench.drain()).at(-1)?.state, "done");
      await assertAllIn(bench, ONE);
      assert.equal(bench.server.calls.length, 2);
    });
  });

  test(`${engine.name}: a text that the provider refuses doesn't hold up the others`, async (t) => {
    await withEmbedBench(t, engine, async (bench) => {
      await bench.remember(["poison", ...titlesUpTo(40)]);
      bench.server.misbehaves = (response, call) => {
        if (call.texts.some((each) => each.includes("poison"))) return status(400)(response, call);
        return answerJson(response, embeddingsAnswer(call.texts, DIMENSIONS));
      };
      await bench.plan("run/1");
      assert.equal((await bench.turn())?.reason, "embedded:40 memories");
      assert.deepEqual(
        (await bench.rows()).filter(({ space }) => space === null).map(({ title }) => title),
        ["poison"],
      );
    });
  });

  test(`${engine.name}: a provider that refuses everything costs few requests`, async (t) => {
    await withEmbedBench(t, engine, async (bench) => {
      await bench.remember(titlesUpTo(40));
      bench.server.misbehaves = status(400);
      await bench.plan("run/1");
      assert.equal((await bench.turn())?.reason, "waiting:bad-payload");
      assert.ok(bench.server.calls.length <= 5);
    });
  });

  test(`${engine.name}: two models behind one address are noticed`, async (t) => {
    await withEmbedBench(t, engine, async (bench) => {
      await bench.remember(titlesUpTo(TOTAL));
      bench.server.misbehaves = (response, { texts }) => {
        bench.server.dimensions = bench.server.dimensions === 8 ? 16 : 8;
        answerJson(response, embeddingsAnswer(texts, bench.server.dimensions));
      };
      await bench.plan("run/1");
      assert.equal((await bench.turn())?.reason, "waiting:config");
      assert.equal(bench.server.calls.length, 2);
    });
  });

  test(`${engine.name}: a memory that changes or is deleted during the request gets no vector of its former text`, async (t) => {
    await withEmbedBench(t, engine, async (bench) => {
      await bench.remember(["stays", "changes", "is deleted"]);
      const ids = new Map((await bench.rows()).map(({ title, id }) => [title, id]));
      const deleted = ids.get("is deleted") ?? 0;
      bench.server.misbehaves = async (response, { texts }) => {
        bench.server.misbehaves = null;
        await bench.database.transaction(async (sql) => {
          const changed = { repositoryId: REPOSITORY, identity: "changes", title: "has another text" };
          await putMemories([sampleMemory({ ...changed, at: bench.clock.now + 1 })], sql);
          await deleteMemories([deleted], sql);
        });
        answerJson(response, embeddingsAnswer(texts, DIMENSIONS));
      };
      await bench.plan("run/1");
      assert.equal((await bench.turn())?.state, "done");
      assert.deepEqual(
        bench.server.calls.map(({ texts }) => texts.length),
        [3, 1],
      );
      await assertAllIn(bench, ONE);
      const { vectors } = bench.memory;
      const space = { name: "openai-compatible/one", dimensions: DIMENSIONS };
      const vector = new Float32Array(DIMENSIONS).fill(1);
      assert.deepEqual(await vectors.measure({ space, vector, ids: [deleted] }), []);
    });
  });

  test(`${engine.name}: many memories take several turns`, async (t) => {
    await withEmbedBench(t, engine, async (bench) => {
      const total = MAX_EMBEDDED_PER_TURN + 1;
      await bench.remember(titlesUpTo(total));
      await bench.plan("run/1");
      const reports = await bench.drain();
      assert.deepEqual(
        reports.map(({ state }) => state),
        ["parked", "done"],
      );
      assert.equal(bench.server.calls.length, Math.ceil(total / EMBED_BATCH));
      assert.deepEqual(await countSpaces(bench, [ONE]), [total]);
    });
  });

  test(`${engine.name}: without embeddings, vectors of before are removed in bounded steps, and the log says what to do`, async (t) => {
    await withEmbedBench(t, engine, async (bench) => {
      const total = MAX_EMBEDDED_PER_TURN + 3;
      await bench.remember(titlesUpTo(total));
      await bench.plan("run/1");
      await bench.drain();
      assert.deepEqual(await countSpaces(bench, [ONE]), [total]);
      const calls = bench.server.calls.length;
      await bench.configure("voyage:voyage-code-3");
      assert.equal(await bench.planDue(), 1);
      await bench.drain();
      assert.deepEqual(await countSpaces(bench, [ONE]), [0]);
      assert.ok((await bench.rows()).every(({ space }) => space === null));
      assert.equal(await bench.planDue(), 0);
      assert.equal(bench.server.calls.length, calls);
      assert.ok(bench.lines.some((line) => line.includes("VOYAGE_API_KEY is not set")));
    });
  });

  test(`${engine.name}: a repository without memories has nothing to embed`, async (t) => {
    await withEmbedBench(t, engine, async (bench) => {
      assert.equal(await bench.planDue(), 0);
      await bench.plan("run/1");
      assert.equal((await bench.turn())?.state, "skipped");
    });
  });
}
