/** The contract of the Vectors port for every database: isolation, order, exactness, and refusals. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../../src/base/errors.ts";
import {
  MAX_CANDIDATES,
  MAX_NEIGHBOURS,
  type Neighbour,
  type NeighbourRequest,
  type VectorEntry,
  type Vectors,
  type VectorSpace,
} from "../../src/store/vectors/vectors.ts";
import { isAll } from "./extent.ts";
import type { VectorsOptions } from "../../src/store/vectors/search-vectors.ts";
import { createSampleVectors, reference, type SampleVectors } from "./sample-vectors.ts";
import type { Database } from "../../src/store/database.ts";

export type VectorsPlace = {
  readonly name: string;
  readonly method: Vectors["method"];
  /** Runs a test on an empty database. */
  withVectors(
    work: (vectors: Vectors, database: Database) => Promise<void>,
    options?: VectorsOptions,
  ): Promise<void>;
};

const PLANE: VectorSpace = { name: "acme/plane", dimensions: 2 };
const EAST = Float32Array.of(1, 0);

/** A direction in the plane, with a length that must not matter. */
function at(degrees: number, length = 1): Float32Array {
  const angle = (degrees * Math.PI) / 180;
  return Float32Array.of(length * Math.cos(angle), length * Math.sin(angle));
}

const entry = (id: number, given: Partial<VectorEntry> = {}): VectorEntry => ({
  id,
  scope: "repository/1",
  space: PLANE,
  vector: EAST,
  ...given,
});

const asking = (given: Partial<NeighbourRequest> = {}): NeighbourRequest => ({
  scope: "repository/1",
  space: PLANE,
  vector: EAST,
  limit: 10,
  ...given,
});

const idsOf = (neighbours: readonly Neighbour[]): readonly number[] => neighbours.map(({ id }) => id);

const isRefused = (error: unknown): boolean =>
  error instanceof KodiaiError && /acme\/plane\/2/.test(error.message) && error.hint !== "";

/** The precision of 32 bits. */
const PRECISION = 1e-6;

const isClose = (a: number, b = Number.NaN): boolean => Math.abs(a - b) < PRECISION;

function assertSame(found: readonly Neighbour[], expected: readonly Neighbour[]): void {
  assert.deepEqual(idsOf(found), idsOf(expected));
  assert.ok(found.every(({ distance }, index) => isClose(distance, expected[index]?.distance)));
}

/** Each vector has a different distance, in order. */
function assertExact(found: readonly Neighbour[], all: readonly Neighbour[]): void {
  const distances = new Map(all.map(({ id, distance }) => [id, distance]));
  assert.ok(found.every(({ id, distance }) => isClose(distance, distances.get(id))));
  assert.equal(new Set(idsOf(found)).size, found.length);
  assert.deepEqual(
    found,
    found.toSorted((a, b) => a.distance - b.distance || a.id - b.id),
  );
}

/** A missing vector isn't nearer than those found: some have nearly the same distance, and rounding decides their order. */
async function assertNearest(
  vectors: Vectors,
  sample: SampleVectors,
  request: NeighbourRequest,
): Promise<void> {
  const found = await vectors.nearest(request);
  assertExact(found, reference(sample, { ...request, limit: sample.vectors.length }));
  const nearest = reference(sample, request);
  assert.equal(found.length, nearest.length);
  assert.ok(found.every(({ distance }, index) => isClose(distance, nearest[index]?.distance)));
}

