/** Compares the fake's reading of a diff with git's own counts, for names and contents that are hard to parse. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { diffOf, placeInDiff } from "./diff.ts";
import { startFakeGithub } from "./fake-github.ts";
import { type Files, runGit } from "./git.ts";

const BEFORE: Files = {
  "plain.ts": "one\ntwo\nthree\n",
  "with space.ts": "a\n",
  'quo"te\\d.ts': "a\n",
  "ünïcode.ts": "a\n",
  "tab\there.ts": "a\n",
  "moved/from.ts": "one\ntwo\nthree\nfour\nfive\nsix\nseven\n",
  "gone.ts": "gone\n",
  "no-newline.ts": "a\nb",
  "windows.ts": "a\r\nb\r\n",
  "blob.bin": new Uint8Array([0, 1, 2, 255]),
};

const AFTER: Files = {
  "plain.ts": "one\n2\nthree\n--- not a header\n+++ nor this\n",
  "with space.ts": "b\n",
  'quo"te\\d.ts': "b\n",
  "ünïcode.ts": "b\n",
  "tab\there.ts": "b\n",
  "moved/from.ts": null,
  "moved/to.ts": "one\ntwo\nthree\nfour\nfive\nsix\n7\n",
  "gone.ts": null,
  "no-newline.ts": "a\nc",
  "windows.ts": "a\r\nc\r\n",
  "blob.bin": new Uint8Array([0, 1, 2, 254]),
  "empty.ts": "",
};

test("every file of a diff has the name, the kind and the number of lines that git reports", async (context) => {
  const fake = await startFakeGithub();
  context.after(() => fake.close());
  const repository = await fake.createRepository({ files: BEFORE });
  const base = await fake.commit(repository, {});
  const { head } = await fake.openPullRequest(repository, { files: AFTER });
  const files = await diffOf(repository.directory, base, head);
  const ours = files.map(({ path, hunks }) => {
    const marks = hunks.flatMap(({ lines }) => lines.map(({ mark }) => mark));
    const count = (mark: string): number => marks.filter((each) => each === mark).length;
    return `${count("+")} ${count("-")} ${path}`;
  });
  const counted = await runGit(repository.directory, ["diff", "--numstat", "-z", "--no-renames", base, head]);
  const theirs = counted
    .toString()
    .split("\0")
    .filter((entry) => entry !== "" && !entry.includes("moved/"))
    .map((entry) => entry.replace(/^-\t-/, "0\t0").replace("\t", " ").replace("\t", " "));
  assert.deepEqual(ours.filter((each) => !each.includes("moved/")).toSorted(), theirs.toSorted());
  const kindOf = (path: string): string | undefined => files.find((each) => each.path === path)?.status;
  assert.deepEqual(["plain.ts", "gone.ts", "empty.ts", "moved/to.ts"].map(kindOf), [
    "modified",
    "removed",
    "added",
    "renamed",
  ]);
  const moved = files.find(({ path }) => path === "moved/to.ts");
  assert.equal(moved?.previousPath, "moved/from.ts");
});

test("a line is found on its side", async (context) => {
  const fake = await startFakeGithub();
  context.after(() => fake.close());
  const repository = await fake.createRepository({ files: { "a.ts": "one\ntwo\nthree\n" } });
  const base = await fake.commit(repository, {});
  const { head } = await fake.openPullRequest(repository, { files: { "a.ts": "one\nnew\nnewer\nthree\n" } });
  const [file] = await diffOf(repository.directory, base, head);
  assert.ok(file !== undefined);
  const textAt = (side: "LEFT" | "RIGHT", line: number): string | undefined => {
    const place = placeInDiff(file, side, line);
    return place?.hunk.lines[place.index]?.text;
  };
  assert.deepEqual([textAt("LEFT", 2), textAt("LEFT", 3), textAt("LEFT", 4)], ["-two", " three", undefined]);
  assert.deepEqual(
    [textAt("RIGHT", 2), textAt("RIGHT", 4), textAt("RIGHT", 5)],
    ["+new", " three", undefined],
  );
});
