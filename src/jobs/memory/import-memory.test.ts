import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { type Engine, engineNamed, withStore } from "../../../test/support/queue-contract/engines.ts";
import { fillEverything } from "../../../test/support/memory/fill-memory.ts";
import { termsOf } from "../../memory/terms-of.ts";
import { toStorableText } from "../../store/database.ts";
import { searchText } from "../../store/repositories/memories.ts";
import { listKnownRepositories } from "../../store/repositories/memory-records.ts";
import type { Store } from "../../store/store.ts";
import { openVectors } from "../../store/vectors/open-vectors.ts";
import { exportMemory } from "./export-memory.ts";
import { importMemory } from "./import-memory.ts";
import { EXPORT_FORMAT, EXPORT_KIND, type MemoryFileRow } from "./memory-lines.ts";

const SQLITE = engineNamed("sqlite");
const POSTGRES = engineNamed("postgres");

async function* asLatin1(text: string): AsyncGenerator<string> {
  const bytes = Buffer.from(text).toString("latin1");
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.slice(at, at + 1_000);
}

async function exported({ database }: Store): Promise<string> {
  const ids = (await listKnownRepositories(database)).map(({ repositoryId }) => repositoryId);
  const lines: string[] = [];
  for await (const line of exportMemory(ids, { at: 0, sql: database })) lines.push(line);
  return lines.join("");
}

async function imported(text: string, { database }: Store, only: string | null = null) {
  return importMemory(asLatin1(text), only, { database, vectors: await openVectors(database) });
}

function fileOf(rows: readonly object[], { format = EXPORT_FORMAT, count = rows.length } = {}): string {
  const header = { kind: EXPORT_KIND, format, program: "kodiai", exportedAt: "" };
  return [header, ...rows, { kind: "end", rows: count }].map((row) => `${JSON.stringify(row)}\n`).join("");
}

const REPOSITORY = {
  kind: "repository",
  repositoryId: 5_000_000_000,
  repository: {
    owner: "acme",
    name: "app",
    isPrivate: true,
    isSharing: false,
    embeddings: "local",
    updatedAt: 7,
  },
} as const satisfies MemoryFileRow;

const MEMORY = {
  kind: "memory",
  repositoryId: REPOSITORY.repositoryId,
  pullRequest: 3,
  identity: "f1",
  pattern: "rule:x",
  title: "Promise is not awaited",
  body: "",
  path: "a.ts",
  language: "TypeScript",
  category: "correctness",
  severity: "major",
  rule: null,
  url: null,
  outcome: "accepted",
  createdAt: 1,
  updatedAt: 2,
  vector: { space: "local/x/2", data: Buffer.from(Float32Array.of(1, -0.5).buffer).toString("base64") },
} as const satisfies MemoryFileRow;

const text = fc.string({ unit: "grapheme", maxLength: 30 }).map(toStorableText);
const name = text.map((value) => `${value}.`);
const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
const vector = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, min: 1 }), {
  minLength: 2,
  maxLength: 4,
});

/** Rows with distinct keys, in the order of an export. */
const rows = fc
  .record({
    memories: fc.array(fc.record({ text, name, time, vector: fc.option(vector) }), { maxLength: 12 }),
    learnings: fc.array(fc.record({ text, name, time, confidence: fc.integer({ min: 0, max: 1_000 }) }), {
      maxLength: 5,
    }),
    suppressions: fc.array(fc.record({ text, name, time, undoneAt: fc.option(time) }), { maxLength: 3 }),
    feedback: fc.array(fc.record({ text, name, time, teaches: fc.boolean() }), { maxLength: 5 }),
  })
  .map(({ memories, learnings, suppressions, feedback }): readonly MemoryFileRow[] => [
    REPOSITORY,
    ...memories.map((given, index): MemoryFileRow => ({
      ...MEMORY,
      identity: `${given.name}${index}`,
      title: given.text,
      body: given.name,
      rule: index % 2 === 0 ? null : given.name,
      createdAt: given.time,
      updatedAt: given.time + 1,
      vector:
        given.vector === null
          ? null
          : {
              space: `local/x/${given.vector.length}`,
              data: Buffer.from(Float32Array.from(given.vector).buffer).toString("base64"),
            },
    })),
    ...learnings.map((given, index): MemoryFileRow => ({
      kind: "learning",
      repositoryId: REPOSITORY.repositoryId,
      source: "person",
      name: `${given.name}${index}`,
      learningKind: "context",
      text: given.text,
      paths: [given.name, "src/**"],
      confidence: given.confidence / 1_000,
      confirmations: index,
      uses: index,
      lastUsedAt: index % 2 === 0 ? null : given.time,
      provenance: given.text,
      owner: null,
      createdBy: given.name,
      createdAt: given.time,
      updatedAt: given.time,
      expiresAt: given.time,
    })),
    ...suppressions.map((given, index): MemoryFileRow => ({
      kind: "suppression",
      repositoryId: REPOSITORY.repositoryId,
      pattern: `${given.name}${index}`,
      title: given.text,
      createdAt: given.time,
      expiresAt: given.time,
      undoneAt: given.undoneAt,
      undoneBy: given.undoneAt === null ? null : given.name,
    })),
    ...feedback.map((given, index): MemoryFileRow => ({
      kind: "feedback",
      repositoryId: REPOSITORY.repositoryId,
      pullRequest: index + 1,
      identity: given.name,
      signal: "thumbs-down",
      person: given.name,
      pattern: given.name,
      title: given.text,
      teaches: given.teaches,
      reason: "write-access",
      words: "we do this on purpose",
      url: null,
      at: given.time,
    })),
  ]);