export function testVectors(place: VectorsPlace): void {
  const on = (title: string): string => `${place.name}: ${title}`;
  const using = (
    entries: readonly VectorEntry[],
    work: (vectors: Vectors, database: Database) => Promise<void>,
    options?: VectorsOptions,
  ): Promise<void> =>
    place.withVectors(async (vectors, database) => {
      await database.transaction((sql) => vectors.put(entries, sql));
      await work(vectors, database);
    }, options);

  test(on("the search uses the method that the database supports"), () =>
    place.withVectors(async ({ method }) => assert.equal(method, place.method)),
  );

  test(on("the nearest come first regardless of length, up to the limit and the largest distance"), () =>
    using(
      [
        entry(1, { vector: at(180) }),
        entry(2, { vector: at(-60, 1e-20) }),
        entry(3, { vector: at(30, 1e20) }),
        entry(4, { vector: at(90) }),
        entry(5, { vector: at(0, 3) }),
      ],
      async (vectors) => {
        assertSame(await vectors.nearest(asking()), [
          { id: 5, distance: 0 },
          { id: 3, distance: 1 - Math.cos(Math.PI / 6) },
          { id: 2, distance: 0.5 },
          { id: 4, distance: 1 },
          { id: 1, distance: 2 },
        ]);
        assert.deepEqual(idsOf(await vectors.nearest(asking({ limit: 2 }))), [5, 3]);
        assert.deepEqual(idsOf(await vectors.nearest(asking({ maxDistance: 0.6 }))), [5, 3, 2]);
        assert.deepEqual(idsOf(await vectors.nearest(asking({ maxDistance: 0.6, limit: 1 }))), [5]);
        assert.deepEqual(idsOf(await vectors.nearest(asking({ vector: at(180), maxDistance: 0 }))), [1]);
        assert.deepEqual(await vectors.nearest(asking({ vector: at(-120), maxDistance: 0.1 })), []);
      },
    ),
  );

  test(on("vectors at the same distance are ordered by id"), () => {
    const ids = [7, 3, 5_000_000_000, 11, 4];
    return using(
      ids.map((id) => entry(id, { vector: at(10) })),
      async (vectors) => {
        assert.deepEqual(idsOf(await vectors.nearest(asking())), [3, 4, 7, 11, 5_000_000_000]);
        assert.deepEqual(idsOf(await vectors.nearest(asking({ limit: 3 }))), [3, 4, 7]);
      },
    );
  });

  test(on("nothing is found in another scope or another space"), () => {
    const solid = { name: PLANE.name, dimensions: 3 };
    const other = { name: "acme/other", dimensions: 2 };
    return using(
      [
        entry(1),
        entry(2, { scope: "repository/2" }),
        entry(3, { scope: "repository/10" }),
        entry(4, { space: other }),
        entry(5, { space: solid, vector: Float32Array.of(1, 0, 0) }),
      ],
      async (vectors) => {
        const find = async (given: Partial<NeighbourRequest>) => idsOf(await vectors.nearest(asking(given)));
        assert.deepEqual(await find({}), [1]);
        assert.deepEqual(await find({ scope: "repository/2" }), [2]);
        assert.deepEqual(await find({ scope: "repository/" }), []);
        assert.deepEqual(await find({ scope: "REPOSITORY/1" }), []);
        assert.deepEqual(await find({ space: other }), [4]);
        assert.deepEqual(await find({ space: solid, vector: Float32Array.of(1, 0, 0) }), [5]);
        assert.deepEqual(await find({ space: { name: "acme/third", dimensions: 2 } }), []);
      },
    );
  });

  test(on("an id has one vector: the last one put, in its last scope and space"), () =>
    using([entry(1), entry(2, { vector: at(90) })], async (vectors, database) => {
      const put = (...entries: readonly VectorEntry[]): Promise<void> =>
        database.transaction((sql) => vectors.put(entries, sql));
      await put(entry(1, { vector: at(180) }), entry(3, { vector: at(90) }), entry(3, { vector: at(20) }));
      assert.deepEqual(idsOf(await vectors.nearest(asking())), [3, 2, 1]);
      await put(entry(3, { scope: "repository/2" }), entry(2, { space: { name: "acme/x", dimensions: 2 } }));
      assert.deepEqual(idsOf(await vectors.nearest(asking())), [1]);
      assert.deepEqual(idsOf(await vectors.nearest(asking({ scope: "repository/2" }))), [3]);
    }),
  );

  test(on("removing by id or by scope removes those vectors and no others"), () => {
    const many = Array.from({ length: 450 }, (_, index) => entry(index + 1));
    return using(
      [...many, entry(1_000, { scope: "repository/2" }), entry(1_001, { scope: "repository/2" })],
      async (vectors, database) => {
        const ids = many.map(({ id }) => id).filter((id) => id % 100 !== 0);
        await database.transaction((sql) => vectors.remove([...ids, 1_000, 77_777], sql));
        assert.deepEqual(idsOf(await vectors.nearest(asking())), [100, 200, 300, 400]);
        await database.transaction((sql) => vectors.remove([], sql));
        await database.transaction((sql) => vectors.removeScope("repository/1", sql));
        assert.deepEqual(await vectors.nearest(asking()), []);
        assert.deepEqual(idsOf(await vectors.nearest(asking({ scope: "repository/2" }))), [1_001]);
      },
    );
  });

  test(on("ids are integers up to 2^53, and anything else is refused"), () => {
    const largest = Number.MAX_SAFE_INTEGER;
    return using([entry(largest), entry(largest - 1), entry(2 ** 32)], async (vectors, database) => {
      assert.deepEqual(idsOf(await vectors.nearest(asking())), [2 ** 32, largest - 1, largest]);
      for (const bad of [0, -1, 1.5, largest + 1, Number.NaN]) {
        await assert.rejects(
          database.transaction((sql) => vectors.put([entry(bad)], sql)),
          RangeError,
        );
      }
      for (const bad of [0, 1.5, MAX_NEIGHBOURS + 1]) {
        await assert.rejects(vectors.nearest(asking({ limit: bad })), RangeError);
      }
    });
  });

  test(on("a vector of zeros or of the wrong size is refused together with its batch"), () =>
    place.withVectors(async (vectors, database) => {
      const bad = [
        Float32Array.of(1),
        Float32Array.of(1, 0, 0),
        Float32Array.of(0, -0),
        Float32Array.of(1, Number.NaN),
        Float32Array.of(1, Number.POSITIVE_INFINITY),
        Float32Array.of(1e39, 1),
      ];
      for (const vector of bad) {
        // A transaction that continues after a refusal has written nothing, not even the valid entries.
        await database.transaction((sql) =>
          assert.rejects(vectors.put([entry(1), entry(2, { vector })], sql), isRefused),
        );
        await assert.rejects(vectors.nearest(asking({ vector })), isRefused);
      }
      for (const dimensions of [0, 1.5, 4_097]) {
        const space = { name: "acme/plane", dimensions };
        const vector = new Float32Array(dimensions).fill(1);
        await assert.rejects(vectors.nearest(asking({ space, vector })), KodiaiError);
      }
      assert.deepEqual(await vectors.nearest(asking()), []);
    }),
  );

  test(
    on("given vectors are measured exactly, whether near or far, in one space and perhaps one scope"),
    () => {
      const sample = createSampleVectors({ dimensions: 24, count: 230, shape: "random", seed: 5 });
      const elsewhere = entry(1_000, {
        scope: "repository/2",
        space: sample.space,
        vector: sample.vectors[0] ?? EAST,
      });
      return using([...entriesOf(sample), elsewhere, entry(1_001)], async (vectors) => {
        const [vector = EAST] = sample.queries(1);
        const asked = { space: sample.space, vector };
        const every = reference(sample, asking({ ...asked, limit: 230 }));
        const ids = [...idsOf(every), 1_001, 77_777].toSorted((a, b) => b - a);
        assertSame(await vectors.measure({ ...asked, ids }), every);
        const first = every.find(({ id }) => id === 1)?.distance ?? Number.NaN;
        assert.ok(every.some(({ distance }) => distance > 1));
        assertSame(await vectors.measure({ ...asked, ids: [1_000] }), [{ id: 1_000, distance: first }]);
        const scoped = await vectors.measure({ ...asked, ids: [1_000, 1], scope: "repository/1" });
        assertSame(scoped, [{ id: 1, distance: first }]);
        assert.deepEqual(await vectors.measure({ ...asked, ids: [] }), []);
        await assert.rejects(vectors.measure({ space: PLANE, vector, ids: [1] }), isRefused);
      });
    },
  );

  test(on("removing a scope leaves no row of it"), () =>
    using([entry(1), entry(2, { scope: "repository/2" })], async (vectors, database) => {
      await database.transaction((sql) => vectors.removeScope("repository/1", sql));
      const places = await database.query<{ scope: string }>("select scope from vector_places");
      assert.deepEqual(
        places.map(({ scope }) => scope),
        ["repository/2"],
      );
      await database.transaction((sql) => vectors.put([entry(3)], sql));
      assert.deepEqual(idsOf(await vectors.nearest(asking())), [3]);
    }),
  );

  test(on("a failed transaction leaves vectors unchanged"), () =>
    using([entry(1), entry(2, { vector: at(50) })], async (vectors, database) => {
      const boom = new Error("boom");
      const attempt = database.transaction(async (sql) => {
        await vectors.put([entry(1, { vector: at(180) }), entry(3)], sql);
        await vectors.remove([2], sql);
        await vectors.removeScope("repository/1", sql);
        throw boom;
      });
      await assert.rejects(attempt, (error) => error === boom);
      assert.deepEqual(idsOf(await vectors.nearest(asking())), [1, 2]);
    }),
  );

  for (const shape of ["random", "clustered", "sparse"] as const) {
    for (const [dimensions, count] of [
      [3, 100],
      [100, 100],
      [1_024, 50],
      [1_536, 50],
    ] as const) {
      test(on(`${count} ${shape} vectors of ${dimensions} dimensions: the nearest are found exactly`), () => {
        const sample = createSampleVectors({ dimensions, count, shape, seed: dimensions });
        return using(entriesOf(sample), async (vectors) => {
          for (const vector of sample.queries(5)) {
            for (const maxDistance of [0.3, 2]) {
              const request = asking({ space: sample.space, vector, limit: 20, maxDistance });
              await assertNearest(vectors, sample, request);
            }
          }
        });
      });
    }
  }

  test(on("in a scope with fewer vectors than candidates, the nearest of random ones are found"), () => {
    const sample = createSampleVectors({
      dimensions: 8,
      count: MAX_CANDIDATES - 1,
      shape: "random",
      seed: 1,
    });
    return using(entriesOf(sample), async (vectors) => {
      const [vector = EAST] = sample.queries(1);
      const request = asking({ space: sample.space, vector, limit: MAX_NEIGHBOURS });
      await assertNearest(vectors, sample, request);
    });
  });

  // The same ratio as that of 100,000 vectors to the candidates of a search.
  for (const shape of isAll ? (["clustered", "sparse"] as const) : (["clustered"] as const)) {
    test(
      on(`with more ${shape} vectors than can be compared, 98 of 100 are found with exact distances`),
      () => {
        const sample = createSampleVectors({ dimensions: 256, count: 1_000, shape, seed: 7 });
        const work = (vectors: Vectors): Promise<void> => assertFound(vectors, sample);
        return using(entriesOf(sample), work, { maxCandidates: 20 });
      },
    );
  }
}

