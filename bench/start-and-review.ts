/**
 * Compares `kodiai --help` and a review of a 20-file change with a bare start of the same Node and `git diff`. Linters have a bench of
 * their own.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { testRepository } from "../test/support/test-repository.ts";
import { judge, measure, report } from "./measure.ts";
import { installedLayout, PROJECT } from "./support/installed-layout.ts";
import { twentyFiles } from "./support/twenty-files.ts";

const ROUNDS = 25;

export async function startAndReview(): Promise<void> {
  const installed = installedLayout();
  const entry = join(installed, "bin/kodiai.js");
  const made = testRepository();
  try {
    for (const [path, text] of twentyFiles(1)) made.write(path, text);
    made.commit("first");
    made.git("checkout", "--quiet", "-b", "feature");
    for (const [path, text] of twentyFiles(2)) made.write(path, text);
    made.commit("second");
    const subject = (name: string, command: string, ...args: string[]) => ({
      name,
      command,
      args,
      cwd: made.path,
    });
    const measured = measure(
      [
        subject("bare start of Node", process.execPath, "-e", "0"),
        subject("git diff", "git", "diff", "main...feature"),
        { ...subject("kodiai --help", process.execPath, entry, "--help"), expects: /Commands:/ },
        {
          ...subject(
            "kodiai review, 20 files",
            process.execPath,
            entry,
            "review",
            "--no-memory",
            "--no-analysers",
          ),
          expects: /[1-9] findings? \(.*\) in .* of 20 files/,
        },
        subject("oxlint on the same files (peer)", join(PROJECT, "node_modules/.bin/oxlint"), "src"),
      ],
      ROUNDS,
    );
    report(measured);
    const [bare, diff, help, review] = measured;
    if (bare === undefined || diff === undefined || help === undefined || review === undefined) return;
    judge("kodiai --help to a bare start", help.medianMs / bare.medianMs, 1.5);
    // A review starts Node twice: the reader process starts in parallel with git.
    judge("kodiai review to git diff and a bare start", review.medianMs / (bare.medianMs + diff.medianMs), 4);
    judge("memory of kodiai review", review.peakMb ?? Number.NaN, 150, " MB");
  } finally {
    made.remove();
    rmSync(installed, { recursive: true, force: true });
  }
}