/** The rows of a file in any order, with their keys in any order. */
function rowsIn(file: string): readonly string[] {
  return file
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const row = JSON.parse(line) as Record<string, unknown>;
      return JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    })
    .toSorted();
}

async function passThrough(engine: Engine, file: string): Promise<string> {
  let result = "";
  await withStore(engine, async (store) => {
    await imported(file, store);
    result = await exported(store);
  });
  return result;
}

test("rows survive the way from SQLite to PostgreSQL and back", async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const file = fileOf(given);
      const first = await passThrough(SQLITE, file);
      assert.deepEqual(rowsIn(first), rowsIn(file));
      const second = await passThrough(POSTGRES, first);
      assert.deepEqual(rowsIn(second), rowsIn(file));
      assert.equal(await passThrough(SQLITE, second), second);
    }),
    { numRuns: 5 },
  );
});

for (const engine of [SQLITE, POSTGRES]) {
  test(`${engine.name}: a second import changes nothing, and newer rows win`, () =>
    withStore(engine, async (store) => {
      const file = fileOf([REPOSITORY, MEMORY]);
      assert.equal((await imported(file, store)).written.memory, 1);
      const before = await exported(store);
      assert.deepEqual(await imported(file, store), {
        written: { repository: 0, forgotten: 0, memory: 0, learning: 0, suppression: 0, feedback: 0 },
        unchanged: 2,
      });
      await imported(fileOf([REPOSITORY, { ...MEMORY, title: "older", updatedAt: 1 }]), store);
      assert.equal(await exported(store), before);
      await imported(
        fileOf([REPOSITORY, { ...MEMORY, title: "A deadlock", updatedAt: 3, vector: null }]),
        store,
      );
      assert.match(await exported(store), /"title":"A deadlock".*"vector":null/);
      const { database } = store;
      const search = (term: string) =>
        searchText({ viewer: REPOSITORY.repositoryId, terms: [...termsOf(term).keys()], limit: 5 }, database);
      assert.equal((await search("deadlock")).length, 1);
      assert.equal((await search("promise")).length, 0, "the old words are gone");
    }));
}

test("only the named repository is imported", () =>
  withStore(SQLITE, async (store) => {
    await fillEverything(store, { repositoryId: 1, name: "one" });
    await fillEverything(store, { repositoryId: 2, name: "two" });
    const file = await exported(store);
    await withStore(SQLITE, async (other) => {
      await imported(file, other, "Acme/two");
      const [known, ...more] = await listKnownRepositories(other.database);
      assert.deepEqual([known?.name, known?.memories, more], ["acme/two", 2, []]);
      await assert.rejects(() => imported(file, other, "acme/three"), /nothing about acme\/three/);
    });
  }));

const BAD: readonly (readonly [what: string, file: string, error: RegExp])[] = [
  ["an empty file", "", /^line 1 is missing/],
  ["no header", "{}\n", /^line 1 isn't valid/],
  ["text", "hello\n", /^line 1 isn't JSON/],
  ["a newer format", fileOf([], { format: 2 }), /format 2, and this program reads 1/],
  [
    "a broken third line",
    fileOf([REPOSITORY, MEMORY]).replace('"pullRequest":3', '"pullRequest":"3"'),
    /^line 3 isn't valid at pullRequest/,
  ],
  ["an unknown kind", fileOf([{ kind: "x" }]), /^line 2 isn't valid at kind/],
  ["an unknown key", fileOf([{ ...REPOSITORY, x: 1 }]), /^line 2 isn't valid/],
  ["a memory without its repository", fileOf([MEMORY]), /^line 2 is of repository/],
  [
    "a cut file",
    fileOf([REPOSITORY, MEMORY]).split("\n").slice(0, 3).join("\n"),
    /^line 4 is missing: the file was cut off/,
  ],
  ["a wrong count", fileOf([REPOSITORY], { count: 2 }), /^line 3 counts 2 rows/],
  [
    "rows after the end",
    `${fileOf([REPOSITORY])}${JSON.stringify(REPOSITORY)}\n`,
    /^line 4 comes after the end/,
  ],
  [
    "a short vector",
    fileOf([REPOSITORY, { ...MEMORY, vector: { space: "local/x/3", data: MEMORY.vector.data } }]),
    /^line 3 has a vector of 8 bytes/,
  ],
  [
    "a vector of zeros",
    fileOf([REPOSITORY, { ...MEMORY, vector: { space: "local/x/1", data: "AAAAAA==" } }]),
    /^line 3 has a vector without/,
  ],
  ["a long line", fileOf([{ ...REPOSITORY, x: "x".repeat(2_000_000) }]), /^line 2 is longer than/],
];

for (const [what, file, error] of BAD) {
  test(`${what} is refused with its line, and its batch isn't written`, () =>
    withStore(SQLITE, async (store) => {
      await assert.rejects(
        () => imported(file, store),
        (thrown: Error) => error.test(thrown.message),
      );
      assert.equal((await listKnownRepositories(store.database)).length, 0);
    }));
}
