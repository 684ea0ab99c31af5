import assert from "node:assert/strict";
import { test } from "node:test";
import { testRepository } from "../../../test/support/test-repository.ts";
import { findRepository } from "./find-repository.ts";
import { createObjectReader } from "./object-reader.ts";
import { readDiff } from "./read-diff.ts";

/** Short, similar lines, for which git searches the smallest difference for seconds. */
function numbers(seed: number): string {
  let at = seed;
  return Array.from({ length: 350_000 }, () => `${(at = (at * 48_271) % 2_147_483_647) % 100}\n`).join("");
}

test("[P17] when git reaches its limit, the small files are compared and the others are too large", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("data.txt", numbers(1));
  const old = made.commit("root");
  made.write("data.txt", numbers(2));
  made.write("small.txt", "x\n");
  const head = made.commit("two");
  const environment = { PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1" };
  const found = await findRepository({ cwd: made.path, environment });
  const objects = createObjectReader(found.git);
  t.after(() => objects.close());
  const context = { ...found.git, root: found.root, filters: found.filters, objects };
  const read = async (...maxFileBytes: readonly number[]) => {
    const limits = maxFileBytes.map((bytes) => ({
      maxFileBytes: bytes,
      maxTotalBytes: 10_000_000,
      maxCpuSeconds: 1,
    }));
    const { files } = await readDiff({ kind: "trees", old, new: head }, context, limits);
    return files.map(({ path, unreadable }) => [path, unreadable]);
  };
  assert.deepEqual(await read(4_000_000, 100_000), [
    ["small.txt", null],
    ["data.txt", "too-large"],
  ]);
  assert.deepEqual(
    await read(4_000_000),
    [
      ["data.txt", "too-large"],
      ["small.txt", "too-large"],
    ],
    "beyond the last limits nothing is compared",
  );
});
