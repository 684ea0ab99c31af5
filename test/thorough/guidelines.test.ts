/** Edits of guidelines in each format. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { repositoryWith, QUIET, linesOf } from "../support/guideline-fixtures.ts";
import { runKodiai } from "../support/run-kodiai.ts";

test("[P12] the note is shown to people too, in every format", async (t) => {
  const made = repositoryWith(t, {});
  made.write("AGENTS.md", QUIET);
  made.write("src/a.ts", linesOf(200));
  made.commit("feature");
  for (const format of ["markdown", "terminal"]) {
    const { stdout } = await runKodiai(["review", "-f", format], { cwd: made.path });
    assert.match(
      stdout,
      /Note:? +edits of guidelines take effect only after the merge: `?AGENTS\.md/,
      format,
    );
  }
});
