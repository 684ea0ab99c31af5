/** The receipt over real diffs: each added line of a commit is in exactly one entry, and git counts the same lines. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { after, test } from "node:test";
import { openRepository } from "../src/repository/git/open-repository.ts";
import { addedLines } from "../src/review/change/walk-hunks.ts";
import { bucketOf, composeReceipt } from "../src/review/publication/compose/compose-receipt.ts";
import { analysisOf } from "./support/analysis-fixtures.ts";
import { sampleRepositories } from "./support/sample-repositories.ts";

const project = dirname(import.meta.dirname);
const samples = sampleRepositories();
after(() => samples.forEach(({ made }) => made.remove()));

/** At most this many of the newest commits; a shallow clone has fewer. */
const COMMITS = 15;

function gitIn(path: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: path, encoding: "utf8", maxBuffer: 1 << 28 });
}

async function assertPartition(path: string, commit: string): Promise<number> {
  const repository = await openRepository(path, {
    PATH: process.env["PATH"] ?? "",
    HOME: process.env["HOME"] ?? "",
  });
  try {
    const change = await repository.readChange({ kind: "commit", ref: commit });
    const analysis = analysisOf(change);
    const coverage = { offPaths: new Set<string>(), unreadPaths: new Map(), byModel: null, gaps: [] };
    const { entries, coverage: sums } = composeReceipt(change.files, analysis, coverage);
    for (const file of change.files) {
      const own = entries.filter((entry) => entry.path === file.path);
      assert.equal(
        own.reduce((sum, { lines }) => sum + lines, 0),
        file.addedLines,
        `${commit} ${file.path}`,
      );
      for (const { line } of addedLines(file)) {
        const { status, reason } = bucketOf(file, { line, hunk: null }, analysis, coverage);
        const matching = own.filter((entry) => entry.status === status && entry.reason === reason);
        assert.equal(matching.length, 1, `${commit} ${file.path}:${line} is in ${matching.length} entries`);
      }
    }
    assert.equal(sums.reviewedLines + sums.omittedLines + sums.unreviewableLines, sums.addedLines);
    assert.equal(sums.addedLines, linesByGit(path, commit), `${commit}: git counts other lines`);
    return sums.addedLines;
  } finally {
    repository.close();
  }
}

/** Added lines of text files, as git counts them with our options; submodules and links are not lines of text. */
function linesByGit(path: string, commit: string): number {
  const options = ["--numstat", "--find-renames", "--diff-algorithm=histogram", "--ignore-submodules=all"];
  const rows = gitIn(path, "show", "--format=", "--first-parent", ...options, commit)
    .trim()
    .split("\n");
  return rows.reduce((sum, row) => sum + (Number.parseInt(row, 10) || 0), 0);
}

for (const { name, made } of samples) {
  test(`${name}: every added line is in exactly one entry`, async () => {
    assert.ok((await assertPartition(made.path, "feature")) > 0);
    assert.ok((await assertPartition(made.path, "main")) > 0);
  });
}

test("this project's own commits: every added line is in exactly one entry", async (t) => {
  let commits: readonly string[];
  try {
    commits = gitIn(project, "log", "--no-merges", "--format=%H", `--max-count=${COMMITS}`)
      .trim()
      .split("\n");
  } catch {
    return t.skip("the project is not in a git repository here");
  }
  let lines = 0;
  for (const commit of commits) lines += await assertPartition(project, commit);
  assert.ok(lines > 0);
});
