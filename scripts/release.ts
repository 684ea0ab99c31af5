/**
 * Publishes a version: `npm run release -- --dry-run` only checks what publishing needs and lists it. Without `--dry-run`, the steps run in
 * order if nothing is missing; the first failure ends it, with what to undo. `--offline` asks no registry, `--without-tests` runs no tests.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Candidate, type Check, type Manifest, runChecks } from "./release/checks.ts";
import { run } from "./release/run.ts";
import { releaseSteps, type Step } from "./release/steps.ts";

const ROOT = join(import.meta.dirname, "..");
const KNOWN = ["--dry-run", "--offline", "--without-tests"];

function pack(work: string): Candidate {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;
  const packed = run("npm", ["pack", "--json", "--pack-destination", work], { cwd: ROOT });
  if (packed.status !== 0) throw new Error(`npm pack failed: ${packed.stderr}`);
  // Scripts that npm runs print before it.
  const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf("[\n"))) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ];
  return { root: ROOT, manifest, tarball: join(work, filename), files: files.map(({ path }) => path) };
}

function checkTests(isLeftOut: boolean): Check {
  if (isLeftOut) return { name: "tests", state: "unknown", detail: "--without-tests: run `npm run check`" };
  const { status } = run(process.execPath, ["scripts/check.ts"], { cwd: ROOT });
  return { name: "tests", state: status === 0 ? "ok" : "missing", detail: "npm run check" };
}

function perform(steps: readonly Step[]): number {
  const done: Step[] = [];
  for (const step of steps) {
    console.log(`== ${step.name}`);
    const { status, stdout, stderr } = step.perform();
    if (status !== 0) {
      console.error(`${stdout}${stderr}`.trim());
      console.error(`\nThe release stopped at: ${step.name}`);
      console.error(done.length === 0 ? "Nothing was done before it." : "Done before it. To undo, run:");
      for (const { undo } of done.toReversed()) console.error(`  ${undo}`);
      return 1;
    }
    done.push(step);
  }
  return 0;
}

async function release(args: readonly string[], work: string): Promise<number> {
  const unknown = args.filter((each) => !KNOWN.includes(each));
  if (unknown.length > 0) {
    console.error(`release: unknown option ${unknown.join(" ")}; there are ${KNOWN.join(", ")}`);
    return 2;
  }
  // Packing builds, and leaves a clean tree clean.
  const candidate = pack(work);
  const checks = [
    ...(await runChecks(candidate, args.includes("--offline"))),
    checkTests(args.includes("--without-tests")),
  ];
  for (const { name, state, detail } of checks)
    console.log(`${state.padEnd(8)} ${name.padEnd(18)} ${detail}`);
  const missing = checks.filter(({ state }) => state === "missing");
  const steps = releaseSteps(candidate, work);
  const { name, version } = candidate.manifest;
  console.log(`\n${name} ${version}: ${missing.length === 0 ? "nothing" : missing.length} missing. Steps:`);
  for (const step of steps) console.log(`  - ${step.name}`);
  if (missing.length > 0) return 1;
  return args.includes("--dry-run") ? 0 : perform(steps);
}

const work = mkdtempSync(join(tmpdir(), "kodiai-release-"));
try {
  process.exitCode = await release(process.argv.slice(2), work);
} finally {
  rmSync(work, { recursive: true, force: true });
}
