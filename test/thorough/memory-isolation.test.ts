/**
 * 50 repositories of several owners, whose memories all have the same words and directions. Thousands of retrievals, with changes of
 * visibility, sharing and owner in between, return exactly what an independent calculation allows.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../src/store/database.ts";
import {
  memoryScope,
  readVisible,
  searchText,
  visibleRepositories,
} from "../../src/store/repositories/memories.ts";
import {
  type MemoryRepository,
  setVisibility,
  writeMemoryRepository,
} from "../../src/store/repositories/memory-repositories.ts";
import { openVectors } from "../../src/store/vectors/open-vectors.ts";
import type { Vectors } from "../../src/store/vectors/vectors.ts";
import { type Chance, createChance } from "../support/chance.ts";
import { fillMemory, sampleMemory, sampleRepository } from "../support/memory/sample-memories.ts";
import { engineNamed, withStore } from "../support/queue-contract/engines.ts";

const REPOSITORIES = 50;
const OWNERS = 12;
const MEMORIES_PER_REPOSITORY = 6;
const RETRIEVALS_PER_CHANGE = 20;
const WORDS = ["leak", "null", "race", "await", "index", "query"] as const;
const SPACE = { name: "acme/space", dimensions: 3 };

const RETRIEVALS = { sqlite: 10_000, postgres: 400 } as const;

type StoredMemory = { readonly id: number; readonly repositoryId: number; readonly words: readonly string[] };

/** The answers expected of the database, calculated without it. */
type World = {
  readonly repositories: Map<number, MemoryRepository>;
  readonly memories: readonly StoredMemory[];
};

function maySee(viewerId: number, repositoryId: number, { repositories }: World): boolean {
  if (viewerId === repositoryId) return true;
  const [viewer, other] = [repositories.get(viewerId), repositories.get(repositoryId)];
  if (viewer === undefined || other === undefined || viewer.owner !== other.owner) return false;
  const isEquallyPrivate = viewer.isPrivate === other.isPrivate;
  return isEquallyPrivate && viewer.isSharing && other.isSharing;
}

async function createWorld(database: Database, vectors: Vectors, chance: Chance): Promise<World> {
  const repositories = Array.from({ length: REPOSITORIES }, (_, index) =>
    sampleRepository({
      repositoryId: index + 1,
      owner: `owner${index % OWNERS}`,
      isPrivate: chance.below(2) === 0,
      isSharing: chance.below(3) > 0,
    }),
  );
  const memories = repositories.flatMap(({ repositoryId }) =>
    Array.from({ length: MEMORIES_PER_REPOSITORY }, (_, index) => ({
      ...sampleMemory({
        repositoryId,
        title: `${WORDS[index]} ${WORDS[chance.below(WORDS.length)]}`,
        identity: `${index}`,
      }),
    })),
  );
  await fillMemory(database, repositories, memories);
  const rows = await database.query<{ id: number; repository_id: number; title: string }>(
    "select id, repository_id, title from memories order by id",
  );
  const entries = rows.map(({ id, repository_id: repositoryId }) => ({
    id,
    scope: memoryScope(repositoryId),
    space: SPACE,
    vector: Float32Array.of(1, chance.below(100), chance.below(100)),
  }));
  await database.transaction((sql) => vectors.put(entries, sql));
  return {
    repositories: new Map(repositories.map((each) => [each.repositoryId, each])),
    memories: rows.map(({ id, repository_id: repositoryId, title }) => ({
      id,
      repositoryId,
      words: title.split(" "),
    })),
  };
}

/** Changes one repository as events and configuration do. */
async function change(
  { repositories }: World,
  database: Database,
  chance: Chance,
  at: number,
): Promise<void> {
  const id = 1 + chance.below(REPOSITORIES);
  const before = repositories.get(id) ?? sampleRepository({ repositoryId: id });
  const kind = chance.below(5);
  const owner = kind === 0 ? `owner${chance.below(OWNERS)}` : before.owner;
  const isPrivate = kind > 2 ? !before.isPrivate : before.isPrivate;
  const isSharing = kind === 1 || kind === 2 ? !before.isSharing : before.isSharing;
  const after = { ...before, owner, isPrivate, isSharing };
  repositories.set(id, after);
  if (kind > 2) await setVisibility(after, at, database);
  else await writeMemoryRepository(after, at, database);
}

/** Ids as a review retrieves them, by words or by direction. */
async function retrieve(
  viewer: number,
  { words, vector }: { readonly words: readonly string[] | null; readonly vector: Float32Array },
  { vectors, database }: { readonly vectors: Vectors; readonly database: Database },
): Promise<readonly number[]> {
  if (words !== null) {
    const found = await searchText({ viewer, terms: words, limit: 1_000 }, database);
    return found.map(({ id }) => id);
  }
  const ids: number[] = [];
  for (const repositoryId of await visibleRepositories(viewer, 100, database)) {
    const found = await vectors.nearest({
      scope: memoryScope(repositoryId),
      space: SPACE,
      vector,
      limit: 100,
    });
    ids.push(...found.map(({ id }) => id));
  }
  return ids;
}

const sorted = (ids: Iterable<number>): readonly number[] => [...ids].sort((a, b) => a - b);

for (const engine of ["sqlite", "postgres"] as const) {
  test(`${engine}: ${RETRIEVALS[engine]} retrievals by ${REPOSITORIES} repositories never return a foreign memory`, () =>
    withStore(engineNamed(engine), async ({ database }) => {
      const chance = createChance(18);
      const vectors = await openVectors(database);
      const world = await createWorld(database, vectors, chance);
      let [own, shared] = [0, 0];
      for (let index = 0; index < RETRIEVALS[engine]; index += RETRIEVALS_PER_CHANGE) {
        await change(world, database, chance, index);
        const turns = Array.from({ length: RETRIEVALS_PER_CHANGE }, async (_, turn) => {
          const viewer = 1 + chance.below(REPOSITORIES);
          const words = turn % 2 === 0 ? [chance.of(WORDS) ?? "", "unknown"] : null;
          const vector = Float32Array.of(1, chance.below(100), chance.below(100));
          const known = Array.from({ length: 16 }, () => chance.of(world.memories)?.id ?? 0);
          const visible = world.memories.filter((memory) => maySee(viewer, memory.repositoryId, world));
          const expected = visible.filter(
            (memory) => words === null || words.some((word) => memory.words.includes(word)),
          );
          const found = await retrieve(viewer, { words, vector }, { vectors, database });
          assert.deepEqual(sorted(found), sorted(expected.map(({ id }) => id)));
          // Reading by id returns nothing more, even if every id is known.
          const asked = new Set([...known, ...found.slice(0, 16)]);
          const rows = await readVisible(viewer, [...asked], database);
          const readable = visible.filter(({ id }) => asked.has(id));
          assert.deepEqual(sorted(rows.map(({ id }) => id)), sorted(readable.map(({ id }) => id)));
          for (const row of rows) {
            const [viewing, seen] = [
              world.repositories.get(viewer),
              world.repositories.get(row.repositoryId),
            ];
            assert.equal(seen?.isPrivate, viewing?.isPrivate);
            assert.equal(row.repository, `${seen?.owner}/${seen?.name}`);
            if (row.repositoryId === viewer) own++;
            else shared++;
          }
        });
        await Promise.all(turns);
      }
      assert.ok(own > RETRIEVALS[engine] && shared > RETRIEVALS[engine] / 2, "there was something to see");
    }));
}
