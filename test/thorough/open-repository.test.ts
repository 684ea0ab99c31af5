/** Repositories with many files, links that lead out, and histories of any shape. */
import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Revision } from "../../src/repository/repository.ts";
import { makeRepository, opened, changeOf, PATIENT } from "../support/open-repository-fixtures.ts";

test("the base is git's merge base for any shape of history", async (t) => {
  const made = makeRepository(t);
  const step = (branch: string, name: string): void => {
    made.git("checkout", "--quiet", branch);
    made.write(`${name}.txt`, `${name}\n`);
    made.commit(name);
  };
  const merge = (into: string, other: string): void => {
    made.git("checkout", "--quiet", into);
    made.git(
      "-c",
      "user.name=Ada",
      "-c",
      "user.email=ada@example.org",
      "merge",
      "--quiet",
      "--no-ff",
      "--no-edit",
      other,
    );
  };
  made.commit("root");
  made.git("branch", "feature");
  const shapes: readonly (readonly [what: string, change: () => void])[] = [
    ["straight", () => step("feature", "f1")],
    ["the base moved on", () => step("main", "m1")],
    [
      "a side branch merged in",
      () => {
        made.git("branch", "side", "feature~1");
        step("side", "s1");
        merge("feature", "side");
      },
    ],
    ["the base merged in", () => merge("feature", "main")],
    ["and moved on again", () => step("main", "m2")],
    [
      "criss-cross",
      () => {
        made.git("branch", "keep", "feature");
        merge("main", "keep");
        step("feature", "f2");
        merge("feature", "main~1");
      },
    ],
    [
      "behind the base",
      () => {
        merge("main", "feature");
      },
    ],
  ];
  for (const [what, change] of shapes) {
    change();
    made.git("checkout", "--quiet", "feature");
    const { base, files } = await changeOf(t, made, { kind: "current", base: "main" });
    const expected = made.git("merge-base", "--all", "main", "feature").trim().split("\n");
    assert.ok(
      base !== null && expected.includes(base),
      `${what}: ${base} is not among ${expected.join(", ")}`,
    );
    const names = made.git("diff", "--name-only", base, "feature").trim().split("\n").filter(Boolean);
    assert.deepEqual(
      files.map(({ path }) => path),
      names,
      what,
    );
  }
});

test("findEntry finds only entries of the repository: nothing outside, ignored or in .git", async (t) => {
  const made = makeRepository(t);
  made.write(".gitignore", "ignored.txt\n");
  made.write("dir/a.txt", "a\n");
  made.write("-r", "option\n");
  made.write(":(glob)x", "magic\n");
  symlinkSync("/etc", join(made.path, "out"));
  const head = made.commit("root");
  made.git("update-index", "--add", "--cacheinfo", `160000,${head},module`);
  made.git("commit", "--quiet", "--message", "module");
  const now = made.git("rev-parse", "HEAD").trim();
  made.write("ignored.txt", "x\n");
  made.write("new.txt", "x\n");
  const repository = await opened(t, made.path);
  const kinds = async (revision: Revision, paths: readonly string[]) =>
    Promise.all(paths.map((path) => repository.findEntry(revision, path, PATIENT)));
  const known = ["dir/a.txt", "dir", "out", "module", "-r", ":(glob)x"];
  const expected = ["file", "folder", "symlink", "submodule", "file", "file"];
  assert.deepEqual(await kinds({ commit: now }, known), expected);
  assert.deepEqual(await kinds("index", known), expected);
  assert.deepEqual(await kinds("working-tree", known), expected);
  assert.deepEqual(await kinds("working-tree", ["new.txt", "ignored.txt"]), ["file", null]);
  const outside = [
    [
      "..",
      "/etc/passwd",
      "dir/../a",
      ".git/config",
      "out/passwd",
      "/proc/self/environ",
      "",
      "*",
      ":(glob)*",
      "-z",
    ],
    ["dir/", "./dir", "\udc80", "no\nsuch"],
  ].flat();
  for (const revision of [{ commit: now }, "index", "working-tree"] as const)
    assert.deepEqual(
      await kinds(revision, outside),
      outside.map(() => null),
    );
});

test("line counts agree with git's on generated histories", async (t) => {
  const made = makeRepository(t);
  made.commit("root");
  const line = fc.constantFrom(
    "alpha",
    "beta",
    "",
    "  gamma",
    "--- a/x",
    "+++ b/y",
    "@@ -1 +1 @@",
    "diff --git a/a b/a",
    "\\ No newline",
    "tab\t",
    "crlf\r",
    "ü",
  );
  const content = fc
    .array(line, { maxLength: 30 })
    .chain((lines) => fc.boolean().map((ends) => lines.join("\n") + (ends ? "\n" : "")));
  const tree = fc.dictionary(fc.constantFrom("a", "b", "c d", "e/f"), content, { maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(tree, async (files) => {
      made.git("rm", "-r", "-q", "--ignore-unmatch", ".");
      for (const [path, text] of Object.entries(files)) made.write(path, text);
      const head = made.commit("next");
      const ours = (await changeOf(t, made, { kind: "commit", ref: head })).files.map(
        ({ path, addedLines: a, removedLines: r }) => `${a}\t${r}\t${path}`,
      );
      const theirs = made.git(
        "diff",
        "--numstat",
        "--find-renames",
        "--diff-algorithm=histogram",
        "-z",
        `${head}^`,
        head,
      );
      assert.deepEqual(ours.toSorted(), numstat(theirs).toSorted());
    }),
    { numRuns: 25 },
  );
});

/** In `-z` output, a rename has an empty path followed by both names. */
function numstat(output: string): readonly string[] {
  const fields = output.split("\0");
  const rows: string[] = [];
  for (let at = 0; at < fields.length - 1; at++) {
    const [added, removed, path] = (fields[at] ?? "").split("\t");
    const name = path === "" ? fields[(at += 2)] : path;
    rows.push(`${added}\t${removed}\t${name}`);
  }
  return rows;
}
