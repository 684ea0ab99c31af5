/** Commits on very large trees, and any edits of any tree. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { decodePath } from "../../src/review/change/decode-bytes.ts";
import type { BareEntry } from "../support/bare-copy.ts";
import { assertRefused, commitRequest, writerIn } from "../support/writer-fixtures.ts";
import { copyIn, entryOf, blobId, anyPath, anyBytes, anyMode } from "../support/writer-tree-fixtures.ts";

test("a tree of 100,000 files takes 50 edits in one commit", async (t) => {
  const copy = copyIn(t);
  const entries = new Map<string, BareEntry>();
  for (let index = 0; index < 90_000; index++)
    entries.set(`src/${index % 300}/part-${index % 17}/file-${index}.ts`, entryOf("x\n"));
  for (let index = 0; index < 10_000; index++) entries.set(`flat/file-${index}.ts`, entryOf("x\n"));
  const parent = copy.commit(entries);
  const edited = [...entries.keys()].filter((_, index) => index % 2_000 === 0);
  const files = edited.map((path, index) => ({ path, content: `${index}\n` }));
  const startedAt = performance.now();
  const { commit, changes } = await writerIn(copy.folder).commit(commitRequest(parent, files));
  t.diagnostic(`${Math.round(performance.now() - startedAt)} ms`);
  assert.deepEqual(changes.map(({ path }) => path).toSorted(), edited.toSorted());
  assert.equal(copy.git(["ls-tree", "-r", "--name-only", commit]).split("\n").length - 1, 100_000);
});

test("a tree with more files than any index could hold can be edited", async (t) => {
  const copy = copyIn(t);
  const blob = copy.git(["hash-object", "-w", "--stdin"], "x").trim();
  const ten = (entry: string): string => Array.from({ length: 10 }, (_, at) => `${entry}\t${at}\n`).join("");
  let tree = copy.git(["mktree"], ten(`100644 blob ${blob}`)).trim();
  for (let level = 1; level < 9; level++) tree = copy.git(["mktree"], ten(`040000 tree ${tree}`)).trim();
  const parent = copy
    .git(["-c", "user.name=A", "-c", "user.email=a@b", "commit-tree", tree], "bomb\n")
    .trim();
  const path = "0/1/2/3/4/5/6/7/8";
  const { changes } = await writerIn(copy.folder).commit(commitRequest(parent, [{ path, content: "y" }]));
  assert.deepEqual(changes, [{ path, oldMode: "100644", newMode: "100644", newBlob: blobId("y") }]);
});

/** Drops entries below others, as no tree can have both. */
function asTree(entries: readonly (readonly [string, BareEntry])[]): Map<string, BareEntry> {
  const tree = new Map<string, BareEntry>();
  for (const [key, entry] of entries) {
    const isTaken = [...tree.keys()].some(
      (other) => other.startsWith(`${key}/`) || key.startsWith(`${other}/`),
    );
    if (!isTaken) tree.set(key, entry);
  }
  return tree;
}

/** The tree after the edits, or null if one of them must be refused. */
function applyTo(
  tree: ReadonlyMap<string, BareEntry>,
  edits: ReadonlyMap<string, string | null>,
): ReadonlyMap<string, BareEntry> | null {
  const after = new Map(tree);
  for (const [key, content] of edits) {
    const entry = tree.get(key);
    const meets = (other: string): boolean => other.startsWith(`${key}/`) || key.startsWith(`${other}/`);
    if (entry?.mode === "120000" || (entry === undefined && content === null)) return null;
    if ([...tree.keys(), ...edits.keys()].some(meets)) return null;
    if (content === null) after.delete(key);
    else after.set(key, entryOf(content, entry?.mode));
  }
  return after;
}

test("any edits of any tree have the result of the same edits of a map", async (t) => {
  const copy = copyIn(t);
  const writer = writerIn(copy.folder);
  const outcomes = { made: 0, refused: 0 };
  const trees = fc.array(fc.tuple(anyPath, fc.tuple(anyBytes, anyMode)), {
    minLength: 1,
    maxLength: 12,
  });
  // Most edits are of existing files, or the model would refuse nearly all.
  const edits = fc.array(fc.tuple(fc.nat(), anyPath, fc.option(anyBytes), fc.boolean()), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(trees, edits, async (entries, wanted) => {
      const tree = asTree(
        entries.map(([key, [content, kind]]) => [key, entryOf(kind === "120000" ? "a" : content, kind)]),
      );
      const existing = [...tree.keys()];
      const chosen = new Map(
        wanted.map(([index, fresh, content, isNew]) => [
          isNew ? fresh : (existing[index % existing.length] ?? fresh),
          content,
        ]),
      );
      const parent = copy.commit(tree);
      const files = [...chosen].map(([key, content]) => ({ path: decodePath(key), content }));
      const expected = applyTo(tree, chosen);
      if (expected === null) {
        outcomes.refused += 1;
        await assertRefused(writer.commit(commitRequest(parent, files)), "bad-payload");
        return;
      }
      outcomes.made += 1;
      const { commit, changes } = await writer.commit(commitRequest(parent, files));
      assert.deepEqual(copy.read(commit), expected);
      const differing = [...chosen.keys()].filter(
        (key) => tree.get(key)?.content !== expected.get(key)?.content || tree.has(key) !== expected.has(key),
      );
      assert.deepEqual(changes.map((change) => change.path).toSorted(), differing.map(decodePath).toSorted());
    }),
    { numRuns: 30 },
  );
  assert.ok(outcomes.made > 5 && outcomes.refused > 2, JSON.stringify(outcomes));
});
