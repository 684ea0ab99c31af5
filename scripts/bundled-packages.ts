/**
 * Lists the contents of the bundle: a CycloneDX list of its packages, and the texts of their licences, which most licences require.
 * Both come from the modules that the bundler really included, so they can't be out of date.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { grammarNotice } from "./grammar-notices.ts";
import { isGrammar } from "./pack-grammars.ts";

type BundledPackage = {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** npm's format: the algorithm, a dash, base64. */
  readonly integrity: string;
  readonly texts: readonly string[];
};

type Manifest = { readonly name: string; readonly version: string; readonly license?: string };

type LockFile = { readonly packages: Readonly<Record<string, { version: string; integrity?: string }>> };

/** The folder of a package within its project, from the path of a file in it. */
const PACKAGE_FOLDER = /(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//;

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)/i;

/** Writes `sbom.cdx.json` and `THIRD-PARTY-LICENSES.txt` for the bundled files (absolute paths). */
export function describeBundle(moduleIds: readonly string[], places: { root: string; out: string }): void {
  const { root, out } = places;
  const folders = moduleIds.flatMap((id) => PACKAGE_FOLDER.exec(id)?.[1] ?? []);
  const { packages: locked } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as LockFile;
  const packages = [...new Set(folders)].toSorted().map((folder) => readPackage(folder, root, locked));
  const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  writeFileSync(join(out, "sbom.cdx.json"), `${JSON.stringify(toCycloneDx(own, packages), null, 2)}\n`);
  writeFileSync(join(out, "THIRD-PARTY-LICENSES.txt"), toNotices(packages));
}

function readPackage(folder: string, root: string, locked: LockFile["packages"]): BundledPackage {
  const path = join(root, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Manifest;
  const entry = locked[folder];
  // Only the locked version was reviewed and tested.
  if (entry?.version !== version || entry.integrity === undefined)
    throw new Error(`${folder} is ${version}, but package-lock.json has ${entry?.version ?? "none"}`);
  if (license === undefined) throw new Error(`${name} ${version} names no licence; it can't be bundled`);
  const own = readdirSync(path)
    .filter((file) => LICENSE_FILE.test(file))
    .toSorted()
    .map((file) => readFileSync(join(path, file), "utf8").trim());
  const texts = isGrammar(name) ? [...own, grammarNotice(path)] : own;
  return { name, version, license, integrity: entry.integrity, texts };
}

function toCycloneDx(own: Manifest, packages: readonly BundledPackage[]): unknown {
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { type: "application", name: own.name, version: own.version, purl: purlOf(own) },
    },
    components: packages.map((each) => ({
      type: "library",
      "bom-ref": purlOf(each),
      name: each.name,
      version: each.version,
      purl: purlOf(each),
      licenses: [{ expression: each.license }],
      hashes: [hashOf(each.integrity)],
    })),
  };
}

function purlOf({ name, version }: Pick<Manifest, "name" | "version">): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function hashOf(integrity: string): { readonly alg: string; readonly content: string } {
  const [algorithm = "", base64 = ""] = integrity.split("-");
  return {
    alg: algorithm.toUpperCase().replace("SHA", "SHA-"),
    content: Buffer.from(base64, "base64").toString("hex"),
  };
}

function toNotices(packages: readonly BundledPackage[]): string {
  const parts = packages.map(({ name, version, license, texts }) =>
    [
      `${name} ${version} (${license})`,
      ...(texts.length === 0 ? ["The package has no licence file; its manifest names this licence."] : texts),
    ].join("\n\n"),
  );
  return `The program in this folder contains the packages below.\n\n${parts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
