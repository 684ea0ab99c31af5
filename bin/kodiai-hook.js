#!/usr/bin/env node
// Reviews what is staged, for git hooks: without a model or a network. Only findings stop a commit. A review that is incomplete, because a
// file is too large for example, says so and doesn't. Plain JavaScript, as in kodiai.js.
import { spawnSync } from "node:child_process";

/** Of src/cli/exit-code.ts. */
const INCOMPLETE = 3;

// Against its first parent, a merge is all that others have committed, and its author can't fix that here.
const merge = spawnSync("git", ["rev-parse", "--quiet", "--verify", "MERGE_HEAD"], { stdio: "ignore" });
if (merge.status === 0) {
  console.error(
    "kodiai: the hook doesn't review merges. To review this one, run `kodiai review --staged --offline`.",
  );
} else {
  const given = process.argv.slice(2);
  const hasLevel = given.some((each) => each === "--fail-on" || each.startsWith("--fail-on="));
  const level = hasLevel ? [] : ["--fail-on", "medium"];
  process.argv.splice(2, given.length, "review", "--staged", "--offline", ...level, ...given);
  process.on("exit", () => {
    if (process.exitCode === INCOMPLETE) process.exitCode = 0;
  });
  await import("./kodiai.js");
}
