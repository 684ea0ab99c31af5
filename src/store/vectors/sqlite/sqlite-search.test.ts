import assert from "node:assert/strict";
import { test } from "node:test";
import { engineNamed, withStore } from "../../../../test/support/queue-contract/engines.ts";
import { createSampleVectors } from "../../../../test/support/sample-vectors.ts";
import { openVectors } from "../open-vectors.ts";
import { signatureOf } from "../signature.ts";
import { createSqliteSearch } from "./sqlite-search.ts";
import type { Database } from "../../database.ts";

type Signature = { readonly place_id: number; readonly signature: Uint8Array };

/** Compares the signatures in the blocks with those of the vectors. */
async function assertBlocks(database: Database): Promise<void> {
  const text = ({ place_id: place, signature }: Signature): string =>
    `${place} ${Buffer.from(signature).toString("hex")}`;
  const stored = await database.query<Signature>("select place_id, signature from vectors");
  const blocks = await database.query<{ place_id: number; packed: Uint8Array }>(
    "select place_id, packed from vector_blocks",
  );
  const packed = blocks.flatMap((block) =>
    Array.from({ length: block.packed.length / 136 }, (_, index) => ({
      place_id: block.place_id,
      signature: block.packed.slice(index * 136, (index + 1) * 136),
    })),
  );
  assert.deepEqual(packed.map(text).toSorted(), stored.map(text).toSorted());
  assert.ok(blocks.every((block) => block.packed.length > 0));
}

test("blocks hold the signatures of all vectors after any change", () =>
  withStore(engineNamed("sqlite"), async ({ database }) => {
    const { vectors, space } = createSampleVectors({ dimensions: 4, count: 300, shape: "sparse", seed: 3 });
    const store = await openVectors(database);
    const entries = vectors.map((vector, index) => ({
      id: 1 + ((index * 37) % 300),
      scope: `s${index % 2}`,
      space,
      vector,
    }));
    await database.transaction((sql) => store.put(entries, sql));
    await assertBlocks(database);
    assert.ok((await database.query("select block from vector_blocks")).length <= 6);
    const moved = entries
      .slice(0, 100)
      .map((entry) => ({ ...entry, scope: "s1", vector: Float32Array.of(1, 2, 3, 4) }));
    await database.transaction((sql) => store.put(moved, sql));
    await assertBlocks(database);
    await database.transaction((sql) => store.remove([1, 2, 3, 128, 256, 300], sql));
    await assertBlocks(database);
    await database.transaction((sql) => store.removeScope("s0", sql));
    await assertBlocks(database);
    await database.transaction((sql) => store.removeScope("s1", sql));
    assert.deepEqual(await database.query("select block from vector_blocks"), []);
  }));

/** The ids, and in how many bits each signature differs from this one. */
function unpack(packed: Uint8Array, signature: Uint8Array) {
  const view = Buffer.from(packed);
  return Array.from({ length: packed.length / 136 }, (_, index) => {
    const at = index * 136;
    const differing = signature.map((byte, each) => byte ^ (packed[at + 8 + each] ?? 0));
    return {
      id: Number(view.readBigUInt64BE(at)),
      bits: differing.reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0),
    };
  });
}

test("signatures with the fewest differing bits come first, then the lower id", () =>
  withStore(engineNamed("sqlite"), async ({ database }) => {
    const { vectors, space } = createSampleVectors({
      dimensions: 16,
      count: 300,
      shape: "clustered",
      seed: 3,
    });
    const store = await openVectors(database);
    const same = Float32Array.from({ length: 16 }, (_, at) => at + 1);
    const entries = vectors.map((vector, index) => ({
      id: 1 + ((index * 37) % 300),
      scope: "s",
      space,
      vector: index % 10 === 0 ? same : vector,
    }));
    await database.transaction((sql) => store.put(entries, sql));
    const signature = signatureOf(same);
    const rank = async (limit: number, mostBits = 1_024) =>
      unpack(
        await createSqliteSearch(database).rank({ collectionId: 1, signature, limit, mostBits }),
        signature,
      );
    const whole = await rank(1_000);
    assert.equal(new Set(whole.map(({ id }) => id)).size, 300);
    assert.equal(whole.filter(({ bits }) => bits === 0).length, 30);
    assert.deepEqual(
      whole,
      whole.toSorted((a, b) => a.bits - b.bits || a.id - b.id),
    );
    for (const limit of [1, 13, 30, 200, 300]) assert.deepEqual(await rank(limit), whole.slice(0, limit));
    const median = whole[150]?.bits ?? 0;
    assert.deepEqual(
      await rank(1_000, median),
      whole.filter(({ bits }) => bits <= median),
    );
    assert.deepEqual(await rank(10, median), whole.slice(0, 10));
  }));
