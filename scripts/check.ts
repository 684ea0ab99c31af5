/**
 * The gate: format, lint, types, unused code, generated files, plain English, tests. Runs all steps and lists those that failed.
 * `--without-tests` leaves the tests out.
 */
import { spawnSync } from "node:child_process";
import { delimiter, dirname } from "node:path";

const STEPS = [
  ["format", "oxfmt", "--check"],
  ["lint", "oxlint", "--type-aware", "--deny-warnings"],
  ["types", "tsc"],
  ["unused code", "knip"],
  ["code that only tests use", "knip", "--production"],
  ["generated files", process.execPath, "scripts/generate.ts", "--check"],
  ["plain English", process.execPath, "scripts/voice.ts"],
  ["tests", process.execPath, "scripts/test.ts"],
] as const;

const left = process.argv.includes("--without-tests") ? "tests" : null;

const failed = STEPS.filter(([name]) => name !== left)
  .filter(([name, command, ...args]) => {
    console.log(`== ${name}`);
    const path = [dirname(process.execPath), "node_modules/.bin", process.env["PATH"]].join(delimiter);
    return spawnSync(command, args, { stdio: "inherit", env: { ...process.env, PATH: path } }).status !== 0;
  })
  .map(([name]) => name);

console.log(failed.length === 0 ? "all checks passed" : `failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
