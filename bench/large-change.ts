/** Measures a review of 10,000 changed files, compared with git diff, and how its cost grows from 1,000 to 50,000 files. */
import { dirname, join } from "node:path";
import { testRepository } from "../test/support/test-repository.ts";
import { LIMITS } from "./limits.ts";
import { judge, measure, report, type Subject } from "./measure.ts";

const entry = join(dirname(import.meta.dirname), "bin/kodiai.js");
const ROUNDS = 3;

/** A change of 50,000 files must fit the limit of lines, so that all of them are read. */
const LINES = 30;
const FEW_LINES = 5;

/** It takes long, and only its growth matters. */
const ROUNDS_OF_HUGE = 1;

function repositoryOf(files: number, lineCount = LINES) {
  const made = testRepository();
  made.commit("empty");
  made.git("checkout", "--quiet", "-b", "feature");
  for (let index = 0; index < files; index++) {
    const lines = Array.from(
      { length: lineCount },
      (_, line) => `export const value${line} = compute(${index}, ${line});`,
    );
    if (index % 50 === 0) lines.push("try { risky(); } catch {}");
    made.write(`src/${index % 100}/file-${index}.ts`, `${lines.join("\n")}\n`);
  }
  made.commit("many");
  return made;
}

function reviewOf(name: string, { path }: ReturnType<typeof repositoryOf>): Subject {
  return {
    name: `kodiai review, ${name}`,
    command: process.execPath,
    args: [entry, "review", "--no-memory", "-f", "json"],
    expects: /"empty-catch"/,
    cwd: path,
  };
}

export async function largeChange(): Promise<void> {
  const [small, large] = [repositoryOf(1_000), repositoryOf(10_000)];
  try {
    const baseline = {
      name: "git diff, 10,000 files (baseline)",
      command: "git",
      args: ["diff", "main...feature"],
      cwd: large.path,
    };
    const measured = measure(
      [baseline, reviewOf("1,000 files", small), reviewOf("10,000 files", large)],
      ROUNDS,
    );
    report(measured);
    const [diff, thousand, tenThousand] = measured;
    if (diff === undefined || thousand === undefined || tenThousand === undefined) return;
    judge(LIMITS.largeToDiff, tenThousand.medianMs / diff.medianMs);
    judge(LIMITS.largeGrowth, tenThousand.medianMs / thousand.medianMs);
    judge(LIMITS.largeMemory, tenThousand.peakMb ?? Number.NaN);
  } finally {
    small.remove();
    large.remove();
  }
  hugeChange();
}

function hugeChange(): void {
  const [large, huge] = [repositoryOf(10_000, FEW_LINES), repositoryOf(50_000, FEW_LINES)];
  try {
    const measured = measure(
      [reviewOf("10,000 short files", large), reviewOf("50,000 short files", huge)],
      ROUNDS_OF_HUGE,
    );
    report(measured);
    const [tenThousand, fiftyThousand] = measured;
    if (tenThousand === undefined || fiftyThousand === undefined) return;
    judge(LIMITS.hugeGrowth, fiftyThousand.medianMs / tenThousand.medianMs);
  } finally {
    large.remove();
    huge.remove();
  }
}
