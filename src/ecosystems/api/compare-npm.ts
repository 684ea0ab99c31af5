/** Compares the APIs of two versions of an npm package: by their declarations where both have them, else by the names in their code. */
import semver from "semver";
import type { Syntax } from "../../syntax/syntax.ts";
import type { PackageSource } from "../../languages/api/package-source.ts";
import type { ApiChange, ApiDifference, ApiFact } from "../../languages/api/api-difference.ts";
import { isWithin } from "./is-within.ts";
import { compareSurfaces } from "../../languages/api/compare-surfaces.ts";
import type { ApiGap, EntryPoint } from "../../languages/api/surface.ts";
import { createModuleLinker, type ModuleLinker } from "../../languages/javascript/api/link-modules.ts";
import { openPackage, type PackageFiles } from "../../languages/javascript/api/package-files.ts";

/** A package without an `exports` map has a path per file; this many removed ones say enough. */
const MAX_REMOVED_PATHS = 2_000;

type Side = {
  readonly files: PackageSource;
  readonly pack: PackageFiles;
  readonly linkers: { readonly types: ModuleLinker; readonly code: ModuleLinker };
};

export function compareNpm(
  name: string,
  archives: { readonly before: PackageSource; readonly after: PackageSource },
  syntax: Syntax,
): Omit<ApiDifference, "omittedCount"> {
  const before = openSide(archives.before, name, syntax);
  const after = openSide(archives.after, name, syntax);
  const gaps: ApiGap[] = [];
  const old = new Map<string, EntryPoint>();
  const now = new Map<string, EntryPoint>();
  const forms = new Set<"types" | "code">();
  for (const [entry, was] of before.pack.entries) {
    const is = after.pack.entries.get(entry);
    if (is === undefined) continue;
    const form = was.types !== null && is.types !== null ? "types" : "code";
    const [from, to] = [was[form], is[form]];
    if (from === null || to === null) {
      gaps.push({ reason: "no-common-form", where: entry });
      continue;
    }
    forms.add(form);
    old.set(entry, form === "types" ? before.linkers.types.entryPoint(from, entry) : readCode(before, entry));
    now.set(entry, form === "types" ? after.linkers.types.entryPoint(to, entry) : readCode(after, entry));
  }
  for (const { pack } of [before, after]) {
    if (pack.isCut) gaps.push({ reason: "limit", where: "exports" });
    if (pack.entries.size === 0) gaps.push({ reason: "no-source", where: name });
  }
  const { changes: found, addedCount, comparedCount } = compareSurfaces(old, now, { isComplete: false });
  const changes = found.map((change) => judgeByCode(change, before, after));
  const linked = [before, after].flatMap(({ linkers }) => [
    ...linkers.types.listGaps(),
    ...linkers.code.listGaps(),
  ]);
  return {
    changes,
    facts: factsOf(before.pack, after.pack, archives),
    addedCount,
    comparedCount,
    basis: forms.size > 1 ? "mixed" : forms.has("code") ? "code" : "declarations",
    gaps: [...gaps, ...linked],
  };
}

/** The names of both builds: what `import` loads, and what `require` loads. */
function readCode({ pack, linkers }: Side, entry: string): EntryPoint {
  const { code, required } = pack.entries.get(entry) ?? { code: null, required: null };
  const paths = new Set([code, required].filter((path) => path !== null));
  const points = [...paths].map((path) => linkers.code.entryPoint(path, entry));
  return {
    names: new Map(points.toReversed().flatMap(({ names }) => [...names])),
    isOpen: points.length === 0 || points.some(({ isOpen }) => isOpen),
  };
}

/** A declaration can go while the code still exports the value, or be there without the value. Then only the type checker notices. */
function judgeByCode(change: ApiChange, before: Side, after: Side): ApiChange {
  const { entry, name, kind } = change;
  if (kind === "type" || change.change.kind === "changed" || name.includes(".")) return change;
  const was = before.pack.entries.get(entry);
  const is = after.pack.entries.get(entry);
  if (was?.types == null || is?.types == null || was.code === null || is.code === null) return change;
  const isExported = (side: Side): boolean | null => {
    const { names, isOpen } = readCode(side, entry);
    return names.has(name) ? true : isOpen ? null : false;
  };
  const isTypeOnly = isExported(after) === true || isExported(before) === false;
  return isTypeOnly ? { ...change, kind: "type" } : change;
}

function openSide(files: PackageSource, name: string, syntax: Syntax): Side {
  const pack = openPackage(files, name);
  const types = createModuleLinker(files, pack, { form: "types", syntax });
  const code = createModuleLinker(files, pack, { form: "code", syntax });
  return { files, pack, linkers: { types, code } };
}

function factsOf(
  before: PackageFiles,
  after: PackageFiles,
  archives: { readonly before: PackageSource; readonly after: PackageSource },
): readonly ApiFact[] {
  const facts: ApiFact[] = [];
  // An archive without entry points wasn't understood, and proves nothing.
  if (after.entries.size > 0) {
    for (const entry of removedPaths(before, after, archives.before))
      facts.push({ kind: "entry-removed", entry, isFile: !before.entries.has(entry) });
    for (const [entry, { required }] of before.entries) {
      const now = after.entries.get(entry);
      if (required !== null && now?.code != null && now.required === null)
        facts.push({ kind: "require-dropped", entry });
    }
  }
  const [from, to] = [before.manifest.node, after.manifest.node];
  if (to !== null && isRaised(from, to)) facts.push({ kind: "engine-raised", engine: "node", from, to });
  for (const command of before.manifest.commands)
    if (!after.manifest.commands.includes(command)) facts.push({ kind: "command-removed", command });
  for (const [peer, range] of after.manifest.peers) {
    const old = before.manifest.peers.get(peer) ?? null;
    if (old === null || !isWithin(old, range))
      facts.push({ kind: "peer-narrowed", peer, from: old, to: range });
  }
  return facts;
}

/** Every specifier that users could import before and can't now. */
function removedPaths(before: PackageFiles, after: PackageFiles, files: PackageSource): ReadonlySet<string> {
  const { name } = before.manifest;
  const removed = new Set<string>();
  const check = (path: string): void => {
    const specifier = path === "" ? name : `${name}/${path}`;
    if (removed.size < MAX_REMOVED_PATHS && !after.entries.has(specifier) && !after.canImport(path))
      removed.add(specifier);
  };
  for (const entry of before.entries.keys()) check(entry.slice(name.length + 1));
  if (before.manifest.isClosed) return removed;
  for (const path of files.keys()) {
    const script =
      /^(?!(?:.{0,200}\/)?(?:node_modules|tests?|__tests__|examples?|docs)\/)(.+)\.[cm]?js$/.exec(path);
    if (script === null) continue;
    check(path);
    if (path.endsWith(".js")) check(path.slice(0, -3));
    if (path.endsWith("/index.js")) check(path.slice(0, -"/index.js".length));
  }
  return removed;
}

function isRaised(from: string | null, to: string): boolean {
  const lowest = (range: string): semver.SemVer | null => {
    try {
      return semver.minVersion(range);
    } catch {
      return null;
    }
  };
  const now = lowest(to);
  const was = from === null ? null : lowest(from);
  if (now === null || (from !== null && was === null)) return false;
  return semver.gt(now, was ?? "0.0.0");
}
