/** The layout that npm installs: the bundle without the sources. */
import { cpSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const PROJECT = dirname(dirname(import.meta.dirname));

/** Returns a new folder, which the caller removes. The bundle is built by then. */
export function installedLayout(): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-installed-"));
  for (const name of ["bin", "dist", "package.json"])
    cpSync(join(PROJECT, name), join(folder, name), { recursive: true });
  symlinkSync(join(PROJECT, "node_modules"), join(folder, "node_modules"));
  return folder;
}
