/** The crates of a repository: their names, the files they start with, and the names under which one knows the others. */
import { containingFolder } from "../../base/containing-folder.ts";
import { fileNameOf } from "../../base/file-name.ts";
import { type JsonTable, tableOf, textOf } from "../../base/documents/json-file.ts";
import { parseToml } from "../../base/documents/toml-file.ts";
import { compareBytes, joinPaths, type FileTree } from "../resolve/file-tree.ts";
import { MAX_MANIFEST_CHARS } from "../javascript/parse-jsonc.ts";

export type RustCrate = {
  readonly folder: string;
  /** The root file of the library; null for a crate with programs only. */
  readonly library: string | null;
  /** Name in code → name of a package, for dependencies that are renamed. */
  readonly renamed: ReadonlyMap<string, string>;
};

export type RustCrates = {
  readonly byFolder: ReadonlyMap<string, RustCrate>;
  /** By the name of the library in code and by the name of the package, with underscores. */
  readonly byName: ReadonlyMap<string, RustCrate>;
  /** Every file that a crate starts with. */
  readonly roots: ReadonlySet<string>;
};

const TARGETS = ["bin", "test", "example", "bench"];
const DEPENDENCIES = ["dependencies", "dev-dependencies", "build-dependencies"];

export function readCrates(manifests: ReadonlyMap<string, string>, tree: FileTree): RustCrates {
  const byFolder = new Map<string, RustCrate>();
  const byName = new Map<string, RustCrate>();
  const roots = new Set<string>();
  for (const path of [...manifests.keys()].toSorted(compareBytes)) {
    const text = manifests.get(path) ?? "";
    if (fileNameOf(path) !== "Cargo.toml" || text.length > MAX_MANIFEST_CHARS) continue;
    const manifest = parseToml(text);
    const packageName = textOf(tableOf(manifest?.["package"])?.["name"]);
    if (manifest === null || packageName === null) continue;
    const folder = containingFolder(path);
    const library = tableOf(manifest["lib"]);
    const libraryPath = joinPaths(folder, textOf(library?.["path"]) ?? "src/lib.rs");
    const crate: RustCrate = {
      folder,
      library: libraryPath !== null && tree.hasFile(libraryPath) ? libraryPath : null,
      renamed: readRenamed(manifest),
    };
    byFolder.set(folder, crate);
    for (const name of [packageName, textOf(library?.["name"]) ?? packageName]) {
      if (!byName.has(inCode(name))) byName.set(inCode(name), crate);
    }
    for (const root of rootsOf(folder, manifest, tree)) roots.add(root);
    if (crate.library !== null) roots.add(crate.library);
  }
  return { byFolder, byName, roots };
}

export function inCode(name: string): string {
  return name.replaceAll("-", "_");
}

function readRenamed(manifest: JsonTable): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  const targets = Object.values(tableOf(manifest["target"]) ?? {}).map(tableOf);
  for (const source of [manifest, tableOf(manifest["workspace"]), ...targets]) {
    for (const section of DEPENDENCIES) {
      for (const [name, value] of Object.entries(tableOf(source?.[section]) ?? {})) {
        const original = textOf(tableOf(value)?.["package"]);
        if (original !== null) renamed.set(inCode(name), inCode(original));
      }
    }
  }
  return renamed;
}

function rootsOf(folder: string, manifest: JsonTable, tree: FileTree): readonly string[] {
  const at = (relative: string): string => (folder === "" ? relative : `${folder}/${relative}`);
  const named = TARGETS.flatMap((target) => {
    const list = manifest[target];
    return (Array.isArray(list) ? list : []).flatMap(
      (each: unknown) => textOf(tableOf(each)?.["path"]) ?? [],
    );
  });
  const written = [...named, textOf(tableOf(manifest["package"])?.["build"]) ?? "build.rs"].flatMap(
    (path) => joinPaths(folder, path) ?? [],
  );
  const found = ["tests", "examples", "benches", "src/bin"].flatMap((name) =>
    tree.filesIn(at(name)).filter((path) => path.endsWith(".rs")),
  );
  return [...written, at("src/main.rs"), ...found].filter((path) => tree.hasFile(path));
}
