/**
 * Packs a change of three files of a repository, compared with its floor: the diff, and git reading all files. With a cold and a warm
 * code index, and repomix in the same run if `KODIAI_BENCH_REPOMIX` has the path of its program. The repository is
 * `KODIAI_BENCH_REPOSITORY`, or this one.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BIN } from "../test/support/built-program.ts";
import { LIMITS } from "./limits.ts";
import { judge, measure, report, type Subject } from "./measure.ts";
import { peakTreeMb } from "./support/peak-tree.ts";

const ROUNDS = 3;
const BUDGET_TOKENS = "258000";

export async function pack(): Promise<void> {
  const source = process.env["KODIAI_BENCH_REPOSITORY"] ?? process.cwd();
  const folder = mkdtempSync(join(tmpdir(), "kodiai-bench-"));
  try {
    const clone = join(folder, "clone");
    execFileSync("git", ["clone", "--quiet", source, clone]);
    changeThreeFiles(clone);
    const packing = (name: string, cache: string): Subject => ({
      name,
      command: "/usr/bin/env",
      args: [
        `XDG_CACHE_HOME=${join(folder, cache)}`,
        process.execPath,
        BIN,
        "pack",
        "--base",
        "HEAD~1",
        "--budget",
        BUDGET_TOKENS,
        "--out",
        join(folder, "out"),
      ],
      cwd: clone,
      expects: /of 258,000 tokens/,
    });
    const floor: Subject = {
      name: "floor: git diff, and all files",
      command: "/bin/sh",
      args: [
        "-c",
        "git diff HEAD~1 HEAD | wc -c; git ls-tree -r HEAD | cut -c 13-52 | git cat-file --batch | wc -c",
      ],
      cwd: clone,
    };
    const cold = {
      ...packing("kodiai pack, cold", "cold"),
      before: () => rmSync(join(folder, "cold"), { recursive: true, force: true }),
    };
    const warm = packing("kodiai pack, warm", "warm");
    const measured = measure([floor, cold, warm, ...repomix(clone, folder)], ROUNDS);
    report(measured);
    const floorMs = measured[0]?.medianMs ?? Number.NaN;
    for (const { name, medianMs } of measured.slice(1)) {
      const limit = name === cold.name ? LIMITS.codeCold : name === warm.name ? LIMITS.codeWarm : null;
      if (limit !== null) judge(limit, medianMs / floorMs, name);
    }
    cold.before();
    for (const subject of [cold, warm])
      judge(LIMITS.codeMemory, (await peakTreeMb(subject)) ?? Number.NaN, subject.name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same ones in each run: the last commit of a repository is another one every time. */
function changeThreeFiles(clone: string): void {
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: clone, encoding: "utf8", maxBuffer: 1 << 30 });
  const code = git("ls-files", "-z")
    .split("\0")
    .filter((path) => /\.(?:ts|py|go|java)$/.test(path) && !/test/.test(path));
  for (const part of [1, 2, 3])
    appendFileSync(join(clone, code[Math.floor((code.length * part) / 4)] ?? ""), "\n");
  const identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"];
  git(...identity, "commit", "--quiet", "--no-verify", "--all", "--message", "change");
}

function repomix(clone: string, folder: string): readonly Subject[] {
  const program = process.env["KODIAI_BENCH_REPOMIX"];
  if (program === undefined) return [];
  const args = [program, "--quiet", "--output", join(folder, "repomix.xml")];
  return [{ name: "repomix, the whole repository", command: process.execPath, args, cwd: clone }];
}
