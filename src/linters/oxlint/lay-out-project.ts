/** The files of a project in a private folder, with configurations of ours: of the repository's, only the paths of imports count. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createPause } from "../../base/event-loop.ts";
import { createScriptConfigs, type ScriptConfig } from "../../languages/javascript/tsconfig.ts";
import { createFileTree, foldersUp } from "../../languages/resolve/file-tree.ts";
import { containingFolder } from "../../base/containing-folder.ts";

const SCRIPT = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;

/** A part of a path that could lead out of the folder, or that a file system can't have. */
const UNSAFE = /(?:^|\/)(?:\.{0,2}|\.git)(?:\/|$)|[\0\\]|[^/]{200}|^.{1000}/i;

/** Types that no file imports. */
const MAX_AMBIENT = 200;

/** Other work in this process waits no longer than this. */
const MAX_WRITING_MS = 10;

const OPTIONS = {
  target: "esnext",
  module: "preserve",
  moduleResolution: "bundler",
  lib: ["esnext", "dom", "dom.iterable"],
  allowJs: true,
  jsx: "preserve",
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  experimentalDecorators: true,
  types: [],
};

export function isLaidOut(path: string): boolean {
  return !UNSAFE.test(path);
}

/** `checked`: paths of the files whose types are wanted. */
export async function layOutProject(
  folder: string,
  project: ReadonlyMap<string, string>,
  checked: readonly string[],
): Promise<void> {
  const pause = createPause(MAX_WRITING_MS);
  const made = new Set<string>();
  const write = async (path: string, text: string): Promise<void> => {
    const target = join(folder, path);
    const parent = dirname(target);
    if (!made.has(parent)) await mkdir(parent, { recursive: true });
    made.add(parent);
    await writeFile(target, text);
    await pause();
  };
  for (const [path, text] of project) if (SCRIPT.test(path) && isLaidOut(path)) await write(path, text);
  for (const [path, text] of configurations(folder, project, checked)) await write(path, text);
}

/** One for each folder of the repository that has its own, by path, so that each file finds the paths of its package. */
function configurations(
  folder: string,
  project: ReadonlyMap<string, string>,
  checked: readonly string[],
): ReadonlyMap<string, string> {
  const paths = new Set([...project.keys()].filter(isLaidOut));
  const configs = createScriptConfigs(project, createFileTree(paths));
  const ambient = [...paths].filter((path) => DECLARATIONS.test(path)).slice(0, MAX_AMBIENT);
  const byFolder = Map.groupBy(checked, (path) => configuredFolder(path, paths));
  return new Map(
    Array.from(byFolder, ([own, files]) => [
      own === "" ? "tsconfig.json" : `${own}/tsconfig.json`,
      JSON.stringify({
        compilerOptions: { ...OPTIONS, paths: importPaths(folder, configs.configsFor(own)[0]) },
        files: [...files, ...ambient].map((path) => join(folder, path)),
      }),
    ]),
  );
}

function configuredFolder(path: string, paths: ReadonlySet<string>): string {
  for (const above of foldersUp(containingFolder(path)))
    if (above !== "" && paths.has(`${above}/tsconfig.json`)) return above;
  return "";
}

function importPaths(folder: string, config: ScriptConfig | undefined): Record<string, readonly string[]> {
  return Object.fromEntries(
    (config?.patterns ?? []).map(({ prefix, suffix, targets }) => [
      suffix === null ? prefix : `${prefix}*${suffix}`,
      targets
        .filter((target) => !UNSAFE.test(target.replace("*", "x")))
        .map((target) => join(folder, target)),
    ]),
  );
}
