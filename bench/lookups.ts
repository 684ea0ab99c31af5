/** Looks up ten packages in a registry that takes a second for each answer. All look-ups together have 15 seconds. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { type NpmPackage, startNpmRegistry } from "../test/support/npm-registry.ts";
import { testRepository } from "../test/support/test-repository.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";
import { installedLayout } from "./support/installed-layout.ts";

const PACKAGES = 10;
const DELAY_MS = 1_000;

const NAMES = Array.from({ length: PACKAGES }, (_, index) => `package-${index}`);

const packagesOf = (version: string): readonly NpmPackage[] =>
  NAMES.map((name) => ({
    name,
    version,
    manifest: { main: "index.js" },
    files: {
      "index.js": version === "1.0.0" ? "exports.gone = 1;\nexports.kept = 2;\n" : "exports.kept = 2;\n",
      "CHANGELOG.md": "# Changelog\n\n## 2.0.0\n\n- `gone` was removed.\n",
    },
  }));

const manifestOf = (version: string): string =>
  JSON.stringify({ dependencies: Object.fromEntries(NAMES.map((name) => [name, version])) }, null, 2);

export async function lookups(): Promise<void> {
  const undo: (() => void)[] = [];
  const scope = { after: (step: () => void) => void undo.push(step) };
  const packages = [...packagesOf("1.0.0"), ...packagesOf("2.0.0")];
  const registry = await startNpmRegistry(scope, packages, DELAY_MS);
  const repository = testRepository();
  try {
    repository.write("package.json", manifestOf("1.0.0"));
    repository.write("src/a.js", 'const { gone } = require("package-0");\nconsole.log(gone);\n');
    repository.commit("first");
    repository.git("checkout", "--quiet", "-b", "bump");
    repository.write("package.json", manifestOf("2.0.0"));
    repository.commit("bump");
    const entry = join(installedLayout(), "bin/kodiai.js");
    const { ms, stdout } = await run(entry, repository.path, registry.env);
    const found = /gone at src\/a\.js:2/.test(stdout.replaceAll(/\s+/g, " "));
    if (!found) throw new Error(`the call site wasn't found:\n${stdout}`);
    judge(LIMITS.lookups, ms);
  } finally {
    for (const step of undo) step();
    repository.remove();
  }
}

async function run(entry: string, cwd: string, env: Readonly<Record<string, string>>) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [entry, "deps", "--base", "main"], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: cwd, ...env },
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  await new Promise((resolve) => void child.on("close", resolve));
  return { ms: performance.now() - startedAt, stdout };
}
