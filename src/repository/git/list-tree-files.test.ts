/** Tests listing files and reading co-changes with real repositories: partial and shallow ones, and odd paths. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { type TestRepository, testRepository } from "../../../test/support/test-repository.ts";
import { KodiaiError } from "../../base/errors.ts";
import type { Repository, Revision } from "../repository.ts";
import { openRepository } from "./open-repository.ts";

const ENVIRONMENT = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1" };

const PATIENT = { maxMs: 60_000, signal: new AbortController().signal };

function makeRepository(t: TestContext): TestRepository {
  const repository = testRepository();
  t.after(() => repository.remove());
  return repository;
}

async function opened(t: TestContext, path: string): Promise<Repository> {
  const repository = await openRepository(path, ENVIRONMENT);
  t.after(() => repository.close());
  return repository;
}

async function listing(repository: Repository, revision: Revision): Promise<readonly string[]> {
  const files = (await repository.listFiles(revision, 1_000, PATIENT)) ?? [];
  return files.map(({ path, blob, bytes }) => `${path} ${blob.slice(0, 8)} ${bytes}`);
}

/** The ids of these contents, as `git hash-object` prints them. */
const ONE = "5626abf0 4";
const TWO = "f719efd4 4";
const THREE = "2bdf67ab 6";

test("regular files of a commit, the index and the disk have the ids and sizes of their contents", async (t) => {
  const made = makeRepository(t);
  made.write(".gitignore", "ignored.txt\n");
  for (const name of ["both.txt", "disk.txt", "gone.txt", "kept.txt", "linked.txt", "touched.txt"]) {
    made.write(name, "one\n");
  }
  made.write("empty.txt", "");
  symlinkSync("kept.txt", join(made.path, "link"));
  const head = made.commit("root");
  made.git("update-index", "--add", "--cacheinfo", `160000,${head},module`);
  made.write("both.txt", "two\n");
  made.write("staged.txt", "three\n");
  made.git("add", "both.txt", "staged.txt");
  made.write("both.txt", "three\n");
  made.write("disk.txt", "two\n");
  made.write("Untracked/a.txt", "two\n");
  made.write("ignored.txt", "two\n");
  rmSync(join(made.path, "gone.txt"));
  rmSync(join(made.path, "linked.txt"));
  symlinkSync("kept.txt", join(made.path, "linked.txt"));
  utimesSync(join(made.path, "touched.txt"), 1, 1);
  const repository = await opened(t, made.path);
  const ignore = `.gitignore ${made.git("hash-object", ".gitignore").slice(0, 8)} 12`;
  const empty = "empty.txt e69de29b 0";
  assert.deepEqual(await listing(repository, { commit: head }), [
    ignore,
    `both.txt ${ONE}`,
    `disk.txt ${ONE}`,
    empty,
    `gone.txt ${ONE}`,
    `kept.txt ${ONE}`,
    `linked.txt ${ONE}`,
    `touched.txt ${ONE}`,
  ]);
  assert.deepEqual(await listing(repository, "index"), [
    ignore,
    `both.txt ${TWO}`,
    `disk.txt ${ONE}`,
    empty,
    `gone.txt ${ONE}`,
    `kept.txt ${ONE}`,
    `linked.txt ${ONE}`,
    `staged.txt ${THREE}`,
    `touched.txt ${ONE}`,
  ]);
  assert.deepEqual(await listing(repository, "working-tree"), [
    ignore,
    `Untracked/a.txt ${TWO}`,
    `both.txt ${THREE}`,
    `disk.txt ${TWO}`,
    empty,
    `kept.txt ${ONE}`,
    `staged.txt ${THREE}`,
    `touched.txt ${ONE}`,
  ]);
  assert.equal(await repository.listFiles("working-tree", 7, PATIENT), null);
  assert.equal(await repository.listFiles({ commit: head }, 7, PATIENT), null);
});

test("a file on disk in conflict, too large to hash, or in a repository without commits is listed", async (t) => {
  const made = makeRepository(t);
  made.write("new.txt", "one\n");
  const repository = await opened(t, made.path);
  assert.deepEqual(await listing(repository, "working-tree"), [`new.txt ${ONE}`]);
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "side");
  made.write("new.txt", "two\n");
  made.commit("side");
  made.git("checkout", "--quiet", "main");
  made.write("new.txt", "three\n");
  made.commit("main");
  assert.throws(() => made.git("merge", "side"));
  made.write("new.txt", "one\n");
  made.write("huge.dat", "");
  truncateSync(join(made.path, "huge.dat"), 20_000_000_000);
  assert.deepEqual(await listing(repository, "working-tree"), [
    "huge.dat 00000000 20000000000",
    `new.txt ${ONE}`,
  ]);
});

test("paths that aren't text or span lines are listed in the order of their bytes", async (t) => {
  const made = makeRepository(t);
  const latin1 = Buffer.from("caf\xe9.txt", "latin1");
  for (const name of ["a b.txt", "two\nlines.txt", "naïve.txt", "\u{1f43b}.txt", "\ufb01.txt"]) {
    made.write(name, "one\n");
  }
  writeFileSync(Buffer.concat([Buffer.from(`${made.path}/`), latin1]), "one\n");
  const head = made.commit("root");
  const paths = [
    "a b.txt",
    "caf\udce9.txt",
    "naïve.txt",
    "two\nlines.txt",
    "\ufb01.txt",
    "\u{1f43b}.txt",
  ].map((path) => `${path} ${ONE}`);
  const repository = await opened(t, made.path);
  assert.deepEqual(await listing(repository, { commit: head }), paths);
  utimesSync(Buffer.concat([Buffer.from(`${made.path}/`), latin1]), 1, 1);
  assert.deepEqual(await listing(repository, "working-tree"), paths);
});

