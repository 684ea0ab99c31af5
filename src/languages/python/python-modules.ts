/** Finds the importable modules in a Python archive, which is a wheel or a source distribution. */
import type { PackageSource } from "../api/package-source.ts";

/** Folders of a source distribution that aren't installed. */
const NOT_INSTALLED = /^(?:tests?|testing|docs?|examples?|benchmarks?|scripts?|tools|build|dist|\..*)$/;

/** Modules by their dotted names. */
export function pythonModules(files: PackageSource): ReadonlyMap<string, string> {
  const top = new Set(pythonTopLevel(files));
  const modules = new Map<string, string>();
  for (const path of files.keys()) {
    const name = moduleName(path);
    if (name === null || !top.has(name.split(".")[0] ?? "")) continue;
    // A stub describes the module only when there is no source.
    if (path.endsWith(".py") || !modules.has(name)) modules.set(name, path);
  }
  return modules;
}

/** The names that `import` takes: as the archive says, or by the folders with modules. */
export function pythonTopLevel(files: PackageSource): readonly string[] {
  for (const [path, text] of files) {
    if (!/^[^/]*\.(?:egg-info|dist-info)\/top_level\.txt$|^src\/[^/]*\.egg-info\/top_level\.txt$/.test(path))
      continue;
    const names = text.split(/\r?\n/).map((line) => line.trim());
    const valid = names.filter((name) => /^[A-Za-z_]\w*$/.test(name) && !NOT_INSTALLED.test(name));
    if (valid.length > 0) return valid;
  }
  const names = new Set<string>();
  for (const path of files.keys()) {
    const [first = ""] = moduleName(path)?.split(".") ?? [];
    const isSingle = !path.replace(/^(?:src|lib)\//, "").includes("/");
    if (first === "" || NOT_INSTALLED.test(first)) continue;
    if (isSingle && /^(?:setup|conftest|noxfile|tasks|fabfile|versioneer)$/.test(first)) continue;
    names.add(first);
  }
  return [...names];
}

function moduleName(path: string): string | null {
  const inside = path.replace(/^(?:src|lib)\//, "");
  const match = /^((?:[A-Za-z_]\w*\/){0,30}[A-Za-z_]\w*)\.pyi?$/.exec(inside);
  return match?.[1] === undefined ? null : match[1].replace(/\/__init__$/, "").replaceAll("/", ".");
}
