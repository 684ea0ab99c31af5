/** Python: modules are looked up below roots, which the repository's layout shows. */
import { containingFolder } from "../../base/containing-folder.ts";
import { fileNameOf } from "../../base/file-name.ts";
import {
  closestFolder,
  closestTo,
  foldersUp,
  joinPaths,
  stemOf,
  type FileTree,
} from "../resolve/file-tree.ts";
import { PYTHON_LIBRARY } from "./python-library.ts";
import {
  type LanguageResolver,
  type Resolution,
  type ResolverInput,
  UNRESOLVED,
} from "../resolve/resolver.ts";

const PROJECT_FILES = ["pyproject.toml", "setup.py", "setup.cfg"];
const SOURCE_FOLDERS = ["src", "lib", "python"];

/** A module: its file, its folder when it has submodules, or both. */
type PythonModule = {
  file: string | null;
  readonly submodules: Map<string, PythonModule>;
};

type Found = { readonly module: PythonModule; readonly isExact: boolean };

export function createPythonResolver(_input: ResolverInput, tree: FileTree): LanguageResolver {
  const byFolder = readModules(tree);
  const projects = new Set([
    "",
    ...PROJECT_FILES.flatMap((name) => tree.filesNamed(name).map(containingFolder)),
  ]);
  const projectRoots = new Set([...projects].flatMap(sourceRootsOf));
  const packageRoots = findPackageRoots();
  const found = new Map<string, Map<string, Found | null>>();

  function isPackage(folder: string): boolean {
    return tree.hasFile(`${folder}/__init__.py`) || tree.hasFile(`${folder}/__init__.pyi`);
  }

  /** The first folder above a file that isn't a package: Python and pytest search there. */
  function ownRoot(folder: string): string {
    for (const above of foldersUp(folder)) if (above === "" || !isPackage(above)) return above;
    return "";
  }

  /** Name of a package → folders that contain it and aren't packages. */
  function findPackageRoots(): ReadonlyMap<string, ReadonlySet<string>> {
    const roots = new Map<string, Set<string>>();
    for (const path of tree.filesNamed("__init__.py")) {
      const folder = containingFolder(path);
      const name = fileNameOf(folder);
      if (folder === "" || isPackage(containingFolder(folder))) continue;
      roots.set(name, (roots.get(name) ?? new Set()).add(containingFolder(folder)));
    }
    return roots;
  }

  function below(root: string, segments: readonly string[]): PythonModule | null {
    let at = byFolder.get(root);
    for (const segment of segments) at = at?.submodules.get(segment);
    return at ?? null;
  }

  function search(folder: string, specifier: string): Found | null {
    const segments = specifier.split(".");
    const top = segments[0] ?? "";
    if (PYTHON_LIBRARY.has(top)) return null;
    const near = below(ownRoot(folder), segments) ?? belowProject(folder, segments) ?? below("", segments);
    if (near !== null) return { module: near, isExact: true };
    const others = [...new Set([...projectRoots, ...(packageRoots.get(top) ?? [])])].filter(
      (root) => below(root, segments) !== null,
    );
    const closest = closestTo(
      `${folder}/`,
      others.map((root) => `${root}/`),
    )[0]?.slice(0, -1);
    const module = closest === undefined ? null : below(closest, segments);
    if (closest === undefined || module === null) return null;
    return { module, isExact: others.length === 1 && projectRoots.has(closest) };
  }

  function belowProject(folder: string, segments: readonly string[]): PythonModule | null {
    const project = closestFolder(`${folder}/`, projects);
    if (project === null) return null;
    for (const root of sourceRootsOf(project)) {
      const module = below(root, segments);
      if (module !== null) return module;
    }
    return null;
  }

  function findModule(folder: string, specifier: string): Found | null {
    const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
    if (dots === 0) return search(folder, specifier);
    const start = joinPaths(folder, "../".repeat(dots - 1));
    const rest = specifier.slice(dots);
    const module = start === null ? null : below(start, rest === "" ? [] : rest.split("."));
    return module === null ? null : { module, isExact: true };
  }

  function findOnce(folder: string, specifier: string): Found | null {
    const ofFolder = found.get(folder) ?? new Map<string, Found | null>();
    found.set(folder, ofFolder);
    const known = ofFolder.get(specifier);
    if (known !== undefined) return known;
    const module = findModule(folder, specifier);
    ofFolder.set(specifier, module);
    return module;
  }

  return {
    resolve(from, { specifier, names }): Resolution {
      const known = findOnce(containingFolder(from), specifier);
      if (known === null) return UNRESOLVED;
      const { module, isExact } = known;
      const paths = new Set<string>();
      for (const { name } of names) {
        const path = module.submodules.get(name)?.file ?? module.file;
        if (path !== null) paths.add(path);
      }
      if (names.length === 0 && module.file !== null) paths.add(module.file);
      return { paths: [...paths], isExact };
    },
    resolveUnimported: null,
  };
}

/** Every folder as a module: a package has a file, and a folder without one is a namespace. */
function readModules(tree: FileTree): ReadonlyMap<string, PythonModule> {
  const byFolder = new Map<string, PythonModule>();
  const moduleAt = (folder: string): PythonModule => {
    const known = byFolder.get(folder);
    if (known !== undefined) return known;
    const module: PythonModule = { file: null, submodules: new Map() };
    byFolder.set(folder, module);
    if (folder !== "") {
      const siblings = moduleAt(containingFolder(folder)).submodules;
      // The folder wins over a file with its name, which comes first in byte order or not.
      const file = siblings.get(fileNameOf(folder))?.file ?? null;
      module.file = file;
      siblings.set(fileNameOf(folder), module);
    }
    return module;
  };
  for (const path of tree.paths) {
    if (!/\.(?:py|pyi|pyx)$/.test(path)) continue;
    const parent = moduleAt(containingFolder(path));
    const stem = stemOf(path);
    if (stem === "__init__") {
      if (parent.file === null || stemOf(parent.file) !== "__init__") parent.file = path;
      continue;
    }
    const known = parent.submodules.get(stem);
    if (known === undefined) parent.submodules.set(stem, { file: path, submodules: new Map() });
    else known.file ??= path;
  }
  return byFolder;
}

function sourceRootsOf(project: string): readonly string[] {
  return [project, ...SOURCE_FOLDERS.map((name) => (project === "" ? name : `${project}/${name}`))];
}
