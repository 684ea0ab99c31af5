/** Tests the commits of the repository writer with real git, in bare copies. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { decodePath } from "../src/review/change/decode-bytes.ts";
import type { BareEntry } from "./support/bare-copy.ts";
import {
  armCopy,
  assertRefused,
  commitRequest,
  temporaryFolder,
  writerIn,
} from "./support/writer-fixtures.ts";
import { copyIn, entryOf, ALL_BYTES, blobId } from "./support/writer-tree-fixtures.ts";

/** Every file of a folder with its content, without git's objects. */
function snapshot(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return new Map(
    names
      .filter((name) => !name.startsWith("42.git/objects/") && statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), "latin1")]),
  );
}

test("a commit stores exactly the given bytes, keeps modes, and lists what it changes", async (t) => {
  const copy = copyIn(t);
  const before = new Map([
    ["a.txt", entryOf("one\n")],
    ["run.sh", entryOf("#!/bin/sh\n", "100755")],
    ["deep/er/only.txt", entryOf("x\n")],
    ["deep/other.txt", entryOf("y\n")],
    ["link", entryOf("a.txt", "120000")],
    ["module", entryOf("1".repeat(40), "160000")],
    ["a-b", entryOf("sorts before a/")],
    ["a/c", entryOf("in a folder")],
  ]);
  const parent = copy.commit(before);
  const written = new Map([
    ["a.txt", "crlf\r\nno final newline"],
    ["run.sh", ""],
    ["bytes.bin", ALL_BYTES],
    ["empty", ""],
    ["A.TXT", "only the case differs\n"],
    ["a/d", "x"],
    ["a.b/c/d", "new folders"],
    ["with space/and \"quotes\" 'too'", "q\n"],
    ["line\nbreak\ttab", "n\n"],
    ["-dash", "d\n"],
    [":(top)*?[x]", "p\n"],
    ["back\\slash", "b\n"],
    // UTF-8 of an emoji and of ö, and bytes that aren't UTF-8.
    ["\xf0\x9f\x90\xbb/\xc3\xb6", "bear\n"],
    ["caf\xe9/\xff\xfe", "latin1\n"],
  ]);
  const files = [
    ...[...written].map(([path, content]) => ({ path: decodePath(path), content })),
    { path: "deep/er/only.txt", content: null },
  ];
  const outside = snapshot(copy.folder);
  const { commit, changes } = await writerIn(copy.folder).commit(commitRequest(parent, files));
  const expected = new Map<string, BareEntry>(before);
  expected.delete("deep/er/only.txt");
  for (const [path, content] of written) expected.set(path, entryOf(content, before.get(path)?.mode));
  assert.deepEqual(copy.read(commit), expected);
  assert.deepEqual(
    copy
      .git(["ls-tree", "-d", "-r", "--name-only", "-z", commit])
      .split("\0")
      .filter((path) => path.startsWith("deep")),
    ["deep"],
    "the empty folder is gone",
  );
  assert.deepEqual(
    new Map(changes.map(({ path, ...change }) => [path, change])),
    new Map(
      files.map(({ path, content }) => [
        path,
        {
          oldMode:
            path === "run.sh" ? "100755" : ["a.txt", "deep/er/only.txt"].includes(path) ? "100644" : null,
          newMode: content === null ? null : path === "run.sh" ? "100755" : "100644",
          newBlob: content === null ? null : blobId(content),
        },
      ]),
    ),
  );
  copy.git(["fsck", "--strict", "--no-dangling", commit]);
  assert.deepEqual(
    snapshot(copy.folder),
    outside,
    "only objects are added: no index, no ref, no temporary file",
  );
});

test("the same request makes the same commit, in any copy, with the given identity and time", async (t) => {
  const copies = [copyIn(t), copyIn(t)];
  const entries = new Map([["a.txt", entryOf("one\n")]]);
  const files = [{ path: "a.txt", content: "two\n" }];
  const ids = await Promise.all(
    copies.map(async (copy) => {
      const wanted = commitRequest(copy.commit(entries), files, { message: "Größe\n\nTrailer: 1\n" });
      return (await writerIn(copy.folder).commit(wanted)).commit;
    }),
  );
  const [copy] = copies;
  const [id = "", other] = ids;
  assert.ok(copy !== undefined);
  assert.equal(id, other);
  const parent = copy.git(["rev-parse", `${id}^`]).trim();
  const person = "kodiai[bot] <1+kodiai[bot]@users.noreply.github.com> 1780000000 +0000";
  assert.equal(
    Buffer.from(copy.git(["cat-file", "commit", id]), "latin1").toString(),
    `tree ${copy.git(["rev-parse", `${id}^{tree}`]).trim()}\nparent ${parent}\nauthor ${person}\ncommitter ${person}\n\n` +
      "Größe\n\nTrailer: 1\n",
  );
  const again = await writerIn(copy.folder).commit(
    commitRequest(parent, files, { message: "Größe\n\nTrailer: 1" }),
  );
  assert.equal(again.commit, id, "a second time, and with the line break that git adds");
  const later = await writerIn(copy.folder).commit(commitRequest(parent, files, { at: 1_780_000_001_000 }));
  assert.notEqual(later.commit, id);
});

