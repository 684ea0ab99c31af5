/** Files that are too large to be read, and a repository with the documented hook. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { BIN } from "./built-program.ts";
import { testRepository } from "./test-repository.ts";

/** More lines than a diff may have. */
const LINES = 21_000;

export const manyLines = (lineOf: (index: number) => string): string =>
  Array.from({ length: LINES }, (_, index) => lineOf(index)).join("\n");

export const JSON_TEXT = `[\n${manyLines((index) => `  { "id": ${index}, "name": "${"abc".repeat(20)}" },`)}\n{}]\n`;

export function stage(t: TestContext, files: Readonly<Record<string, string>>) {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("a.py", "def run():\n    return 1\n");
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const [path, text] of Object.entries(files)) made.write(path, text);
  made.git("add", "--all");
  return made;
}

export const HOOK = ["review", "--staged", "--offline", "--fail-on", "major"];

/** A repository with the documented hook and staged files. */
export function stageWithHook(t: TestContext, files: Readonly<Record<string, string>>) {
  const made = stage(t, files);
  made.write(".git/hooks/pre-commit", `#!/bin/sh\nexec "${process.execPath}" "${BIN}" ${HOOK.join(" ")}\n`);
  chmodSync(join(made.path, ".git/hooks/pre-commit"), 0o755);
  const commit = () =>
    spawnSync(
      "git",
      ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--message", "data"],
      {
        cwd: made.path,
        encoding: "utf8",
      },
    );
  /** Commits one more file, which the hook must stop. */
  const assertStopped = (path: string, text: string): void => {
    made.write(path, text);
    made.git("add", "--all");
    const { status, stdout, stderr } = commit();
    assert.equal(status, 1, path);
    assert.match(`${stdout}${stderr}`.replaceAll(/\s+/g, " "), /Incomplete review: .*file too large/, path);
    made.git("rm", "--quiet", "--force", path);
  };
  return { made, commit, assertStopped };
}
