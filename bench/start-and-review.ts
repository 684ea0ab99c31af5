/** Cold start of `kodiai --help`, and a review of a 20-file change, against a bare start of the same Node and `git diff`. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { testRepository } from "../test/support/test-repository.ts";
import { judge, measure, report } from "./measure.ts";

const project = dirname(import.meta.dirname);
const ROUNDS = 25;
const FILES = 20;

/** A file of ordinary code; the second version adds a function with one certain mistake. */
function source(index: number, version: 1 | 2): string {
  const first = Array.from(
    { length: 60 },
    (_, line) =>
      `export function step${index}_${line}(value: number): number {\n  return value + ${line};\n}\n`,
  ).join("\n");
  if (version === 1) return first;
  return `${first}\nexport async function load${index}(path: string) {\n  try {\n    return await read(path);\n  } catch {}\n}\n${"// more\n".repeat(20)}`;
}

export async function startAndReview(): Promise<void> {
  const entry = join(project, "bin/kodiai.js");
  if (!existsSync(join(project, "dist/main.js"))) throw new Error("build first: npm run build");
  const made = testRepository();
  try {
    for (let index = 0; index < FILES; index++) made.write(`src/file-${index}.ts`, source(index, 1));
    made.commit("first");
    made.git("checkout", "--quiet", "-b", "feature");
    for (let index = 0; index < FILES; index++) made.write(`src/file-${index}.ts`, source(index, 2));
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
        subject("kodiai --help", process.execPath, entry, "--help"),
        subject("kodiai review, 20 files", process.execPath, entry, "review"),
        subject("oxlint on the same files (peer)", join(project, "node_modules/.bin/oxlint"), "src"),
      ],
      ROUNDS,
    );
    report(measured);
    const [bare, diff, help, review] = measured;
    if (bare === undefined || diff === undefined || help === undefined || review === undefined) return;
    judge("kodiai --help to a bare start", help.medianMs / bare.medianMs, 1.5);
    judge("kodiai review to git diff and a bare start", review.medianMs / (bare.medianMs + diff.medianMs), 4);
    judge("memory of kodiai review", review.peakMb ?? Number.NaN, 150, " MB");
  } finally {
    made.remove();
  }
}
