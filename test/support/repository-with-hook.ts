/** A repository in which Kodiai's hook judges each commit. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { BIN } from "./built-program.ts";
import { testRepository } from "./test-repository.ts";

export const BAD = "def f():\n    breakpoint()\n";
export const GOOD = "def f():\n    return 1\n";

export type Outcome = { readonly isCommitted: boolean; readonly printed: string };

/** Of all tests of a file. */
export function repositoryWithHook() {
  const made = testRepository();
  after(() => made.remove());
  const hook = join(dirname(BIN), "kodiai-hook.js");
  for (const name of ["pre-commit", "pre-merge-commit"])
    writeFileSync(
      join(made.path, ".git/hooks", name),
      `#!/bin/sh\nexec '${process.execPath}' '${hook}' --no-memory\n`,
      { mode: 0o755 },
    );
  made.git("config", "user.name", "Ada");
  made.git("config", "user.email", "ada@example.org");
  const commit = (...args: readonly string[]): Outcome => {
    const run = spawnSync("git", ["commit", "--message", "change", ...args], {
      cwd: made.path,
      encoding: "utf8",
    });
    const printed = `${run.stdout}${run.stderr}`;
    if (run.status !== 0) made.git("reset", "--quiet", "--hard");
    return { isCommitted: run.status === 0, printed };
  };
  return { made, commit };
}
