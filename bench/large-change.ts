/** Measures how the cost of a review grows from 1,000 to 10,000 changed files. */
import { dirname, join } from "node:path";
import { testRepository } from "../test/support/test-repository.ts";
import { judge, measure, report } from "./measure.ts";

const entry = join(dirname(import.meta.dirname), "bin/kodiai.js");
const ROUNDS = 3;

function repositoryOf(files: number) {
  const made = testRepository();
  made.commit("empty");
  made.git("checkout", "--quiet", "-b", "feature");
  for (let index = 0; index < files; index++) {
    const lines = Array.from(
      { length: 30 },
      (_, line) => `export const value${line} = compute(${index}, ${line});`,
    );
    if (index % 50 === 0) lines.push("try { risky(); } catch {}");
    made.write(`src/${index % 100}/file-${index}.ts`, `${lines.join("\n")}\n`);
  }
  made.commit("many");
  return made;
}

export async function largeChange(): Promise<void> {
  const [small, large] = [repositoryOf(1_000), repositoryOf(10_000)];
  try {
    const measured = measure(
      [
        {
          name: "git diff, 10,000 files (baseline)",
          command: "git",
          args: ["diff", "main...feature"],
          cwd: large.path,
        },
        {
          name: "kodiai review, 1,000 files",
          command: process.execPath,
          args: [entry, "review", "--no-memory", "-f", "json"],
          expects: /"empty-catch"/,
          cwd: small.path,
        },
        {
          name: "kodiai review, 10,000 files",
          command: process.execPath,
          args: [entry, "review", "--no-memory", "-f", "json"],
          expects: /"empty-catch"/,
          cwd: large.path,
        },
      ],
      ROUNDS,
    );
    report(measured);
    const [, thousand, tenThousand] = measured;
    if (thousand === undefined || tenThousand === undefined) return;
    judge("10,000 files to 1,000 files", tenThousand.medianMs / thousand.medianMs, 11);
    judge("memory for 10,000 files", tenThousand.peakMb ?? Number.NaN, 1_000, " MB");
  } finally {
    small.remove();
    large.remove();
  }
}
