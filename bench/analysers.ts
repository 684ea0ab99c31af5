/**
 * Compares a review of 20 files in TypeScript and Python with the slower of two things it does at the same time: our own reading, and
 * the linters' own run on the same files.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testRepository } from "../test/support/test-repository.ts";
import { LIMITS } from "./limits.ts";
import { judge, measure, report } from "./measure.ts";
import { installedLayout, PROJECT } from "./support/installed-layout.ts";

const ROUNDS = 15;
const FILES_PER_LANGUAGE = 10;

/** Both linters side by side, on the files in the working folder, without Kodiai. */
const LINTERS_ALONE = `
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
const oxlint = spawn(process.execPath, [${JSON.stringify(join(PROJECT, "node_modules/oxlint/bin/oxlint"))}, "-f", "json", "src"], { stdio: "ignore" });
const { Workspace, PositionEncoding } = await import(${JSON.stringify(join(PROJECT, "node_modules/@astral-sh/ruff-wasm-nodejs/ruff_wasm.js"))});
const workspace = new Workspace({ lint: { select: ["F", "B", "E7", "PLE"] } }, PositionEncoding.Utf16);
for (const name of readdirSync("src").filter((each) => each.endsWith(".py"))) workspace.check(readFileSync("src/" + name, "utf8"));
if (oxlint.exitCode === null) await once(oxlint, "close");
`;

function typescriptOf(lines: number): string {
  const functions = Array.from({ length: lines / 5 }, (_, index) =>
    [
      `export function total${index}(items: readonly { price: number; count: number }[], rate: number): number {`,
      `  const sum = items.reduce((all, { price, count }) => all + price * count, ${index});`,
      "  if (sum > 100 && rate !== 0) return Math.round(sum * rate) / 100;",
      "  return sum;",
      "}",
    ].join("\n"),
  );
  return `${functions.join("\n")}\n`;
}

function pythonOf(lines: number): string {
  const functions = Array.from({ length: lines / 5 }, (_, index) =>
    [
      `def total_${index}(items, rate=1):`,
      `    amount = sum(item.price * item.count for item in items) + ${index}`,
      "    if amount > 100 and rate != 0:",
      "        return round(amount * rate, 2)",
      "    return amount",
    ].join("\n"),
  );
  return `${functions.join("\n")}\n`;
}

export async function analysers(): Promise<void> {
  const installed = installedLayout();
  const made = testRepository();
  try {
    const write = (lines: number): void => {
      for (let index = 0; index < FILES_PER_LANGUAGE; index++) {
        const isWrong = lines > 200 && index === 0;
        made.write(
          `src/feature-${index}.ts`,
          `${typescriptOf(lines)}${isWrong ? "export const a = { b: 1, b: 2 };\n" : ""}`,
        );
        made.write(`src/job_${index}.py`, `${pythonOf(lines)}${isWrong ? "print(undefined_name)\n" : ""}`);
      }
    };
    write(200);
    made.commit("first");
    made.git("checkout", "--quiet", "-b", "feature");
    write(240);
    made.commit("second");
    const alone = join(installed, "linters-alone.mjs");
    writeFileSync(alone, LINTERS_ALONE);
    const entry = join(installed, "bin/kodiai.js");
    const subject = (name: string, ...args: string[]) => ({
      name,
      command: process.execPath,
      args,
      cwd: made.path,
    });
    const measured = measure(
      [
        subject(
          "our own reading (--no-analysers)",
          entry,
          "review",
          "--no-memory",
          "--offline",
          "--no-analysers",
        ),
        subject("the linters alone, side by side", "--liftoff-only", alone),
        {
          ...subject("kodiai review", entry, "review", "--no-memory", "--offline"),
          expects: /ruff\/F821[^]*oxlint\/no-dupe-keys/,
        },
      ],
      ROUNDS,
    );
    report(measured);
    const [own, linters, review] = measured;
    if (own === undefined || linters === undefined || review === undefined) return;
    judge(LIMITS.reviewWithLinters, review.medianMs / Math.max(own.medianMs, linters.medianMs));
    judge(LIMITS.reviewWithLintersMemory, review.peakMb ?? Number.NaN);
  } finally {
    made.remove();
    rmSync(installed, { recursive: true, force: true });
  }
}
