/** The contract that every implementation of the CodeIndex port must fulfill. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { CodeIndex, FactsRead } from "../../src/code-index/code-index.ts";
import { createReaderProcess } from "../../src/reading/process/reader-process.ts";
import type { Reader } from "../../src/reading/reader.ts";
import { openRepository } from "../../src/repository/git/open-repository.ts";
import type { Repository, Revision, TreeFile } from "../../src/repository/repository.ts";
import { countWord, hashWord } from "../../src/languages/file-facts.ts";
import { type TestRepository, testRepository } from "./test-repository.ts";

const READER_MAIN = new URL("../../src/reader-main.ts", import.meta.url);

const NEVER = new AbortController().signal;

type Given = { readonly repository: Repository; readonly reader: Reader };

export type IndexWorld = Given & {
  readonly made: TestRepository;
  /** The number of contents that were read from the repository. */
  readonly reads: () => number;
  readonly list: (revision: Revision) => Promise<readonly TreeFile[]>;
};

/** A repository that counts the contents it reads, and the real reader. */
export async function openIndexWorld(t: TestContext): Promise<IndexWorld> {
  const made = testRepository();
  const opened = await openRepository(made.path, {
    PATH: process.env["PATH"] ?? "",
    GIT_CONFIG_NOSYSTEM: "1",
  });
  const reader = createReaderProcess(READER_MAIN, NEVER);
  t.after(() => {
    reader.close();
    opened.close();
    made.remove();
  });
  let reads = 0;
  const counted = async (found: Promise<ReadonlyMap<string, string>>) => {
    const texts = await found;
    reads += texts.size;
    return texts;
  };
  const repository: Repository = {
    ...opened,
    readBlobs: (ids, maxBytes) => counted(opened.readBlobs(ids, maxBytes)),
    readFiles: (revision, paths, maxBytes) => counted(opened.readFiles(revision, paths, maxBytes)),
  };
  const list = async (revision: Revision) =>
    (await repository.listFiles(revision, 10_000, { maxMs: 60_000, signal: NEVER })) ?? [];
  return { made, repository, reader, reads: () => reads, list };
}

export async function readHead(index: CodeIndex, { made, list }: IndexWorld): Promise<FactsRead> {
  const revision = { commit: made.git("rev-parse", "HEAD").trim() };
  return index.readFacts(revision, await list(revision), { signal: NEVER });
}

