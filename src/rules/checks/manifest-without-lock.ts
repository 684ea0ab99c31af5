/**
 * Reports dependencies that are added or get another version while the lock file of the manifest stays as it was. Silent when the
 * repository's files are unknown.
 */
import { count } from "../../base/count.ts";
import { walkHunk } from "../../review/change/walk-hunks.ts";
import { baseName } from "../../base/path-kinds.ts";
import { packageOr } from "../lines/package-name.ts";
import { type ChangeRule, type ChangeView, type FileView, nameOr } from "../rule.ts";

type Manifest = {
  readonly locks: readonly string[];
  /** A dependency and its version range on a line of its own. */
  readonly entry: RegExp;
  /** The lock file has only the chosen versions: a range that they may still satisfy doesn't change it. */
  readonly locksVersionsOnly?: boolean;
};

/** One of these at the root also serves the manifests in folders below it. */
const SHARED_LOCKS: ReadonlySet<string> = new Set(["Cargo.lock", "pnpm-lock.yaml"]);

const MANIFESTS: Readonly<Partial<Record<string, Manifest>>> = {
  "package.json": {
    locks: ["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock"],
    entry: /^\s{2,12}"([@\w./-]{1,100})":\s*"([~^<>=]{0,2}\d[\w.*+ ^~<>=|-]{0,60})",?\s*$/,
  },
  "composer.json": {
    locks: ["composer.lock"],
    entry: /^\s{2,12}"([\w.-]{1,60}\/[\w.-]{1,60})":\s*"([~^<>=]{0,2}\d[\w.*+ ^~<>=|,-]{0,60})",?\s*$/,
  },
  "Cargo.toml": {
    locks: ["Cargo.lock"],
    entry:
      /^([\w-]{1,60})\s*=\s*(?:\{\s*version\s*=\s*)?"([~^<>=]{0,2}\d[\w.*+ ^~<>=,-]{0,60})"(?!.*\bpath\s*=)/,
    locksVersionsOnly: true,
  },
  Gemfile: {
    locks: ["Gemfile.lock"],
    entry: /^\s*gem\s+["']([\w-]{1,60})["'](?:,\s*["']([^"']{1,40})["'])?/,
  },
  "pyproject.toml": {
    locks: ["poetry.lock", "uv.lock", "pdm.lock"],
    entry:
      /^(?:\s+["'](?=[^"']{1,120}["'],?\s*(?:#|$)))?([\w-][\w.-]{0,60})(?:\[[\w, -]{1,60}\])?(?:\s*=\s*["'])?\s*([~^<>=!]{1,2}\s*\d[\w.*+ ~<>=!,-]{0,60})/,
  },
};

/** Tools that read these install from them as long as the locked version is in the manifest's range; others compare the ranges. */
const ACCEPT_LOCKED_VERSION: ReadonlySet<string> = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "Cargo.lock",
]);

/** Numbers of the package itself and of the tools that build it aren't in the lock file. */
const NO_DEPENDENCY =
  /^(?:version|node|npm|yarn|pnpm|bun|vscode|php|rust-version|rust|edition|resolver|python|requires-python|setuptools|wheel|hatchling|hatch-vcs|setuptools[-_]scm|flit[-_]core|poetry-core|pdm-backend|maturin|uv_build|cython)$/i;

/** Sections of package.json whose entries aren't installed for the package itself. */
const OTHER_SECTION =
  /^\s*"(?!dependencies|devDependencies|optionalDependencies|require|require-dev)[\w-]+":\s*\{/;
const SECTION = /^\s*"[\w-]+":\s*\{/;

export const manifestWithoutLock: ChangeRule = {
  kind: "change",
  id: "manifest-without-lock",
  title: "Outdated lock file: a dependency changed without it",
  severity: "medium",
  category: "dependencies",
  why: "An installation from the lock file fails or keeps the old version, so the change isn't tested with what it declares.",
  fix: "Run the package manager's install command and commit the lock file with the change.",
  confidence: 0.9,
  *check({ change, files, repositoryPaths, dependencies }) {
    if (repositoryPaths === null) return;
    // A release gives the repository's own packages one version, and their lock file has none.
    const released = new Set(files.flatMap(ownVersions));
    const changed = new Set(change.files.flatMap(({ path, oldPath }) => [path, oldPath ?? path]));
    const found = files.flatMap((file) => {
      const manifest = MANIFESTS[baseName(file.path)];
      if (manifest === undefined || file.file.status !== "modified") return [];
      const [lock, ...others] = locksOf(file.path, manifest, repositoryPaths);
      // Of several, one can be a leftover.
      if (lock === undefined || [lock, ...others].some((path) => changed.has(path))) return [];
      if ([...changed].some((path) => isVariant(path, lock))) return [];
      const isLocked = ({ name, range }: Dependency): boolean =>
        released.has(range.replace(/^\D+/, "")) ||
        (ACCEPT_LOCKED_VERSION.has(baseName(lock)) && isInLock(name, file.path, dependencies));
      const dependency = changedDependency(file, manifest, isLocked);
      return dependency === null ? [] : [{ path: file.path, lock, ...dependency }];
    });
    const [first] = found;
    if (first === undefined) return;
    const { path, lock, line, name } = first;
    const more = found.length - 1;
    yield {
      path,
      line,
      title: `Outdated lock file: ${packageOr(name, "a dependency")} changes, but ${nameOr(baseName(lock), "the lock file")} doesn't`,
      ...(more === 0
        ? {}
        : { detail: `${count(more, "more manifest")} in this change ${more === 1 ? "is" : "are"} alike.` }),
    };
  },
};

/** The lock files next to the manifest, and shared ones in the folders above. */
function locksOf(path: string, { locks }: Manifest, paths: ReadonlySet<string>): readonly string[] {
  const folders = path.split("/").slice(0, -1);
  return Array.from(folders.keys(), (depth) => depth)
    .concat(folders.length)
    .toReversed()
    .flatMap((depth) =>
      locks
        .filter((name) => depth === folders.length || SHARED_LOCKS.has(name))
        .map((name) => [...folders.slice(0, depth), name].join("/")),
    )
    .filter((lock) => paths.has(lock));
}

/** Another lock file of the same manifest, such as `Gemfile.next.lock` for the next version of a framework. */
function isVariant(path: string, lock: string): boolean {
  const [stem = "", extension = ""] = lock.split(/(?=\.[^./]+$)/);
  return (
    path.startsWith(stem) &&
    /^[._-][\w-]+$/.test(path.slice(stem.length, -extension.length)) &&
    path.endsWith(extension)
  );
}

/** The versions that a manifest of the change gives its own package now. */
function ownVersions({ path, added }: FileView): readonly string[] {
  if (MANIFESTS[baseName(path)] === undefined) return [];
  return added.flatMap(
    ({ text }) => /^\s{0,4}"?version"?\s*[:=]\s*"(\d[\w.+-]{0,60})"/.exec(text)?.[1] ?? [],
  );
}

/** Whether the lock file, which the change doesn't touch, selects a version that the manifest allows. */
function isInLock(name: string, path: string, report: ChangeView["dependencies"]): boolean {
  const known = report?.packages.find(
    ({ change }) => change.name === name && change.places.some((place) => place.path === path),
  );
  // Only a lock file has checksums.
  const isSelected = known?.change.to?.integrity != null;
  return isSelected && report?.disagreements.some((each) => each.name === name) === false;
}

type Dependency = { readonly name: string; readonly range: string; readonly line: number };

/** The first dependency that is new or has another range. */
function changedDependency(
  { file }: FileView,
  manifest: Manifest,
  isLocked: (dependency: Dependency) => boolean,
): Dependency | null {
  const before = new Map<string, string>();
  const after: Dependency[] = [];
  for (const hunk of file.hunks) {
    let isOther = false;
    for (const { kind, text, newLine } of walkHunk(hunk)) {
      if (SECTION.test(text)) isOther = OTHER_SECTION.test(text);
      const [, name = "", range = ""] = manifest.entry.exec(text) ?? [];
      if (isOther || name === "" || NO_DEPENDENCY.test(name)) continue;
      if (kind !== "added") before.set(name, range);
      else if (newLine !== null) after.push({ name, range, line: newLine });
    }
  }
  return (
    after.find((dependency) => {
      if (isLocked(dependency)) return false;
      const { name, range } = dependency;
      const old = before.get(name);
      if (old === undefined) return true;
      return manifest.locksVersionsOnly === true ? compatible(old) !== compatible(range) : old !== range;
    }) ?? null
  );
}

/** The part of a version that a range keeps: "1" of "1.4.2", "0.3" of "0.3.7". */
function compatible(range: string): string {
  return /(?:0\.)*\d+/.exec(range)?.[0] ?? range;
}
