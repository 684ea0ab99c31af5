/**
 * Writes what the GitHub Action installs to a folder: the program as an archive, and a manifest and a lock file that name it and each
 * of its packages by version and integrity. Nothing has to be published for it, and nothing is downloaded.
 */
import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";
import { type Manifest, trimManifest } from "./trim-manifest.ts";

type LockedPackage = { readonly dev?: boolean; readonly devOptional?: boolean; readonly version: string };

/** Name of the archive; src/action-main.ts copies it. */
const ARCHIVE = "kodiai.tgz";

/** Of the published files, those that the program loads. */
const isLoaded = (pattern: string): boolean => /^[a-z]+$/.test(pattern) && pattern !== "integrations";

export async function writeActionPackage({
  root,
  out,
}: {
  readonly root: string;
  readonly out: string;
}): Promise<void> {
  const original = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { devDependencies: tools } = original as { readonly devDependencies: Record<string, string> };
  const program = trimManifest(original);
  const archive = await packProgram(root, program);
  writeFileSync(join(out, ARCHIVE), archive);
  const { version, dependencies, optionalDependencies } = program;
  const own = {
    name: "kodiai-action",
    version,
    private: true,
    dependencies: { kodiai: `file:${ARCHIVE}` },
  };
  const { packages: locked } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const left = new Set(
    Object.keys(original.optionalDependencies).filter((name) => optionalDependencies[name] === undefined),
  );
  const kept = Object.entries(locked).filter(
    ([path, { dev, devOptional }]) =>
      path !== "" &&
      dev !== true &&
      devOptional !== true &&
      tools[path.replace("node_modules/", "")] === undefined &&
      !left.has(path.replace("node_modules/", "")),
  );
  const packages = {
    "": own,
    "node_modules/kodiai": {
      version,
      resolved: `file:${ARCHIVE}`,
      integrity: `sha512-${createHash("sha512").update(archive).digest("base64")}`,
      dependencies,
      optionalDependencies,
    },
    ...Object.fromEntries(kept),
  };
  const lock = { name: own.name, version, lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(out, "package.json"), `${JSON.stringify(own, null, 2)}\n`);
  writeFileSync(join(out, "package-lock.json"), `${JSON.stringify(lock, null, 2)}\n`);
}

async function packProgram(root: string, manifest: Manifest): Promise<Buffer> {
  const files = manifest.files
    .filter(isLoaded)
    .flatMap((folder) => globSync(`${folder}/**`, { cwd: root }))
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.startsWith("dist/action/") && statSync(join(root, path)).isFile())
    .toSorted();
  const entries = [
    { path: "package.json", body: Buffer.from(JSON.stringify(manifest)) },
    ...files.map((path) => ({ path, body: readFileSync(join(root, path)) })),
  ];
  const tar = await packTar(
    entries.map(({ path, body }) => ({
      // The same bytes for the same files, whenever they are built.
      header: { name: `package/${path}`, size: body.length, mode: 0o644, mtime: new Date(0) },
      body,
    })),
  );
  return gzipSync(tar, { level: 9 });
}
