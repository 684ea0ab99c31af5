/**
 * The gate: format, lint, types, unused code, generated files, plain English, tests. Runs all steps and lists those that failed.
 * `--without-tests` leaves the tests out.
 */
import { spawn, spawnSync } from "node:child_process";
import { text } from "node:stream/consumers";
import { availableParallelism } from "node:os";
import { delimiter, dirname } from "node:path";

/** The longest first, because most of them use one processor. */
const CHECKS = [
  // Both need the types of the whole project, which are computed once.
  ["types and lint", "oxlint", "--type-aware", "--type-check", "--deny-warnings"],
  ["unused code", "knip"],
  ["code that only tests use", "knip", "--production"],
  ["plain English", process.execPath, "scripts/voice.ts"],
  ["generated files", process.execPath, "scripts/generate.ts", "--check"],
  ["format", "oxfmt", "--check"],
] as const;

const path = [dirname(process.execPath), "node_modules/.bin", process.env["PATH"]].join(delimiter);
// The type checker's memory is collected less often, which saves a quarter of its time and needs no more at its peak.
const env = { GOGC: "400", ...process.env, PATH: path };
const failed: string[] = [];

const waiting = [...CHECKS];
await Promise.all(Array.from({ length: availableParallelism() }, runNext));

async function runNext(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) await run(check);
}

/** Prints what a step says when it ends, so that two steps don't speak at once. */
async function run([name, command, ...args]: (typeof CHECKS)[number]): Promise<void> {
  const child = spawn("sh", ["-c", '"$0" "$@" 2>&1', command, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env,
  });
  const ended = Promise.withResolvers<number | null>();
  child.once("close", ended.resolve);
  const said = await text(child.stdout);
  if ((await ended.promise) !== 0) failed.push(name);
  process.stdout.write(`== ${name}\n${said}`);
}

if (!process.argv.includes("--without-tests")) {
  console.log("== tests");
  const { status } = spawnSync(process.execPath, ["scripts/test.ts"], { stdio: "inherit", env });
  if (status !== 0) failed.push("tests");
}

console.log(failed.length === 0 ? "all checks passed" : `failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