export function testCodeIndex(what: string, open: (t: TestContext, given: Given) => CodeIndex): void {
  test(`${what}: facts are extracted once for each content`, async (t) => {
    const world = await openIndexWorld(t);
    const { made, reads } = world;
    made.write("a.py", "import os\n");
    made.write("copy/a.py", "import os\n");
    made.write("b.ts", "export const cart = 1;\n");
    made.write("notes.txt", "nothing but words\n");
    made.write("empty.py", "");
    made.commit("root");
    const index = open(t, world);
    const cold = await readHead(index, world);
    assert.deepEqual([cold.known, cold.read, cold.failed, cold.cacheProblem, reads()], [0, 5, [], null, 4]);
    assert.equal(cold.facts.get("copy/a.py")?.imports[0]?.specifier, "os");
    assert.equal(cold.facts.get("b.ts")?.definitions[0]?.name, "cart");
    const notes = cold.facts.get("notes.txt")?.words;
    assert.equal(notes === undefined ? null : countWord(notes, hashWord("words")), 1);
    const warm = await readHead(index, world);
    assert.deepEqual([warm.known, warm.read, reads()], [5, 0, 4]);
    assert.deepEqual(warm.facts, cold.facts);
    made.write("b.ts", "export const basket = 1;\n");
    made.commit("second");
    const changed = await readHead(index, world);
    assert.deepEqual([changed.known, changed.read, reads()], [4, 1, 5]);
    assert.equal(changed.facts.get("b.ts")?.definitions[0]?.name, "basket");
  });

  test(`${what}: the same content has other facts in another language`, async (t) => {
    const world = await openIndexWorld(t);
    const { made } = world;
    // A header in a repository with C++ is C++.
    made.write("a.h", "class Cart { void add(); };\n");
    made.write("b.cpp", "class Cart { void add(); };\n");
    made.write("c.py", "class Cart { void add(); };\n");
    made.commit("root");
    const { facts } = await readHead(open(t, world), world);
    const names = (path: string) => facts.get(path)?.definitions.map(({ name }) => name);
    assert.deepEqual(
      [names("a.h"), names("b.cpp"), names("c.py")],
      [["Cart", "add"], ["Cart", "add"], ["Cart"]],
    );
  });

  test(`${what}: a text about commits is kept next to the facts`, async (t) => {
    const world = await openIndexWorld(t);
    world.made.write("a.py", "import os\n");
    world.made.commit("root");
    const index = open(t, world);
    assert.equal(await index.keptCommits.read(), null);
    for (const text of ["[]", '[["é", "\\ud800 \u{1f43b}"]]']) {
      await index.keptCommits.write(text);
      assert.equal(await index.keptCommits.read(), text);
    }
    assert.equal((await readHead(index, world)).read, 1);
  });

  test(`${what}: files without facts have a reason`, async (t) => {
    const world = await openIndexWorld(t);
    const { made, list } = world;
    made.write("large.py", `x = 1${" ".repeat(2_000_000)}\n`);
    made.write("binary.py", new Uint8Array([0, 1, 2, ...Buffer.from("import os\n")]));
    made.write("latin1.py", Buffer.from("caf\xe9 = 1\nimport os\n", "latin1"));
    made.commit("root");
    const head = { commit: made.git("rev-parse", "HEAD").trim() };
    const gone: readonly TreeFile[] = [
      { path: "gone.py", blob: "1".repeat(40), bytes: 5 },
      { path: "partial.py", blob: "2".repeat(40), bytes: 0 },
    ];
    const progress: number[] = [];
    const files = [...(await list(head)), ...gone];
    const { facts, failed } = await open(t, world).readFacts(head, files, {
      signal: NEVER,
      onProgress: (done, all) => progress.push(done, all),
    });
    assert.deepEqual(failed.map(({ path, reason }) => `${path} ${reason}`).toSorted(), [
      "gone.py unreadable",
      "large.py too-large",
      "partial.py unreadable",
    ]);
    assert.equal(facts.get("binary.py")?.words.total, 0);
    assert.equal(facts.get("latin1.py")?.imports.length, 1);
    assert.deepEqual(progress.slice(-2), [5, 5]);
  });

  test(`${what}: a file that the reader can't handle loses only its own facts`, async (t) => {
    const world = await openIndexWorld(t);
    const { made } = world;
    for (let number = 0; number < 9; number++) made.write(`${number}.py`, `import module_${number}\n`);
    made.write("5.py", "import hostile\n");
    made.commit("root");
    const index = open(t, { ...world, reader: failingFor(world.reader, "hostile") });
    const read = await readHead(index, world);
    assert.deepEqual(read.failed, [{ path: "5.py", reason: "failed" }]);
    assert.equal(read.facts.size, 8);
    assert.equal((await readHead(index, world)).known, 8);
  });

  test(`${what}: files on disk are read from disk, and changed ones aren't stored under another id`, async (t) => {
    const world = await openIndexWorld(t);
    const { made, list } = world;
    made.write("a.py", "import committed\n");
    made.write("b.py", "import kept\n");
    made.commit("root");
    made.write("a.py", "import listed\n");
    made.write("new.py", "import untracked\n");
    const index = open(t, world);
    const listed = await list("working-tree");
    made.write("a.py", "import later\n");
    const specifiers = async (files: readonly TreeFile[]) => {
      const { facts, known } = await index.readFacts("working-tree", files, { signal: NEVER });
      return [known, ...files.map(({ path }) => facts.get(path)?.imports[0]?.specifier)];
    };
    assert.deepEqual(await specifiers(listed), [0, "later", "kept", "untracked"]);
    made.write("a.py", "import listed\n");
    assert.deepEqual(await specifiers(listed), [2, "listed", "kept", "untracked"]);
  });

  test(`${what}: an aborted signal ends the work`, async (t) => {
    const world = await openIndexWorld(t);
    world.made.write("a.py", "import os\n");
    world.made.commit("root");
    const head = { commit: world.made.git("rev-parse", "HEAD").trim() };
    const files = await world.list(head);
    const signal = AbortSignal.abort(new Error("stopped"));
    await assert.rejects(open(t, world).readFacts(head, files, { signal }), /stopped/);
  });
}

/** A reader that runs out of time for texts with a word. */
function failingFor(reader: Reader, word: string): Reader {
  return {
    ...reader,
    async ask(task, takes, maxMs) {
      if (JSON.stringify(takes).includes(word)) return { kind: "over-limit", limit: "time" };
      return reader.ask(task, takes, maxMs);
    },
  };
}
