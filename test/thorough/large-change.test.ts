/** A change of 10,000 files is reviewed completely, with every file listed by tier. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

const FILES = 10_000;

test("10,000 changed files", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  made.commit("root");
  made.git("checkout", "--quiet", "-b", "feature");
  for (let index = 0; index < FILES; index++) {
    // One certain mistake of each weight, far from the first files.
    const body =
      index === 7_777
        ? "try:\n    run()\nexcept:\n    print()\n"
        : index === 8_888
          ? "breakpoint()\n"
          : "value = 1\n";
    made.write(`pkg${index % 50}/file${index}.py`, body);
  }
  made.commit("many");
  const { code, stdout } = await runKodiai(["review", "-f", "json"], { cwd: made.path });
  const output = JSON.parse(stdout);
  // The rules read all of them, the linter as many as it may.
  assert.equal(code, 3);
  const [gap, ...more] = output.receipt.gaps;
  assert.deepEqual([gap.check, gap.reason, gap.paths.length, more], ["ruff", "limit", FILES - 1_000, []]);
  assert.equal(output.receipt.files.length, FILES);
  assert.deepEqual(
    [output.receipt.coverage.reviewedFiles, output.receipt.coverage.isComplete],
    [FILES, false],
  );
  const found = output.findings.map(({ path, rule }: { path: string; rule: string }) => `${path} ${rule}`);
  assert.deepEqual(found.toSorted(), [
    "pkg27/file7777.py bare-except",
    "pkg38/file8888.py leftover-debugger",
  ]);
});
