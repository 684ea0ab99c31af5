/** Manifests and lockfiles that contradict each other at the head and didn't at the base. */
import { appendTo } from "../base/append-to.ts";
import type { DependencyFile, Listed } from "./ecosystem.ts";
import { lazily } from "./formats/needs.ts";
import type { Disagreement } from "./package-change.ts";
import type { ComparedFile } from "./read-pair.ts";
import { versionOf } from "./pair-versions.ts";
import { ecosystemOf } from "./all-ecosystems.ts";
import { lockOf, folderOf } from "./governing-lock.ts";

export function findDisagreements(files: readonly ComparedFile[]): readonly Disagreement[] {
  const locks = files.filter(({ format }) => format.kind === "lockfile");
  const known = {
    base: lazily(() => namesInNpm(files, "base")),
    head: lazily(() => namesInNpm(files, "head")),
  };
  return files.flatMap((manifest) => {
    if (manifest.format.kind !== "manifest") return [];
    if (manifest.head?.isComplete === true) return findUnchecked(manifest, locks);
    const lock = lockOf(manifest, locks);
    if (lock === null) return [];
    const compare = (side: "base" | "head"): readonly Disagreement[] => [
      ...compareSides(manifest, lock, side),
      ...findUnrequested(manifest, lock, { side, known: known[side] }),
    ];
    const before = new Set(compare("base").map(({ name }) => name));
    return compare("head").filter(({ name }) => !before.has(name));
  });
}

/** Versions that a manifest selects now, without a checksum in the lockfile of its folder. */
function findUnchecked(manifest: ComparedFile, locks: readonly ComparedFile[]): readonly Disagreement[] {
  const lock = locks.find(
    ({ path, head }) => folderOf(path) === folderOf(manifest.path) && head?.checksums !== undefined,
  );
  const checksums = lock?.head?.checksums;
  if (lock === undefined || checksums === undefined) return [];
  const before = new Set(manifest.base?.listed.map(({ name, version }) => `${name} ${version}`));
  return (manifest.head?.listed ?? []).flatMap(({ name, version, origin }): readonly Disagreement[] => {
    const id = `${name} ${version}`;
    const isChecked = checksums.has(id) || checksums.has(`${id}/go.mod`);
    if (!name.includes("/") || version === null || origin.kind !== "registry") return [];
    if (before.has(id) || isChecked) return [];
    return [{ manifest: manifest.path, lockfile: lock.path, name, requested: version, locked: null }];
  });
}

/** Finds requests that a lockfile of npm records for this manifest, and that no manifest makes. Other manifests can't be read so completely. */
function findUnrequested(
  manifest: ComparedFile,
  lock: ComparedFile,
  { side, known }: { readonly side: "base" | "head"; readonly known: () => ReadonlySet<string> },
): readonly Disagreement[] {
  const { ecosystem, name: format } = manifest.format;
  if (ecosystem !== "npm" || format !== "package.json" || manifest[side] === null) return [];
  const folder = folderBelow(manifest, lock);
  const unknown = (lock[side]?.requested ?? []).filter(
    (each) => each.folder === folder && !known().has(each.name),
  );
  const paths = { manifest: manifest.path, lockfile: lock.path };
  return unknown.map(({ name, requirement }) => ({ ...paths, name, requested: null, locked: requirement }));
}

/** All that the manifests of npm's packages name. */
function namesInNpm(files: readonly ComparedFile[], side: "base" | "head"): ReadonlySet<string> {
  const manifests = files.filter(({ format }) => format.kind === "manifest" && format.ecosystem === "npm");
  return new Set(manifests.flatMap((each) => each[side]?.listed.map(({ name }) => name) ?? []));
}

const folderBelow = (manifest: ComparedFile, lock: ComparedFile): string =>
  folderOf(manifest.path).slice(folderOf(lock.path).length).replace(/\/$/, "");

function compareSides(
  manifest: ComparedFile,
  lock: ComparedFile,
  side: "base" | "head",
): readonly Disagreement[] {
  const [asked, locked] = [manifest[side], lock[side]];
  if (asked === null || locked === null) return [];
  const folder = folderBelow(manifest, lock);
  const paths = { manifest: manifest.path, lockfile: lock.path };
  const byName = requestsOf(locked, folder);
  // A lockfile that records what its folders request, and nothing of this one, is of another project.
  if (locked.requested !== null && folder !== "" && byName === null) return [];
  if (manifest.format.name === "pnpm-workspace.yaml" && lock.format.name !== "pnpm-lock.yaml") return [];
  const versions = versionsOf(locked);
  const forced = new Set(asked.listed.flatMap(({ name, isIndirect }) => (isIndirect === true ? [name] : [])));
  return asked.listed.flatMap((entry): readonly Disagreement[] => {
    const { name, requirement, group, origin } = entry;
    // Peers aren't always installed, Python's lockfiles don't have build tools, and other origins have no version to compare.
    const isLocked = group !== "peer" && !(group === "build" && manifest.format.ecosystem === "pypi");
    if (requirement === null || !isLocked || origin.kind !== "registry") return [];
    if (requirement.startsWith("catalog:")) return [];
    const found = { ...paths, name, requested: requirement };
    const recorded = byName?.get(name) ?? [];
    const isRecorded = recorded.some((each) => isSameRange(each, requirement));
    const selected = versions.get(name) ?? [];
    // An override selects what a range doesn't allow.
    if (isRecorded && (forced.has(name) || recorded.length > 1 || selected.length === 0)) return [];
    if (isRecorded && selected.some((version) => accepts(manifest, entry, version, true))) return [];
    // A record that differs does no harm as long as the selected version is in the range.
    if (selected.some((version) => accepts(manifest, entry, version, byName === null))) return [];
    if (selected.length === 0 && (group === "optional" || entry.isOutsideLock === true)) return [];
    return [{ ...found, locked: selected[0] ?? null }];
  });
}

/** A range that isn't understood is accepted, unless the lockfile recorded another one. */
function accepts(
  { format }: ComparedFile,
  { requirement }: Listed,
  version: string,
  isUnknownAccepted: boolean,
): boolean {
  return ecosystemOf(format.ecosystem).order.satisfies(version, requirement ?? "") ?? isUnknownAccepted;
}

function requestsOf(lock: DependencyFile, folder: string): ReadonlyMap<string, readonly string[]> | null {
  if (lock.requested === null) return null;
  const requests = new Map<string, string[]>();
  for (const each of lock.requested) {
    if (each.folder !== folder) continue;
    appendTo(requests, each.name, each.requirement);
  }
  // A lockfile that records nothing for this folder isn't this manifest's.
  return requests.size === 0 ? null : requests;
}

function versionsOf({ listed }: DependencyFile): ReadonlyMap<string, readonly string[]> {
  const versions = new Map<string, string[]>();
  for (const entry of listed) appendTo(versions, entry.name, versionOf(entry));
  return versions;
}

const isSameRange = (one: string, other: string): boolean => normalized(one) === normalized(other);

/** Tools write the same range with other spaces and in another order. */
const normalized = (range: string): string => range.replace(/\s+/g, "").split(",").toSorted().join(",");