/** A bare clone over the file protocol, which supports filters and depths. */
function clone(t: TestContext, made: TestRepository, ...options: string[]): string {
  made.git("config", "uploadpack.allowFilter", "true");
  const folder = mkdtempSync(join(tmpdir(), "kodiai-test-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync("git", ["clone", "--quiet", "--bare", ...options, `file://${made.path}`, folder]);
  return folder;
}

test("a partial clone lists files and reads co-changes without fetching", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "one\n");
  made.commit("root");
  made.write("b.txt", "two\n");
  const head = made.commit("second");
  const repository = await opened(t, clone(t, made, "--filter=blob:none"));
  // The clone can't fetch from a repository that is gone.
  made.remove();
  assert.deepEqual(await listing(repository, { commit: head }), ["a.txt 5626abf0 0", "b.txt f719efd4 0"]);
  assert.deepEqual(await listing(repository, "working-tree"), []);
  assert.deepEqual(await repository.readCoChanges(head, { ...PATIENT, maxCommits: 9 }), [["b.txt"]]);
});

test("co-changes are the paths of the last commits, newest first, without merges and roots", async (t) => {
  const made = makeRepository(t);
  for (const name of ["a.txt", "b.txt", "two\nlines.txt", "\nodd.txt"]) made.write(name, "1\n2\n3\n4\n5\n");
  made.commit("root");
  made.write("a.txt", "x\n");
  made.write("two\nlines.txt", "x\n");
  made.write("\nodd.txt", "x\n");
  made.commit("odd");
  made.git("checkout", "--quiet", "-b", "side");
  made.git("mv", "b.txt", "c.txt");
  made.commit("rename");
  made.git("checkout", "--quiet", "main");
  made.commit("empty");
  made.git("merge", "--quiet", "--no-ff", "side");
  const head = made.git("rev-parse", "HEAD").trim();
  const repository = await opened(t, made.path);
  const read = (from: Repository, maxCommits: number) => from.readCoChanges(head, { ...PATIENT, maxCommits });
  const all = await read(repository, 100);
  const odd = ["\nodd.txt", "a.txt", "two\nlines.txt"];
  assert.deepEqual(new Set(all), new Set([[], odd, ["b.txt", "c.txt"]]));
  assert.deepEqual(all.at(-1), odd);
  assert.equal((await read(repository, 2)).length, 2);
  assert.ok((await read(await opened(t, clone(t, made, "--depth=2")), 9)).every((paths) => paths.length < 3));
});

test("co-changes are the same with paths that a cache keeps, and only new commits are compared", async (t) => {
  const made = makeRepository(t);
  const path = Buffer.from("caf\xe9.txt", "latin1");
  made.write("a.txt", "one\n");
  made.commit("root");
  writeFileSync(Buffer.concat([Buffer.from(`${made.path}/`), path]), "1\n");
  made.write("a.txt", "two\n");
  const first = made.commit("first");
  made.commit("empty");
  made.write("b.txt", "1\n");
  const head = made.commit("head");
  const repository = await opened(t, made.path);
  let text: string | null = null;
  let writes = 0;
  const kept = {
    read: async () => text,
    write: async (written: string) => {
      text = written;
      writes++;
    },
  };
  const read = (commit: string) => repository.readCoChanges(commit, { ...PATIENT, maxCommits: 9, kept });
  const plain = (commit: string) => repository.readCoChanges(commit, { ...PATIENT, maxCommits: 9 });
  for (const commit of [first, head, first, head]) assert.deepEqual(await read(commit), await plain(commit));
  assert.equal(writes, 2, "an older commit has nothing new, and its paths stay");
  const changed = JSON.stringify([[head, "from the cache"]]);
  text = changed;
  assert.deepEqual(await read(head), [["from the cache"], ...(await plain(head)).slice(1)]);
  for (const damaged of ["[", "{}", "[1]", '[["a", 1]]', `[[${"1,".repeat(9)}2]]`]) {
    text = damaged;
    assert.deepEqual(await read(head), await plain(head), damaged);
  }
});

test("listing and co-changes stop when the time is up or the caller aborts", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "one\n");
  const head = made.commit("root");
  const repository = await opened(t, made.path);
  const aborted = { maxMs: 60_000, signal: AbortSignal.abort() };
  const isCancelled = (error: unknown) => error instanceof KodiaiError && error.code === "cancelled";
  await assert.rejects(repository.listFiles("working-tree", 9, aborted), isCancelled);
  await assert.rejects(repository.readCoChanges(head, { ...aborted, maxCommits: 9 }), isCancelled);
  const late = { maxMs: 0, signal: PATIENT.signal };
  const isLate = (error: unknown) => error instanceof KodiaiError && error.code === "git";
  await assert.rejects(repository.listFiles({ commit: head }, 9, late), isLate);
});
