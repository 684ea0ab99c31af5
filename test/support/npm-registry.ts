/** An npm registry on loopback with a few packages, and the settings that lead Kodiai to it. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tableOf } from "../../src/base/documents/json-file.ts";
import { buildTarGz } from "./build-archives.ts";
import { type Cleanup, startServer } from "./local-server.ts";

export type NpmPackage = {
  readonly name: string;
  readonly version: string;
  /** Without package.json, which is made of name, version and `manifest`. */
  readonly files: Readonly<Record<string, string>>;
  readonly manifest?: Readonly<Record<string, unknown>>;
};

export type NpmRegistry = {
  readonly env: Readonly<Record<string, string>>;
  /** Paths of all requests. */
  readonly asked: () => readonly string[];
};

/** `delayMs`: how long each answer takes. */
export async function startNpmRegistry(
  t: Cleanup,
  packages: readonly NpmPackage[],
  delayMs = 0,
): Promise<NpmRegistry> {
  const archives = new Map<string, Buffer>();
  for (const { name, version, files, manifest } of packages) {
    const own = { name, version, ...manifest };
    const entries = Object.entries({ "package.json": JSON.stringify(own), ...files });
    const archive = await buildTarGz(entries.map(([path, text]) => ({ name: `package/${path}`, text })));
    archives.set(`${name}@${version}`, archive);
  }
  const { port, requests } = await startServer(t, (request, response) => {
    setTimeout(() => answer(request, response), delayMs);
  });
  const answer: RequestListener = (request, response) => {
    const path = decodeURIComponent(request.url ?? "").replace(/^\//, "");
    const archive = /^(.+)\/-\/.+-(\d[^/]*)\.tgz$/.exec(path);
    if (archive !== null) {
      response.end(archives.get(`${archive[1]}@${archive[2]}`) ?? "");
      return;
    }
    const found = packages.filter(({ name }) => path === name || path.startsWith(`${name}/`));
    const documents = found.map((each) => documentOf(each, archives, `http://127.0.0.1:${port}`));
    const one = documents.find(({ name, version }) => path === `${name}/${version}`);
    const whole =
      found[0]?.name === path
        ? { name: path, versions: Object.fromEntries(documents.map((each) => [each.version, each])) }
        : null;
    const body = one ?? whole;
    response.writeHead(body === null ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? {}));
  };
  const cache = mkdtempSync(join(tmpdir(), "kodiai-cache-"));
  t.after(() => rmSync(cache, { recursive: true, force: true }));
  const origin = `http://127.0.0.1:${port}`;
  return {
    env: {
      KODIAI_OFFLINE: "off",
      // Nothing else may be asked.
      KODIAI_HOSTS: origin,
      KODIAI_PRIVATE_HOSTS: origin,
      KODIAI_NPM_REGISTRY: origin,
      XDG_CACHE_HOME: cache,
    },
    asked: () => requests.map(({ url }) => decodeURIComponent(url ?? "")),
  };
}

function documentOf(
  { name, version, manifest }: NpmPackage,
  archives: ReadonlyMap<string, Buffer>,
  origin: string,
): Readonly<Record<string, unknown>> & Pick<NpmPackage, "name" | "version"> {
  const archive = archives.get(`${name}@${version}`) ?? Buffer.alloc(0);
  const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  const file = `${name.split("/").at(-1)}-${version}.tgz`;
  const dist = { tarball: `${origin}/${name}/-/${file}`, integrity };
  return { ...manifest, name, version, dist: { ...dist, ...tableOf(manifest?.["dist"]) } };
}