async function assertFound(vectors: Vectors, sample: SampleVectors): Promise<void> {
  let [wanted, found] = [0, 0];
  for (const [index, vector] of sample.queries(50).entries()) {
    for (const maxDistance of [0.3, 2]) {
      const request = asking({ space: sample.space, vector, limit: 5, maxDistance });
      const neighbours = await vectors.nearest(request);
      assertAgreed(`${sample.space.name} ${index} ${maxDistance}`, neighbours);
      const all = reference(sample, { ...request, limit: sample.vectors.length });
      assertExact(neighbours, all);
      const nearest = idsOf(all.slice(0, request.limit));
      wanted += nearest.length;
      found += nearest.filter((id) => idsOf(neighbours).includes(id)).length;
    }
  }
  assert.ok(wanted > 300, "there was something to find");
  assert.ok(found / wanted >= 0.98, `${found} of ${wanted}`);
}

const said = new Map<string, readonly Neighbour[]>();

/** Every database returns the same result to the last digit, including the same misses. */
function assertAgreed(question: string, neighbours: readonly Neighbour[]): void {
  const before = said.get(question);
  if (before === undefined) said.set(question, neighbours);
  else assert.deepEqual(neighbours, before);
}

function entriesOf({ vectors, space }: SampleVectors): readonly VectorEntry[] {
  return vectors.map((vector, index) => entry(index + 1, { space, vector }));
}
