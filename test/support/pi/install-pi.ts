/**
 * The real pi, installed from the registry at its first use and kept for later runs. It isn't a dependency: 160 MB for one test.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const NAME = "@earendil-works/pi-coding-agent";

/** The newest release whose own packages are all published with it. */
const VERSION = "0.87.1";

const ROOT = dirname(dirname(dirname(import.meta.dirname)));

export type InstalledPi =
  | { readonly folder: string; readonly program: string; readonly why: null }
  /** The registry can't be reached, or lacks a package. */
  | { readonly why: string };

export function installPi(): InstalledPi {
  const kept = join(ROOT, "node_modules/.cache/kodiai", `pi-${VERSION}`);
  const program = join(kept, "node_modules", NAME, "dist/bundle/cli.js");
  if (existsSync(program)) return { folder: kept, program, why: null };
  mkdirSync(dirname(kept), { recursive: true });
  // Two test runs may install it at the same time: the first one to finish wins.
  const folder = mkdtempSync(`${kept}-`);
  writeFileSync(join(folder, "package.json"), "{}\n");
  const install = spawnSync(
    "npm",
    ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", `${NAME}@${VERSION}`],
    { cwd: folder, encoding: "utf8" },
  );
  if (install.status === 0 && !existsSync(program)) renameSync(folder, kept);
  rmSync(folder, { recursive: true, force: true });
  return existsSync(program)
    ? { folder: kept, program, why: null }
    : { why: `npm couldn't install ${NAME}: ${install.stderr.slice(0, 200)}` };
}
