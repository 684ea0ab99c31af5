/** Advisories in the OSV format, and a folder for them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { buildZip } from "./build-archives.ts";
import { bumpedShop } from "./dependency-fixtures.ts";
import { startServer } from "./local-server.ts";
import { runKodiai } from "./run-kodiai.ts";

export const entry = (id: string, name: string, ecosystem = "npm"): Buffer =>
  Buffer.from(
    JSON.stringify({
      id,
      modified: "2026-10-01T00:00:00Z",
      summary: `Trouble in ${name}`,
      database_specific: { severity: "HIGH" },
      affected: [
        {
          package: { ecosystem, name },
          ranges: [{ type: "SEMVER", events: [{ introduced: "2.0.0" }] }],
        },
      ],
    }),
  );

export function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-copy-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const ARCHIVE = buildZip([
  ...Array.from({ length: 50 }, (_, index) => ({
    name: `MAL-${index}.json`,
    body: entry(`MAL-${index}`, `bad-${index}`),
  })),
  { name: "GHSA-new0-new0-new0.json", body: entry("GHSA-new0-new0-new0", "pads") },
]);

/** A mirror on loopback that has the advisories of npm, and the commands that fill and read a copy of them. */
export async function openMirror(t: TestContext) {
  const archive = { body: ARCHIVE };
  const { port, requests } = await startServer(t, ({ url }, response) => {
    response.writeHead(url === "/mirror/npm/all.zip" ? 200 : 404).end(archive.body);
  });
  const origin = `http://127.0.0.1:${port}`;
  const { path: cwd } = bumpedShop(t);
  const folder = join(folderOf(t), "advisories");
  const allowed = { KODIAI_OFFLINE: "off", KODIAI_HOSTS: origin, KODIAI_PRIVATE_HOSTS: origin };
  const download = (args: readonly string[], env: Record<string, string> = allowed) =>
    runKodiai(["advisories", "download", ...args], { cwd, env });
  /** A report without a network. */
  const report = async (): Promise<string> => {
    const { stdout } = await runKodiai(["deps", "--base", "main", "--offline"], {
      cwd,
      env: { KODIAI_ADVISORIES: folder },
    });
    return stdout.replaceAll(/\s+/g, " ");
  };
  const mirror = ["--from", `${origin}/mirror/`, "--to", folder];
  return { archive, requests, origin, cwd, folder, allowed, mirror, download, report };
}
