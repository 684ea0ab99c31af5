/** Times whole commands turn by turn and measures their peak memory. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Limit } from "./limits.ts";

export type Subject = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Must match the output, because a program that does nothing is fast. */
  readonly expects?: RegExp;
  /** Called before each run, and not timed. */
  readonly before?: () => void;
};

export type Measured = { readonly name: string; readonly medianMs: number; readonly peakMb: number | null };

/** `npm run bench -- --quick` looks for what became many times slower, which few rounds show. */
const MAX_QUICK_ROUNDS = 5;

const isQuick = process.argv.includes("--quick");

/** Runs each subject once per round, so that noise affects all alike. The first round warms caches and doesn't count. */
export function measure(subjects: readonly Subject[], wantedRounds: number): readonly Measured[] {
  const rounds = isQuick ? Math.min(wantedRounds, MAX_QUICK_ROUNDS) : wantedRounds;
  const folder = mkdtempSync(join(tmpdir(), "kodiai-bench-"));
  const probe = join(folder, "probe.mjs");
  const peakFile = join(folder, "peak");
  writeFileSync(
    probe,
    `import { writeFileSync } from "node:fs";\nprocess.on("exit", () => writeFileSync(${JSON.stringify(peakFile)}, String(process.resourceUsage().maxRSS)));\n`,
  );
  const times = new Map(subjects.map(({ name }) => [name, [] as number[]]));
  const peaks = new Map<string, number>();
  try {
    for (const subject of subjects) assertWorks(subject);
    for (let round = 0; round <= rounds; round++) {
      for (const subject of subjects) {
        const elapsed = time(subject);
        if (round > 0) times.get(subject.name)?.push(elapsed);
      }
    }
    for (const subject of subjects.filter(({ command }) => command === process.execPath)) {
      time({ ...subject, args: ["--import", probe, ...subject.args] });
      peaks.set(subject.name, Number(readFileSync(peakFile, "utf8")) / 1024);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return subjects.map(({ name }) => ({
    name,
    medianMs: median(times.get(name) ?? []),
    peakMb: peaks.get(name) ?? null,
  }));
}

function assertWorks({ command, args, cwd, name, expects, before }: Subject): void {
  before?.();
  const { stdout } = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 1 << 30 });
  if (expects !== undefined && !expects.test(stdout))
    throw new Error(`${name} didn't produce the expected output:\n${stdout.slice(0, 500)}`);
}

function time({ command, args, cwd, name, before }: Subject): number {
  before?.();
  const startedAt = performance.now();
  const result = spawnSync(command, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  if (result.status === null || result.status > 3)
    throw new Error(`${name} failed: ${result.stderr.toString()}`);
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function report(measured: readonly Measured[]): void {
  for (const { name, medianMs, peakMb } of measured) {
    const memory = peakMb === null ? "" : `, peak ${peakMb.toFixed(0)} MB`;
    console.log(`  ${name.padEnd(40)} ${medianMs.toFixed(1).padStart(9)} ms${memory}`);
  }
}

/** A figure of this run and what it may be. `of` is what was measured. */
export type Figure = { readonly of: string; readonly value: number; readonly limit: Limit };

const figures: Figure[] = [];

/** Prints a figure with its limit, and keeps it for the end of the run. */
export function judge(limit: Limit, value: number, of = ""): void {
  const figure = { of, value, limit };
  figures.push(figure);
  console.log(`  ${(isOver(figure) ? "OVER" : "ok").padEnd(5)}${renderFigure(figure)}`);
}

/** A figure that wasn't measured counts as over its limit. */
export function isOver({ value, limit }: Figure): boolean {
  return "most" in limit ? !(value <= limit.most) : !(value >= limit.least);
}

export function renderFigure({ of, value, limit }: Figure): string {
  const { unit } = limit;
  const bound = "most" in limit ? `at most ${limit.most}` : `at least ${limit.least}`;
  return `${nameOf({ of, limit })}: ${value.toFixed(2)}${unit} (${bound}${unit})`;
}

export function nameOf({ of, limit }: Pick<Figure, "of" | "limit">): string {
  return of === "" ? limit.what : `${of}, ${limit.what}`;
}

/** The figures since the last call. */
export function takeFigures(): readonly Figure[] {
  return figures.splice(0);
}

export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
