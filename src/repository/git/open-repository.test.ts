/** Tests the git adapter against real repositories, including hostile ones. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { FILE, FOLDER, treeWriter } from "../../../test/support/git-trees.ts";
import { KodiaiError } from "../../base/errors.ts";
import { addedLines } from "../../review/change/walk-hunks.ts";
import type { ChangeRequest, Revision, Search } from "../repository.ts";
import { openRepository } from "./open-repository.ts";
import {
  ENVIRONMENT,
  makeRepository,
  opened,
  changeOf,
  PATIENT,
} from "../../../test/support/open-repository-fixtures.ts";

const CURRENT: ChangeRequest = { kind: "current", base: null };

async function assertRefused(work: Promise<unknown>, code: string, says: RegExp): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof KodiaiError);
    assert.equal(error.code, code);
    assert.match(`${error.message} | ${error.hint}`, says);
    return true;
  });
}

test("a pull request is the difference between its merge base and its head, with its own title", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "one\n");
  const mergeBase = made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  made.write("a.txt", "one\ntwo\n");
  made.commit("first");
  made.write("b.txt", "x\n");
  const head = made.commit("second");
  const words = { title: "Title", body: "Body", description: "pull request 7" };
  const request = { kind: "pull-request", ...words, mergeBase, head } as const;
  const change = await changeOf(t, made, request);
  assert.deepEqual([change.kind, change.base, change.head], ["pull-request", mergeBase, head]);
  assert.deepEqual([change.title, change.body, change.description], ["Title", "Body", "pull request 7"]);
  assert.deepEqual(
    change.commits.map(({ subject }) => subject),
    ["second", "first"],
  );
  assert.deepEqual(
    change.files.map(({ path, status }) => [path, status]),
    [
      ["a.txt", "modified"],
      ["b.txt", "added"],
    ],
  );
  await assert.rejects(changeOf(t, made, { ...request, mergeBase: "--output=x" }), TypeError);
});

test("a branch is compared with its base, with renames, modes and commits", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "one\ntwo\nthree\nfour\nfive\n");
  made.write("run.sh", "echo hi\n");
  made.write("gone.txt", "bye\n");
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  made.git("mv", "a.txt", "b.txt");
  made.write("b.txt", "one\ntwo\nTHREE\nfour\nfive\n");
  chmodSync(join(made.path, "run.sh"), 0o755);
  rmSync(join(made.path, "gone.txt"));
  const head = made.commit("feat(x)!: rename\n\nBREAKING CHANGE: a is b");
  const change = await changeOf(t, made, CURRENT);
  assert.deepEqual([change.kind, change.description, change.head], ["branch", "feature against main", head]);
  assert.deepEqual(
    change.commits.map(({ subject, body }) => [subject, body]),
    [["feat(x)!: rename", "BREAKING CHANGE: a is b"]],
  );
  assert.deepEqual(
    change.files.map(({ path, oldPath, status, oldMode, newMode, addedLines: added, removedLines }) => [
      path,
      oldPath,
      status,
      oldMode,
      newMode,
      added,
      removedLines,
    ]),
    [
      ["b.txt", "a.txt", "renamed", "100644", "100644", 1, 1],
      ["gone.txt", "gone.txt", "deleted", "100644", null, 0, 1],
      ["run.sh", "run.sh", "modified", "100644", "100755", 0, 0],
    ],
  );
});

test("the current change includes uncommitted and untracked files, but not ignored ones", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "one\n");
  made.write(".gitignore", "ignored/\n");
  made.commit("root");
  made.write("a.txt", "one\ntwo\n");
  made.write("new.txt", "fresh\n");
  made.write("ignored/x.txt", "no\n");
  const change = await changeOf(t, made, CURRENT);
  assert.deepEqual([change.kind, change.head], ["working-tree", null]);
  assert.deepEqual(
    change.files.map(({ path, status }) => `${status} ${path}`),
    ["modified a.txt", "added new.txt"],
  );
});

test("on a base branch without changes, the last commit is reviewed with a note, even the first commit", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "one\n");
  made.commit("root");
  const first = await changeOf(t, made, CURRENT);
  assert.deepEqual([first.kind, first.base, first.files.length], ["commit", null, 1]);
  assert.match(first.notes.join(), /main has nothing to compare with main: reading its last commit/);
  made.write("b.txt", "two\n");
  made.commit("second");
  assert.deepEqual(
    (await changeOf(t, made, CURRENT)).files.map(({ path }) => path),
    ["b.txt"],
  );
});

test("staged files, a commit and a range each give their change", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "one\n");
  const first = made.commit("one");
  made.write("a.txt", "two\n");
  const second = made.commit("two");
  made.write("s.txt", "staged\n");
  made.git("add", "s.txt");
  made.write("s.txt", "staged\nand edited\n");
  made.write("u.txt", "untracked\n");
  const staged = await changeOf(t, made, { kind: "staged" });
  assert.deepEqual(
    staged.files.map(({ path, addedLines: added }) => [path, added]),
    [["s.txt", 1]],
  );
  const commit = await changeOf(t, made, { kind: "commit", ref: first.slice(0, 12) });
  assert.deepEqual([commit.head, commit.base, commit.title], [first, null, "one"]);
  const range = await changeOf(t, made, { kind: "range", range: `${first}..${second}` });
  assert.deepEqual([range.base, range.head, range.files.length, range.commits.length], [first, second, 1, 1]);
  assert.equal((await changeOf(t, made, { kind: "range", range: `${first}..` })).head, second);
});

test("two dots compare both ends, and three dots compare from the merge base", async (t) => {
  const made = makeRepository(t);
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "side");
  made.write("side.txt", "x\n");
  made.commit("side");
  made.git("checkout", "--quiet", "main");
  made.write("main.txt", "y\n");
  made.commit("main");
  const paths = async (range: string) =>
    (await changeOf(t, made, { kind: "range", range })).files.map(({ path }) => path);
  assert.deepEqual(await paths("main..side"), ["main.txt", "side.txt"]);
  assert.deepEqual(await paths("main...side"), ["side.txt"]);
});

test("the base is the remote's default branch, or else origin/main, or else main", async (t) => {
  const upstream = makeRepository(t);
  upstream.git("checkout", "--quiet", "-b", "trunk");
  upstream.write("a.txt", "one\n");
  upstream.commit("root");
  const made = makeRepository(t);
  made.git("remote", "add", "origin", upstream.path);
  made.git("fetch", "--quiet", "origin");
  made.git("checkout", "--quiet", "-b", "feature", "origin/trunk");
  made.write("b.txt", "two\n");
  made.commit("b");
  await assertRefused(changeOf(t, made, CURRENT), "unknown-ref", /no base branch was found.*--base/);
  assert.equal((await changeOf(t, made, { kind: "current", base: "origin/trunk" })).files.length, 1);
  made.git("remote", "set-head", "origin", "trunk");
  assert.equal((await changeOf(t, made, CURRENT)).description, "feature against origin/HEAD");
});

test("a bare repository is read without a work tree", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "one\n");
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  made.write("b.txt", "two\n");
  const head = made.commit("b");
  const bare = mkdtempSync(join(tmpdir(), "kodiai-bare-"));
  t.after(() => rmSync(bare, { recursive: true, force: true }));
  made.git("clone", "--quiet", "--bare", ".", bare);
  const repository = await opened(t, bare);
  assert.equal(repository.root, null);
  assert.deepEqual(
    (await repository.readChange({ kind: "current", base: "main" })).files.map(({ path }) => path),
    ["b.txt"],
  );
  await assertRefused(repository.readChange({ kind: "staged" }), "usage", /bare repository/);
  assert.deepEqual(await repository.listPaths({ commit: head }, 10), ["a.txt", "b.txt"]);
});

test("a change that can't be reviewed is refused with a hint", async (t) => {
  const empty = mkdtempSync(join(tmpdir(), "kodiai-none-"));
  t.after(() => rmSync(empty, { recursive: true, force: true }));
  await assertRefused(
    openRepository(empty, ENVIRONMENT),
    "not-a-repository",
    /not in a git repository.*--diff/,
  );
  const made = makeRepository(t);
  await assertRefused(changeOf(t, made, CURRENT), "no-commits", /no commits yet.*--staged/);
  made.write("a.txt", "one\n");
  made.git("add", "a.txt");
  assert.equal(
    (await changeOf(t, made, { kind: "staged" })).files.length,
    1,
    "staged files of an unborn branch",
  );
  made.commit("root");
  await assertRefused(
    changeOf(t, made, { kind: "current", base: "nope" }),
    "unknown-ref",
    /unknown ref "nope".*git branch -a/,
  );
  await assertRefused(
    changeOf(t, made, { kind: "commit", ref: "--output=/tmp/x" }),
    "unknown-ref",
    /not a ref.*dash/,
  );
  await assertRefused(changeOf(t, made, { kind: "range", range: "--all..HEAD" }), "unknown-ref", /not a ref/);
  await assertRefused(changeOf(t, made, { kind: "range", range: "HEAD" }), "usage", /not a range.*A\.\.B/);
  await assertRefused(
    changeOf(t, made, { kind: "range", range: "HEAD..--upload-pack=x" }),
    "unknown-ref",
    /not a ref/,
  );
});

test("histories without a common commit, or with one outside a shallow clone, are refused", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "one\n");
  made.commit("root");
  made.git("checkout", "--quiet", "--orphan", "other");
  made.commit("other root");
  await assertRefused(changeOf(t, made, CURRENT), "no-merge-base", /no commit in common.*--range/);
  made.git("checkout", "--quiet", "main");
  for (const name of ["b", "c"]) {
    made.write(`${name}.txt`, "x\n");
    made.commit(name);
  }
  made.git("checkout", "--quiet", "-b", "feature", "HEAD~2");
  made.write("f.txt", "x\n");
  made.commit("f");
  const shallow = mkdtempSync(join(tmpdir(), "kodiai-shallow-"));
  t.after(() => rmSync(shallow, { recursive: true, force: true }));
  made.git("clone", "--quiet", "--depth=1", "--no-single-branch", `file://${made.path}`, shallow);
  const repository = await opened(t, shallow);
  assert.equal(repository.isShallow, true);
  await assertRefused(
    repository.readChange({ kind: "current", base: "origin/main" }),
    "no-merge-base",
    /git fetch --unshallow/,
  );
});

test("paths and contents may have any bytes", async (t) => {
  const made = makeRepository(t);
  made.commit("root");
  const names = [
    "new\nline.txt",
    "tab\t.txt",
    '"quoted".txt',
    "ümläut.txt",
    "-dash.txt",
    "sp ace.txt",
    ":(top)magic.txt",
  ];
  for (const name of names) made.write(name, "x\n");
  const undecodable = Buffer.concat([Buffer.from(`${made.path}/`), Buffer.from([0x66, 0xff, 0xfe])]);
  writeFileSync(undecodable, "x\n");
  made.write("latin1.txt", Buffer.from("caf\xe9\n", "latin1"));
  made.write("crlf.txt", "a\r\nb\r\n");
  made.write("no-newline.txt", "end");
  made.write("nul.bin", "a\0b");
  symlinkSync("/etc/passwd", join(made.path, "link"));
  for (const stage of ["untracked", "committed"] as const) {
    if (stage === "committed") made.commit("all");
    const repository = await opened(t, made.path);
    const { files } = await repository.readChange(
      stage === "committed" ? { kind: "commit", ref: "HEAD" } : CURRENT,
    );
    const byPath = new Map(files.map((file) => [file.path, file]));
    for (const name of [...names, "f\udcff\udcfe"])
      assert.equal(byPath.get(name)?.addedLines, 1, `${stage} ${JSON.stringify(name)}`);
    const text = (name: string) =>
      [...addedLines(byPath.get(name) ?? assert.fail(name))].map((line) => line.text);
    assert.deepEqual(
      [text("latin1.txt"), text("crlf.txt"), text("no-newline.txt")],
      [["café"], ["a", "b"], ["end"]],
    );
    assert.equal(byPath.get("nul.bin")?.unreadable, "binary");
    assert.deepEqual(
      [byPath.get("link")?.unreadable, byPath.get("link")?.hunks],
      ["symlink", []],
      "a link is named, not followed",
    );
    const revision = stage === "committed" ? { commit: "HEAD" } : "working-tree";
    const read = await repository.readFiles(
      revision,
      ["ümläut.txt", "f\udcff\udcfe", "-dash.txt", "missing", "../etc/passwd", "link"],
      100,
    );
    const { link: _target, ...rest } = Object.fromEntries(read);
    assert.deepEqual(rest, { "ümläut.txt": "x\n", "f\udcff\udcfe": "x\n", "-dash.txt": "x\n" });
  }
});

test("[P1] nothing configured in a repository changes the diff or runs a program", async (t) => {
  const made = makeRepository(t);
  made.write("a.ts", "one\n");
  made.write(".gitattributes", "*.ts -diff diff=evil\n* filter=evil\n");
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  made.write("a.ts", "two\n");
  made.commit("two");
  const proof = join(made.path, "..", `${made.path.split("/").at(-1)}.ran`);
  const touch = `touch ${proof}`;
  mkdirSync(join(made.path, "hooks"));
  for (const hook of ["post-index-change", "fsmonitor", "reference-transaction"]) {
    writeFileSync(join(made.path, "hooks", hook), `#!/bin/sh\n${touch}\n`, { mode: 0o755 });
  }
  const settings = {
    "core.hooksPath": join(made.path, "hooks"),
    "core.fsmonitor": join(made.path, "hooks", "fsmonitor"),
    "diff.external": touch,
    "diff.evil.command": touch,
    "diff.evil.textconv": touch,
    "filter.evil.clean": touch,
    "filter.evil.process": touch,
    "filter.evil.required": "true",
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "diff.renames": "false",
    "diff.context": "0",
    "diff.suppressBlankEmpty": "true",
    "color.ui": "always",
    "core.pager": touch,
    "core.quotePath": "false",
  };
  for (const [key, value] of Object.entries(settings)) made.git("config", key, value);
  const change = await changeOf(t, made, CURRENT);
  const file = change.files.find(({ path }) => path === "a.ts");
  assert.deepEqual([file?.addedLines, file?.removedLines, file?.unreadable], [1, 1, null]);
  assert.throws(() => writeFileSync(proof, "", { flag: "r" }), /ENOENT/);
});

test("[P17] a file with a filter is listed and not read, and a Git LFS pointer is listed as one", async (t) => {
  const made = makeRepository(t);
  const pointer = (digit: string): string =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${digit.repeat(64)}\nsize 12345\n`;
  made.write(".gitattributes", "*.bin filter=lfs\n*.txt filter=unknown\n");
  for (const name of ["committed.bin", "edited.bin", "text.txt"]) made.write(name, pointer("1"));
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  made.write("committed.bin", pointer("2"));
  made.commit("a new version");
  made.git("config", "filter.lfs.clean", "false");
  made.git("config", "filter.lfs.required", "true");
  made.write("edited.bin", "what the program reads\n");
  made.write("text.txt", "plain\n");
  made.write("like.md", `${pointer("3")}and more\n`);
  const { files } = await changeOf(t, made, CURRENT);
  assert.deepEqual(files.map(({ path, unreadable }) => `${path} ${unreadable}`).toSorted(), [
    "committed.bin lfs-pointer",
    "edited.bin filtered",
    "like.md null",
    "text.txt null",
  ]);
  const committed = await changeOf(t, made, { kind: "commit", ref: "HEAD" });
  assert.deepEqual(
    committed.files.map(({ path, unreadable, addedLines: added }) => [path, unreadable, added]),
    [["committed.bin", "lfs-pointer", 1]],
  );
});

test("a submodule and a file that became a link are read", async (t) => {
  const inner = makeRepository(t);
  inner.write("x.txt", "x\n");
  inner.commit("x");
  const made = makeRepository(t);
  made.write("a.txt", "one\n");
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  made.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub");
  rmSync(join(made.path, "a.txt"));
  symlinkSync("elsewhere", join(made.path, "a.txt"));
  made.commit("sub and link");
  const change = await changeOf(t, made, CURRENT);
  assert.deepEqual(
    change.files.map(({ path, status, unreadable }) => [path, status, unreadable]),
    [
      [".gitmodules", "added", null],
      ["a.txt", "type-changed", "symlink"],
      ["sub", "added", "submodule"],
    ],
  );
});

test("[P17] files that are too large are listed and not compared, and the others are read", async (t) => {
  const made = makeRepository(t);
  made.write("moved.txt", "moved\n".repeat(1_500_000));
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  made.git("mv", "moved.txt", "there.txt");
  const large = "0123456789\n".repeat(800_000);
  for (const name of ["a [b].txt", ":(glob)x.txt", "sub/-c.txt"]) made.write(name, large);
  made.write("picture.png", Buffer.concat([Buffer.from([0]), Buffer.alloc(9_000_000, 1)]));
  made.write("old.txt", "one\ntwo\nthree\nfour\n");
  made.commit("large");
  made.git("mv", "old.txt", "new.txt");
  made.write("small.txt", "x\n");
  made.commit("small");
  const expected = [
    ":(glob)x.txt added too-large",
    "a [b].txt added too-large",
    "new.txt added null",
    "picture.png added binary",
    "small.txt added null",
    "sub/-c.txt added too-large",
    "there.txt renamed null",
  ];
  const summaries = async (request: ChangeRequest) =>
    (await changeOf(t, made, request)).files.map((file) => `${file.path} ${file.status} ${file.unreadable}`);
  assert.deepEqual((await summaries({ kind: "range", range: "main..feature" })).toSorted(), expected);
  assert.deepEqual((await summaries(CURRENT)).toSorted(), expected);
  made.git("reset", "--quiet", "--soft", "main");
  assert.deepEqual((await summaries({ kind: "staged" })).toSorted(), expected);
  made.git("stash", "push", "--quiet");
  made.write("small.txt", large);
  made.git("add", "--intent-to-add", "small.txt");
  assert.deepEqual(await summaries(CURRENT), ["small.txt added too-large"]);
});

test("a git without --batch-command gets requests the older way", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "one\n");
  const head = made.commit("root");
  const tools = mkdtempSync(join(tmpdir(), "kodiai-old-git-"));
  t.after(() => rmSync(tools, { recursive: true, force: true }));
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const script = `#!/bin/sh\ncase "$*" in *--batch-command*) exit 129;; esac\nexec ${git} "$@"\n`;
  writeFileSync(join(tools, "git"), script, { mode: 0o755 });
  const repository = await openRepository(made.path, {
    ...ENVIRONMENT,
    PATH: `${tools}:${ENVIRONMENT.PATH}`,
  });
  t.after(() => repository.close());
  assert.equal((await repository.readChange({ kind: "commit", ref: head })).files.length, 1);
  const read = (maxBytes: number) => repository.readFiles({ commit: head }, ["a.txt", "none"], maxBytes);
  assert.deepEqual([...(await read(100))], [["a.txt", "one\n"]]);
  assert.deepEqual([...(await read(3))], []);
});

test("a large file with an undecodable name is left out, and the other files are read", async (t) => {
  const made = makeRepository(t);
  made.commit("root");
  const name = Buffer.concat([Buffer.from(`${made.path}/`), Buffer.from([0x66, 0xff])]);
  writeFileSync(name, "0123456789\n".repeat(800_000));
  made.write("small.txt", "x\n");
  made.commit("two");
  const { files } = await changeOf(t, made, { kind: "commit", ref: "HEAD" });
  assert.deepEqual(
    files.map(({ path, unreadable, addedLines: added }) => [path, unreadable, added]),
    [
      ["small.txt", null, 1],
      ["f\udcff", "too-large", 0],
    ],
  );
});

test("[P17] a tree of a hundred million files is counted, left out and listed, and the other files are read", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "one\n");
  const base = made.commit("root");
  const { blob, tree, commit, bomb } = treeWriter(made.path);
  const deep = tree({ er: { mode: FOLDER, id: bomb(6) } });
  const top = tree({
    "a.txt": { mode: FILE, id: blob("two\n") },
    bomb: { mode: FOLDER, id: bomb(8) },
    deep: { mode: FOLDER, id: deep },
    many: { mode: FOLDER, id: bomb(3) },
  });
  const head = commit(top, base);
  const before = process.memoryUsage().rss;
  const { files, notes } = await changeOf(t, made, { kind: "range", range: `${base}..${head}` });
  assert.equal(files.filter(({ path }) => path.startsWith("many/")).length, 1_000);
  const ten = (folder: string) => Array.from({ length: 10 }, (_, index) => `${folder}/${index}/`);
  assert.deepEqual(
    files.filter(({ path }) => !path.startsWith("many/")).map(({ path, unreadable }) => [path, unreadable]),
    [["a.txt", null], ...[...ten("deep/er"), ...ten("bomb")].map((path) => [path, "too-many-files"])],
  );
  assert.deepEqual(notes, [
    "too many files: deep/er/0/, deep/er/1/, deep/er/2/, 17 more folders with 101,000,000 changed files were not read; a review reads at most 10,000",
  ]);
  assert.ok(process.memoryUsage().rss - before < 200 * 1024 * 1024);
  const back = await changeOf(t, made, { kind: "range", range: `${head}..${base}` });
  assert.equal(back.files.length, files.length, "and the same the other way round");
});

test("blobs, files, listings and searches have limits", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "needle one\nhay\nneedle two\n");
  made.write("dir/b.txt", "needle three\n");
  made.write("-e.txt", "needle -e\n");
  const head = made.commit("root");
  const repository = await opened(t, made.path);
  const id = made.git("rev-parse", "HEAD:a.txt").trim();
  assert.equal(
    (await repository.readBlobs([id, "f".repeat(40), id], 1_000)).get(id),
    "needle one\nhay\nneedle two\n",
  );
  assert.equal((await repository.readBlobs([id], 5)).size, 0, "over the limit");
  assert.equal(
    (await repository.readFiles({ commit: head }, ["dir", "a.txt"], 1_000)).size,
    1,
    "a folder is not a file",
  );
  assert.equal(await repository.listPaths({ commit: head }, 2), null, "more than the limit");
  assert.deepEqual(await repository.listPaths("index", 9), ["-e.txt", "a.txt", "dir/b.txt"]);
  assert.deepEqual(await repository.listPaths({ commit: head }, 9, "dir"), ["dir/b.txt"]);
  assert.deepEqual(await repository.listPaths("index", 9, "dir"), ["dir/b.txt"]);
  const find = async (text: string, maxHits: number) => {
    const { hits, endedBy } = await repository.search(
      { commit: head },
      { ...ANYWHERE, text, maxHits },
      PATIENT,
    );
    return [...hits.map((hit) => `${hit.path}:${hit.line}: ${hit.text}`), endedBy];
  };
  assert.deepEqual(await find("needle", 10), [
    "-e.txt:1: needle -e",
    "a.txt:1: needle one",
    "a.txt:3: needle two",
    "dir/b.txt:1: needle three",
    "end",
  ]);
  assert.deepEqual(await find("needle", 2), ["-e.txt:1: needle -e", "a.txt:1: needle one", "hits"]);
  assert.deepEqual(await find("-e", 2), ["-e.txt:1: needle -e", "end"]);
  assert.deepEqual(await find("nowhere", 2), ["end"]);
});

const ANYWHERE: Search = { text: "", isWord: false, folder: "", accepts: () => true, maxHits: 100 };

test("a search covers a commit, the index or the disk, whole words, one folder, and the caller's filter", async (t) => {
  const made = makeRepository(t);
  made.write(".gitignore", "secret.txt\n");
  made.write("a.txt", "committed word\r\n");
  made.write("dir/b.txt", "committed words\n");
  made.write("two\nlines.txt", "committed word\n");
  made.write("bin.dat", new Uint8Array([0, 1, ...Buffer.from("committed word\n")]));
  symlinkSync("a.txt", join(made.path, "link.txt"));
  const head = made.commit("root");
  made.write("a.txt", "staged word\n");
  made.git("add", "a.txt");
  made.write("a.txt", "unstaged word\n");
  made.write("new.txt", "untracked word\n");
  made.write("secret.txt", "ignored word\n");
  const repository = await opened(t, made.path);
  const find = async (revision: Revision, wanted: Partial<Search>) => {
    const { hits } = await repository.search(revision, { ...ANYWHERE, ...wanted }, PATIENT);
    return hits.map(({ path, line, text }) => `${path}:${line}: ${text}`);
  };
  const word = { text: "word", isWord: true };
  assert.deepEqual(await find({ commit: head }, word), [
    "a.txt:1: committed word",
    "two\nlines.txt:1: committed word",
  ]);
  assert.deepEqual(await find("index", word), ["a.txt:1: staged word", "two\nlines.txt:1: committed word"]);
  assert.deepEqual((await find("working-tree", word)).toSorted(), [
    "a.txt:1: unstaged word",
    "new.txt:1: untracked word",
    "two\nlines.txt:1: committed word",
  ]);
  assert.deepEqual(await find({ commit: head }, { text: "word", folder: "dir" }), [
    "dir/b.txt:1: committed words",
  ]);
  assert.deepEqual(await find({ commit: head }, { accepts: ({ text }) => text.endsWith("ds") }), [
    "dir/b.txt:1: committed words",
  ]);
});

test("a search ends in time, keeps its hits, and is killed when the caller aborts", async (t) => {
  const made = makeRepository(t);
  made.write("long.txt", `${"x".repeat(300_000)}\nnext\n`);
  made.write("many.txt", "line\n".repeat(200_000));
  const head = made.commit("root");
  const repository = await opened(t, made.path);
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  const all = await repository.search({ commit: head }, { ...ANYWHERE, maxHits: 3 }, PATIENT);
  assert.equal(timers(), before, "a search that has ended looks at git no more");
  assert.deepEqual(
    all.hits.map(({ path, line, text }) => [path, line, text.length]),
    [
      ["long.txt", 1, 4_000],
      ["long.txt", 2, 4],
      ["many.txt", 1, 4],
    ],
  );
  const still = new Int32Array(new SharedArrayBuffer(4));
  const slowly = (): boolean => Atomics.wait(still, 0, 0, 20) === "timed-out";
  const asked = { ...ANYWHERE, accepts: slowly, maxHits: 1_000_000 };
  const late = await repository.search({ commit: head }, asked, { ...PATIENT, maxMs: 3_000 });
  assert.equal(late.endedBy, "time");
  assert.ok(late.hits.length > 0 && late.hits.length < 1_000);
  const stopping = new AbortController();
  const begun = repository.search({ commit: head }, asked, { ...PATIENT, signal: stopping.signal });
  setImmediate(() => stopping.abort(new Error("the caller stopped")));
  await assert.rejects(begun);
});

test("a file behind a folder that became a link isn't read from disk", async (t) => {
  const made = makeRepository(t);
  const elsewhere = mkdtempSync(join(tmpdir(), "kodiai-elsewhere-"));
  t.after(() => rmSync(elsewhere, { recursive: true }));
  writeFileSync(join(elsewhere, "a.txt"), "outside\n");
  made.write("dir/deep/a.txt", "inside\n");
  made.commit("root");
  const repository = await opened(t, made.path);
  const read = async () => [
    ...(await repository.readFiles("working-tree", ["dir/deep/a.txt"], 100)).values(),
  ];
  assert.deepEqual(await read(), ["inside\n"]);
  rmSync(join(made.path, "dir/deep"), { recursive: true });
  symlinkSync(elsewhere, join(made.path, "dir/deep"));
  assert.deepEqual(await read(), []);
});

test("history follows renames, and blame joins lines and marks uncommitted ones", async (t) => {
  const made = makeRepository(t);
  made.write("old.txt", "one\ntwo\nthree\nfour\n");
  const first = made.commit("first");
  made.git("mv", "--", "old.txt", "-new.txt");
  const second = made.commit("moved");
  made.write("-new.txt", "one\ntwo\nTHREE\nfour\n");
  const third = made.commit("shouted");
  const repository = await opened(t, made.path);
  const history = await repository.readHistory({ commit: third }, "-new.txt", { ...PATIENT, maxEntries: 20 });
  assert.deepEqual(history, [
    { commit: third, author: "Ada", date: "2026-01-01", subject: "shouted" },
    { commit: second, author: "Ada", date: "2026-01-01", subject: "moved" },
    { commit: first, author: "Ada", date: "2026-01-01", subject: "first" },
  ]);
  const two = await repository.readHistory("working-tree", "-new.txt", { ...PATIENT, maxEntries: 2 });
  assert.deepEqual(
    two.map(({ subject }) => subject),
    ["shouted", "moved"],
  );
  const blame = async (revision: Revision) =>
    (await repository.readBlame(revision, "-new.txt", { ...PATIENT, from: 1, to: 4 })).map(
      ({ commit, startLine, endLine, isEdge }) => [commit, startLine, endLine, isEdge],
    );
  assert.deepEqual(await blame({ commit: third }), [
    [first, 1, 2, true],
    [third, 3, 3, false],
    [first, 4, 4, true],
  ]);
  made.write("-new.txt", "one\ntwo\nTHREE\nFOUR\n");
  assert.deepEqual((await blame("working-tree")).at(-1), [null, 4, 4, false]);
  const late = repository.readBlame("index", "-new.txt", { ...PATIENT, maxMs: 0, from: 1, to: 4 });
  await assertRefused(late, "git", /took more than 0 s .*Request less/);
});

test("a file named like output of git describe is read as a file, not as the object it seems to name", async (t) => {
  const made = makeRepository(t);
  made.write("secret.txt", "of another branch\n");
  made.commit("elsewhere");
  const foreign = made.git("rev-parse", "HEAD:secret.txt").trim();
  made.git("checkout", "--quiet", "--orphan", "own");
  made.git("rm", "--quiet", "--force", "secret.txt");
  const paths = [
    `a-g${foreign}`,
    `b-g${foreign.slice(0, 5)}`,
    `c/d-G${foreign.slice(0, 7)}`,
    `e-g${foreign}/f`,
  ];
  for (const path of paths) made.write(path, `own ${path}\n`);
  const head = made.commit("own");
  const repository = await opened(t, made.path);
  for (const revision of [{ commit: head }, "index", "working-tree"] as const)
    assert.deepEqual(
      [...(await repository.readFiles(revision, [...paths, "gone-g12345"], 1_000))],
      paths.map((path) => [path, `own ${path}\n`]),
    );
});

test("a file of the index whose name starts with a number and a colon is read", async (t) => {
  const made = makeRepository(t);
  made.write("1:a.txt", "own\n");
  made.commit("first");
  const repository = await opened(t, made.path);
  assert.deepEqual([...(await repository.readFiles("index", ["1:a.txt"], 100))], [["1:a.txt", "own\n"]]);
});

test("a commit with an impossible time can still be blamed", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "one\n");
  made.commit("first");
  const raw = made.git("cat-file", "commit", "HEAD").replace(/^(author .*> )\d+/m, "$199999999999999999");
  made.write("raw", raw);
  const id = made.git("hash-object", "-t", "commit", "-w", "--literally", "raw").trim();
  const repository = await opened(t, made.path);
  const [range] = await repository.readBlame({ commit: id }, "a.txt", { ...PATIENT, from: 1, to: 1 });
  assert.deepEqual([range?.commit, range?.date], [id, "1970-01-01"]);
});

test("a truncated line keeps its encoding", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", `x${"\u00fc".repeat(5_000)}\n`);
  const head = made.commit("first");
  const repository = await opened(t, made.path);
  const search = { text: "x", isWord: false, folder: "", accepts: () => true, maxHits: 1 };
  const { hits } = await repository.search({ commit: head }, search, PATIENT);
  assert.match(hits[0]?.text ?? "", /^x\u00fc+$/);
});

test("an entry below a folder whose tree is lost is an error, and not a missing file", async (t) => {
  const made = makeRepository(t);
  made.write("a.txt", "one\n");
  made.write("dir/inner/b.txt", "two\n");
  const commit = made.commit("first");
  const repository = await opened(t, made.path);
  const tree = made.git("rev-parse", "HEAD:dir").trim();
  rmSync(join(made.path, ".git", "objects", tree.slice(0, 2), tree.slice(2)));
  const find = (path: string) => repository.findEntry({ commit }, path, PATIENT);
  assert.deepEqual(await Promise.all(["a.txt", "dir", "b.txt", "a.txt/c"].map(find)), [
    "file",
    "folder",
    null,
    null,
  ]);
  await assert.rejects(find("dir/inner/b.txt"), KodiaiError);
});

test("one git looks up all paths of a commit", async (t) => {
  const made = makeRepository(t);
  made.write("docs/a.md", "one\n");
  const commit = made.commit("first");
  const folder = mkdtempSync(join(tmpdir(), "kodiai-git-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const log = join(folder, "log");
  writeFileSync(join(folder, "git"), `#!/bin/sh\necho "$*" >> '${log}'\nexec '${real}' "$@"\n`, {
    mode: 0o755,
  });
  const repository = await openRepository(made.path, {
    ...ENVIRONMENT,
    PATH: `${folder}${delimiter}${ENVIRONMENT.PATH}`,
  });
  t.after(() => repository.close());
  const before = readFileSync(log, "utf8").split("\n").length;
  const paths = ["docs", "docs/a.md", "docs/b.md", "CONTRIBUTING.md", ".github/b.md"];
  const kinds = await Promise.all(paths.map((path) => repository.findEntry({ commit }, path, PATIENT)));
  assert.deepEqual(kinds, ["folder", "file", null, null, null]);
  assert.equal(readFileSync(log, "utf8").split("\n").length, before + 1);
});
