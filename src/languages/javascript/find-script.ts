/** Finds the file that a path without its exact extension refers to, as bundlers and TypeScript do. */
import { containingFolder } from "../../base/containing-folder.ts";
import { fileNameOf } from "../../base/file-name.ts";
import { type FileTree } from "../resolve/file-tree.ts";
import { type Resolution, UNRESOLVED } from "../resolve/resolver.ts";

/** In the order in which they are tried. */
const EXTENSIONS =
  ".ts .tsx .d.ts .js .jsx .mts .cts .mjs .cjs .d.mts .d.cts .json .vue .svelte .astro .gts .gjs".split(" ");

/** An import of the output names the source. */
const SOURCES: ReadonlyMap<string, readonly string[]> = new Map([
  [".js", [".ts", ".tsx", ".d.ts", ".jsx"]],
  [".jsx", [".tsx", ".d.ts"]],
  [".mjs", [".mts", ".d.mts"]],
  [".cjs", [".cts", ".d.cts"]],
]);

const PLATFORMS = ["android", "ios", "native", "web", "macos", "windows"];

/** Folders of build results, which a repository doesn't track. */
const OUTPUTS: ReadonlySet<string> = new Set(
  "dist build lib out es esm cjs types typings output commonjs module _esm _cjs".split(" "),
);

export type ScriptFinder = {
  /** Exactly one file by the rules, or the variants of one for several platforms. `isTyped`: the importing file is TypeScript. */
  findScript(base: string, isTyped: boolean): Resolution;
  /**
   * The source of a file in the output of a build that isn't tracked: dist/a/b.js is made of src/a/b.ts. Null when there is
   * none with the same path below the folder.
   */
  findSource(entry: string, packageFolder: string): string | null;
};

export function createScriptFinder(tree: FileTree): ScriptFinder {
  const byBase = indexBases(tree);

  function findFile(base: string, isTyped: boolean): string | null {
    const extension = /\.[mc]?jsx?$/.exec(base)?.[0];
    if (extension !== undefined) {
      const stem = base.slice(0, -extension.length);
      const sources = (SOURCES.get(extension) ?? []).map((each) => stem + each);
      for (const path of isTyped ? [...sources, base] : [base, ...sources])
        if (tree.hasFile(path)) return path;
    } else if (tree.hasFile(base)) return base;
    return byBase.get(base) ?? null;
  }

  return {
    findScript(base, isTyped) {
      const found = findFile(base, isTyped) ?? findFile(base === "" ? "index" : `${base}/index`, isTyped);
      if (found !== null) return { paths: [found], isExact: true };
      const variants = PLATFORMS.flatMap((platform) => byBase.get(`${base}.${platform}`) ?? []);
      return variants.length === 0 ? UNRESOLVED : { paths: variants, isExact: false };
    },
    findSource(entry, packageFolder) {
      const inside = packageFolder === "" ? entry : entry.slice(packageFolder.length + 1);
      const parts = inside.split("/");
      let outputs = 0;
      while (outputs < parts.length - 1 && OUTPUTS.has(parts[outputs] ?? "")) outputs++;
      if (outputs === 0) return null;
      const stem = withoutOutputExtension(parts.slice(outputs).join("/"));
      for (const folder of ["src", "source", ""]) {
        const base = [packageFolder, folder, stem].filter((part) => part !== "").join("/");
        const found = findFile(base, true);
        const isSource = found !== null && fileNameOf(found) !== "package.json";
        if (isSource && containingFolder(found) !== containingFolder(entry)) return found;
      }
      return null;
    },
  };
}

/** Path without its extension → the file whose extension is tried first. */
function indexBases(tree: FileTree): ReadonlyMap<string, string> {
  const byBase = new Map<string, string>();
  const ranks = new Map<string, number>();
  for (const path of tree.paths) {
    const extension = /(?:\.d)?\.\w+$/.exec(path)?.[0] ?? "";
    const rank = EXTENSIONS.indexOf(extension);
    if (rank === -1) continue;
    const base = path.slice(0, -extension.length);
    if (rank >= (ranks.get(base) ?? EXTENSIONS.length)) continue;
    ranks.set(base, rank);
    byBase.set(base, path);
  }
  return byBase;
}

function withoutOutputExtension(path: string): string {
  return path
    .replace(/\.d\.[mc]?ts$/, "")
    .replace(/(?:\.(?:esm|cjs|umd|min|prod|development|production))?\.[mc]?js$/, "");
}