test("a commit that changes nothing has the tree of its parent", async (t) => {
  const copy = copyIn(t);
  const parent = copy.commit(new Map([["a/b", entryOf("x")]]));
  for (const files of [[], [{ path: "a/b", content: "x" }]]) {
    const { commit, changes } = await writerIn(copy.folder).commit(commitRequest(parent, files));
    assert.deepEqual(changes, []);
    assert.equal(copy.git(["rev-parse", `${commit}^{tree}`]), copy.git(["rev-parse", `${parent}^{tree}`]));
  }
  const emptied = await writerIn(copy.folder).commit(commitRequest(parent, [{ path: "a/b", content: null }]));
  assert.equal(copy.read(emptied.commit).size, 0);
});

test("[P1] nothing is written over or through links, submodules, and files that would become folders", async (t) => {
  const copy = copyIn(t);
  const parent = copy.commit(
    new Map([
      ["file", entryOf("x")],
      ["folder/file", entryOf("x")],
      ["link", entryOf("folder", "120000")],
      ["folder/out", entryOf("/etc", "120000")],
      ["module", entryOf("1".repeat(40), "160000")],
    ]),
  );
  const writer = writerIn(copy.folder);
  const cases: readonly (readonly [RegExp, ...(readonly (readonly [string, string | null])[])])[] = [
    [/link: a symbolic link is there/, ["link", "x"]],
    [/link: a symbolic link is there/, ["link", null]],
    [/link: a symbolic link is there, not a folder/, ["link/file", "x"]],
    [/folder\/out: a symbolic link is there, not a folder/, ["folder/out/passwd", "x"]],
    [/module: a submodule is there/, ["module", "x"]],
    [/module: a submodule is there/, ["module", null]],
    [/module: a submodule is there, not a folder/, ["module/file", "x"]],
    [/file: a file is there, not a folder/, ["file/below", "x"]],
    [/folder: a folder is there, not a file/, ["folder", "x"]],
    [/folder: a folder is there, not a file/, ["folder", null]],
    [/no such file to delete/, ["none", null]],
    [/no such file to delete/, ["none/below", null]],
    [/at a folder of this path/, ["file", null], ["file/below", "x"]],
    [/as a folder too/, ["file/below", "x"], ["file", null]],
    [/as a folder too/, ["folder/file", null], ["folder", "x"]],
    [/twice/, ["new", "x"], ["new", "x"]],
  ];
  for (const [why, ...files] of cases) {
    const wanted = files.map(([path, content]) => ({ path, content }));
    const error = await assertRefused(writer.commit(commitRequest(parent, wanted)), "bad-payload");
    assert.match(error.message, why);
  }
});

