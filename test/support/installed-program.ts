/** The program as npm installs it, outside of the checkout. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DIST } from "./built-program.ts";
import type { Cleanup } from "./local-server.ts";

const ROOT = dirname(DIST);

/** The installed program with another package in place of oxlint; null: none. */
export function installedWith(t: Cleanup, program: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-installed-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const own = join(folder, "node_modules", "kodiai");
  for (const name of ["bin", "dist", "package.json"])
    cpSync(join(ROOT, name), join(own, name), { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules")).filter(
    (each) => /^[@a-z]/.test(each) && each !== "oxlint",
  ))
    symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  if (program !== null) {
    const fake = join(folder, "node_modules", "oxlint");
    mkdirSync(join(fake, "bin"), { recursive: true });
    writeFileSync(join(fake, "package.json"), '{ "name": "oxlint", "version": "9.9.9", "type": "module" }');
    writeFileSync(join(fake, "bin", "oxlint"), program);
  }
  return join(own, "bin", "kodiai.js");
}
