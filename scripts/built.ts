/** Knows whether the bundle is that of the present sources, because building it takes fifteen seconds of a processor. */
import { existsSync, globSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** Written when the bundle is complete. */
const STAMP = "node_modules/.cache/kodiai/built";

/** All that a build reads. The lock file stands for the packages. */
const SOURCES = ["{bin,docs,integrations,schema,scripts,sets,src}/**", "*.{json,md,yml}", "LICENSE"];

export function isBuilt(root = ROOT): boolean {
  const stamp = join(root, STAMP);
  if (!existsSync(stamp) || !existsSync(join(root, "dist/main.mjs"))) return false;
  const { mtimeMs } = statSync(stamp);
  // A removed file changes its folder.
  return globSync(SOURCES, { cwd: root, exclude: ["**/*.test.ts"] }).every(
    (path) => statSync(join(root, path)).mtimeMs < mtimeMs,
  );
}

export function forgetBuilt(): void {
  rmSync(join(ROOT, STAMP), { force: true });
}

export function rememberBuilt(root = ROOT): void {
  const stamp = join(root, STAMP);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, "");
}
