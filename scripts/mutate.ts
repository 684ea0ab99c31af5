/**
 * Takes away one guard at a time and runs the tests that should notice: `npm run mutate`, or `npm run mutate -- P4 law src/queue` for some. Works in
 * a copy of the checkout, never in the checkout itself. Fails when a mutation isn't noticed.
 */
import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { count } from "../src/base/count.ts";
import { applyMutation, type Mutation, MUTATIONS, summarizeTap } from "./testing/mutations.ts";

/** The slowest of the named files takes three minutes on two busy processors. */
const MAX_RUN_MS = 15 * 60_000;

/** Enough to see why tests fail that should pass. */
const SHOWN_CHARS = 4_000;

type Run = {
  readonly failed: number;
  readonly passed: number;
  readonly isHung: boolean;
  readonly output: string;
};

type Row = { readonly mutation: Mutation; readonly result: string; readonly seconds: number };

const NOTICED = "noticed";

const wanted = process.argv.slice(2);
const chosen = MUTATIONS.filter(
  ({ promise, file }) =>
    wanted.length === 0 || wanted.some((each) => each === promise || file.includes(each)),
);
if (chosen.length === 0) {
  console.error(
    `No mutation matches ${wanted.join(", ")}. Name promises, as in P4, law, or parts of source paths.`,
  );
  process.exit(2);
}
const copy = copyCheckout();
const rows: Row[] = [];
try {
  const sound = new Map<string, boolean>();
  for (const [index, mutation] of chosen.entries()) {
    console.log(`${index + 1} of ${chosen.length}: ${mutation.promise}, ${mutation.what}`);
    const startedAt = performance.now();
    const key = `${mutation.promise} ${mutation.tests}`;
    if (!sound.has(key)) sound.set(key, await passesUnchanged(mutation));
    const result =
      sound.get(key) === true
        ? await tryMutation(mutation)
        : "NOT NOTICED: its tests don't pass without it either";
    rows.push({ mutation, result, seconds: Math.round((performance.now() - startedAt) / 1_000) });
    console.log(`  ${result}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}

const missed = rows.filter(({ result }) => result !== NOTICED);
for (const { mutation, result, seconds } of rows)
  console.log(
    `${mutation.promise.padEnd(4)} ${result.padEnd(NOTICED.length)} ${`${seconds} s`.padStart(6)}  ${mutation.what}`,
  );
console.log(`${count(rows.length, "mutation")}, ${missed.length} not noticed`);
process.exitCode = missed.length === 0 ? 0 : 1;

/** All files that git tracks or would add, as they are now. */
function copyCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-mutate-"));
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  for (const path of listed.split("\0").filter((each) => each !== "" && existsSync(each))) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    cpSync(path, join(folder, path));
  }
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return folder;
}

/** A test that fails anyway notices nothing. */
async function passesUnchanged(mutation: Mutation): Promise<boolean> {
  const { failed, passed, output } = await runTests(mutation);
  if (failed === 0 && passed > 0) return true;
  console.log(
    passed + failed === 0
      ? `  ${mutation.tests} has no test of ${mutation.promise}`
      : output.slice(-SHOWN_CHARS),
  );
  return false;
}

async function tryMutation(mutation: Mutation): Promise<string> {
  const path = join(copy, mutation.file);
  const original = readFileSync(path, "utf8");
  writeFileSync(path, applyMutation(original, mutation));
  try {
    const { failed, isHung } = await runTests(mutation);
    if (isHung) return "NOT NOTICED: its tests hung";
    return failed > 0 ? NOTICED : "NOT NOTICED";
  } finally {
    writeFileSync(path, original);
  }
}

function runTests({ promise, tests }: Mutation): Promise<Run> {
  const files = globSync(["src/**/*.test.ts", "test/**/*.test.ts"], { cwd: copy }).filter((file) =>
    file.includes(tests),
  );
  const only = promise === "law" ? [] : [`--test-name-pattern=\\[${promise}\\]`];
  const args = ["--test", "--test-reporter=tap", "--test-concurrency=1", ...only, ...files];
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: resolve("node_modules/.cache/kodiai/compiled"),
    // A law is checked on random histories: with few of them, a mutation is missed.
    KODIAI_TEST_ALL: "1",
    KODIAI_TEST_IMPATIENT: "1",
  };
  // A group of its own, so that a run that hangs can be ended with everything that it started.
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = (): void => void (child.pid !== undefined && process.kill(-child.pid, "SIGKILL"));
  const onSignal = (): void => {
    end();
    rmSync(copy, { recursive: true, force: true });
    process.exit(130);
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, onSignal);
  return new Promise((done, reject) => {
    let output = "";
    let isHung = false;
    const limit = setTimeout(() => {
      isHung = true;
      end();
    }, MAX_RUN_MS);
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
    child.on("error", reject);
    child.on("close", () => {
      clearTimeout(limit);
      for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, onSignal);
      done({ ...summarizeTap(output, promise), isHung, output });
    });
  });
}