test("[P1] paths that git refuses anywhere are refused, also those that only Windows or macOS read as .git", async (t) => {
  const copy = copyIn(t);
  const parent = copy.commit(new Map([["a", entryOf("x")]]));
  const writer = writerIn(copy.folder);
  const gits = [
    ".git",
    ".GIT",
    ".git ",
    ".git.",
    ".git . .",
    ".git::$INDEX_ALLOCATION",
    ".git:x",
    "git~1",
    "GIT~1",
    ".g\u200cit",
    ".git\u200d",
    "\ufeff.gIt",
    "x\\.git",
    "x\\git~1\\y",
  ];
  for (const name of gits) {
    for (const path of [name, `${name}/config`, `src/${name}`, `src/${name}/hooks/x`]) {
      const error = await assertRefused(
        writer.commit(commitRequest(parent, [{ path, content: "x" }])),
        "bad-payload",
      );
      assert.match(error.message, /git refuses it \(hasDotgit/, JSON.stringify(path));
    }
  }
  const others = [
    "",
    "/a",
    "a/",
    "a//b",
    ".",
    "..",
    "../x",
    "x/../y",
    "./x",
    "x/.",
    "a\0b",
    "\ud800",
    "\ud83d",
    "ö\udcff",
  ];
  for (const path of [...others, "\udcc3\udcb6", "x".repeat(5_000)])
    await assertRefused(writer.commit(commitRequest(parent, [{ path, content: "x" }])), "bad-payload");
  const url = '[submodule "x"]\n\tpath = x\n\turl = --upload-pack=touch\n';
  await assertRefused(
    writer.commit(commitRequest(parent, [{ path: ".gitmodules", content: url }])),
    "bad-payload",
  );
  const close = [".gitx", "a.git", ".gi", "git~2x", ".gitignore", "..a", "...", "a.", "a ", "CON", "\u200c"];
  const { changes } = await writer.commit(
    commitRequest(
      parent,
      close.map((path) => ({ path, content: "x" })),
    ),
  );
  assert.equal(changes.length, close.length, "similar names are policy, which is elsewhere");
});

test("invalid requests of the program are errors of the program", async (t) => {
  const copy = copyIn(t);
  const parent = copy.commit(new Map([["a", entryOf("x")]]));
  const writer = writerIn(copy.folder);
  const files = [{ path: "a", content: "y" }];
  for (const wrong of [
    commitRequest("HEAD", files),
    commitRequest(`-${"1".repeat(39)}`, files),
    commitRequest(parent, [{ path: "a", content: "\u0100" }]),
    commitRequest(parent, files, { message: " \n" }),
    commitRequest(parent, files, { message: "a\0b" }),
    commitRequest(parent, files, { at: -1 }),
    commitRequest(parent, files, { at: Number.NaN }),
    commitRequest(parent, files, { author: { name: "a\nparent x", email: "a@b" } }),
    commitRequest(parent, files, { author: { name: "a", email: "a> 1 +0000\nx <b" } }),
    commitRequest(parent, files, { author: { name: "", email: "a@b" } }),
  ])
    await assert.rejects(writer.commit(wrong), TypeError);
  await assertRefused(writer.commit(commitRequest("1".repeat(40), files)), "unknown-ref");
  await assertRefused(
    writerIn(copy.folder, AbortSignal.abort()).commit(commitRequest(parent, files)),
    "cancelled",
  );
});

test("entries that aren't edited keep their exact modes, and repositories may use SHA-256", async (t) => {
  const copy = copyIn(t);
  const blob = copy.git(["hash-object", "-w", "--stdin"], "x").trim();
  const raw = (...parts: readonly (readonly [string, string])[]): string =>
    parts.map(([head, id]) => `${head}\0${Buffer.from(id, "hex").toString("latin1")}`).join("");
  const writeTree = (bytes: string): string =>
    copy.git(["hash-object", "-w", "-t", "tree", "--literally", "--stdin"], bytes).trim();
  const below = writeTree(raw(["100644 in", blob]));
  // As old tools wrote them: a group-writable file, and a folder with a padded mode.
  const root = writeTree(raw(["100664 a", blob], ["100664 b", blob], ["040000 c", below]));
  const parent = copy.git(["-c", "user.name=A", "-c", "user.email=a@b", "commit-tree", root], "old\n").trim();
  const { commit, changes } = await writerIn(copy.folder).commit(
    commitRequest(parent, [{ path: "a", content: "y" }]),
  );
  assert.deepEqual(
    changes.map(({ path: changed }) => changed),
    ["a"],
  );
  const tree = copy.git(["cat-file", "tree", commit]);
  assert.ok(["100664 a\0", "100664 b\0"].every((entry) => tree.includes(entry)));

  const long = copyIn(t, "sha256");
  const first = long.commit(new Map([["a/b", entryOf("x")]]));
  const second = await writerIn(long.folder).commit(commitRequest(first, [{ path: "a/c", content: "y" }]));
  assert.equal(second.commit.length, 64);
  assert.deepEqual([...long.read(second.commit).keys()], ["a/b", "a/c"]);
});

test("[P1] no hook, filter or attribute has a say, whether in the copy or in the tree", async (t) => {
  const copy = copyIn(t);
  const traces = temporaryFolder(t);
  const trace = (name: string): string => `touch ${join(traces, name)}`;
  const attributes = "* filter=evil text eol=crlf ident working-tree-encoding=UTF-16 diff=evil merge=evil\n";
  const parent = copy.commit(
    new Map([
      [".gitattributes", entryOf(attributes)],
      ["a.txt", entryOf("$Id$\r\n")],
    ]),
  );
  armCopy(copy.folder, trace);
  mkdirSync(join(copy.folder, "42.git/info"), { recursive: true });
  writeFileSync(join(copy.folder, "42.git/info/attributes"), attributes);
  const content = "$Id$\r\n\u00ff\n";
  const { commit } = await writerIn(copy.folder).commit(
    commitRequest(parent, [
      { path: "a.txt", content },
      { path: "sub/.gitattributes", content: attributes },
    ]),
  );
  assert.equal(copy.git(["cat-file", "blob", `${commit}:a.txt`]), content);
  assert.deepEqual(readdirSync(traces), []);
});
