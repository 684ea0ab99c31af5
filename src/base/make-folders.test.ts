import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { KodiaiError } from "./errors.ts";
import { makeFolders } from "./make-folders.ts";

test("folders are created with their parents, once", (t) => {
  const root = mkdtempSync(join(tmpdir(), "kodiai-folders-"));
  t.after(() => rmSync(root, { recursive: true }));
  const path = join(root, "a", "b", "c");
  assert.deepEqual([makeFolders(path, 0o700), makeFolders(path)], [true, false]);
  assert.equal(statSync(path).mode % 0o1000, 0o700);
  assert.equal(makeFolders(join(root, "a", "d/")), true, "with a slash at the end");

  writeFileSync(join(root, "file"), "");
  for (const wrong of [join(root, "file"), join(root, "file", "below"), ""])
    assert.throws(
      () => makeFolders(wrong),
      (error) => error instanceof KodiaiError && error.code === "usage",
    );
  const locked = join(root, "locked");
  makeFolders(locked);
  chmodSync(locked, 0o500);
  // Root may write everywhere.
  if (process.getuid?.() !== 0)
    assert.throws(
      () => makeFolders(join(locked, "new")),
      (error) => error instanceof KodiaiError && error.code === "io",
    );
});

test("a file system that denies the existence of what can't be created gets an error at once", (t) => {
  if (!existsSync("/proc/self")) return t.skip("there is no /proc");
  for (const path of ["/proc/kodiai", "/proc/kodiai/a/b"])
    assert.throws(
      () => makeFolders(path),
      (error) =>
        error instanceof KodiaiError && error.code === "usage" && error.message.includes("can't be created"),
    );
});
