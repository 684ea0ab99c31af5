/**
 * Indexes a repository, compared with git reading all its files: without a cache, with one, and with one after a change of
 * a file. The repository is `KODIAI_BENCH_REPOSITORY`, or this one.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { rolldown } from "rolldown";
import { DIST } from "../test/support/built-program.ts";
import { LIMITS } from "./limits.ts";
import { judge, measure, report, type Subject } from "./measure.ts";
import { peakTreeMb } from "./support/peak-tree.ts";

const ROUNDS = 5;

const FLOOR = "git cat-file, all files";

const READER = join(DIST, "reader-main.mjs");

/** Bundles the program that indexes the current folder, as a user's program is: loading sources takes longer than the index. */
async function bundleInto(folder: string): Promise<string> {
  const file = join(folder, "index-main.mjs");
  const made = await rolldown({
    input: new URL("./support/index-main.ts", import.meta.url).pathname,
    platform: "node",
  });
  await made.write({ file, format: "esm", codeSplitting: false });
  await made.close();
  return file;
}

export async function codeIndex(): Promise<void> {
  const source = process.env["KODIAI_BENCH_REPOSITORY"] ?? process.cwd();
  const folder = mkdtempSync(join(tmpdir(), "kodiai-bench-"));
  try {
    const [clone, cache] = [join(folder, "clone"), join(folder, "cache")];
    git(folder, "clone", "--quiet", source, clone);
    const program = await bundleInto(folder);
    const subject = (name: string, cacheName: string, expects: RegExp): Subject => ({
      name,
      command: process.execPath,
      args: [program, join(folder, cacheName), READER],
      cwd: clone,
      expects,
    });
    const cold = {
      ...subject("index, without a cache", "cold", /^0 known, [1-9]/),
      before: () => rmSync(join(folder, "cold"), { recursive: true, force: true }),
    };
    const warm = subject("index, with a cache", "cache", /^[1-9]\d* known, 0 read/);
    const floor: Subject = {
      name: FLOOR,
      command: "/bin/sh",
      args: ["-c", "git ls-tree -r HEAD | cut -c 13-52 | git cat-file --batch --buffer | wc -c"],
      cwd: clone,
    };
    execFileSync(process.execPath, [program, cache, READER], { cwd: clone });
    const before = measure([floor, cold, warm], ROUNDS);
    cpSync(cache, `${cache}-before`, { recursive: true });
    changeOneFile(clone);
    const changed = {
      ...subject("index, after a change of one file", "cache", /^[1-9]\d* known, 1 read/),
      before: () => {
        rmSync(cache, { recursive: true, force: true });
        cpSync(`${cache}-before`, cache, { recursive: true });
      },
    };
    const after = measure([changed], ROUNDS);
    report([...before, ...after]);
    console.log(`size on disk: ${(sizeOf(`${cache}-before`) / 1e6).toFixed(1)} MB`);
    cold.before();
    for (const each of [cold, warm])
      judge(LIMITS.codeMemory, (await peakTreeMb(each)) ?? Number.NaN, each.name);
    const unchangedMs = before.find(({ name }) => name === warm.name)?.medianMs ?? Number.NaN;
    for (const { medianMs } of after) judge(LIMITS.indexAfterChange, medianMs / unchangedMs);
    const floorMs = before[0]?.medianMs ?? Number.NaN;
    for (const [name, limit] of [
      [cold.name, LIMITS.codeCold],
      [warm.name, LIMITS.codeWarm],
    ] as const) {
      const took = before.find((each) => each.name === name)?.medianMs ?? Number.NaN;
      judge(limit, took / floorMs, name);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8", maxBuffer: 1 << 30 });
}

function changeOneFile(clone: string): void {
  const [path = ""] = git(clone, "ls-files", "-z").split("\0");
  writeFileSync(join(clone, path), "changed for the measurement\n");
  const identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"];
  git(clone, ...identity, "commit", "--quiet", "--no-verify", "--all", "--message", "change");
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, { size }) => sum + size, 0);
}
