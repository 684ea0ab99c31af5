/** Compares the entries of one file at base and head, name by name, as sets of versions. */
import type { EcosystemId, Listed, Origin } from "./ecosystem.ts";
import { isIntegrityCompatible, isIntegrityWeakened } from "./integrity.ts";
import { isPublicRegistry } from "./privacy.ts";
import { ecosystemOf } from "./all-ecosystems.ts";
import { lowestNamed } from "./versions/step-between.ts";

/** An entry that became another; null on one side when it was added or removed. */
export type ListedPair =
  | { readonly from: Listed; readonly to: Listed }
  | { readonly from: null; readonly to: Listed }
  | { readonly from: Listed; readonly to: null };

/** The version that an entry selects or at least names. A comment's version is what people call a commit. */
export function versionOf({ saidVersion, version, requirement, origin }: Listed): string {
  if (saidVersion !== undefined) return saidVersion;
  if (version !== null) return version;
  if (requirement !== null) return lowestNamed(requirement) ?? requirement;
  return origin.kind === "git" ? (origin.ref ?? "") : "";
}

export const refOf = (origin: Origin): string => (origin.kind === "git" ? (origin.ref ?? "") : "");

/** Entries with equal identities are the same version, whatever else differs. */
const identityOf = (entry: Listed): string =>
  `${entry.version ?? ""}\u0000${entry.requirement ?? ""}\u0000${refOf(entry.origin)}`;

/** Everything that a comparison looks at. */
const isUnchanged = (one: Listed, other: Listed): boolean =>
  one.key === other.key &&
  one.version === other.version &&
  one.requirement === other.requirement &&
  one.integrity === other.integrity &&
  one.hasInstallScript === other.hasInstallScript &&
  one.origin.kind === other.origin.kind &&
  urlOf(one.origin) === urlOf(other.origin) &&
  refOf(one.origin) === refOf(other.origin);

export function urlOf(origin: Origin): string | null {
  return origin.kind === "local" ? origin.path : origin.url;
}

/** Entries of other names than `changedNames` are the same on both sides. */
export function pairVersions(
  ecosystem: EcosystemId,
  { base, head }: { readonly base: readonly Listed[]; readonly head: readonly Listed[] },
  changedNames: ReadonlySet<string>,
): readonly ListedPair[] {
  const before = byName(base, changedNames);
  const after = byName(head, changedNames);
  const pairs: ListedPair[] = [];
  const file = { ecosystem, isChecked: isChecked(head) };
  for (const [name, entries] of after) {
    const earlier = before.get(name) ?? [];
    if (!areEqual(earlier, entries)) pairs.push(...pairEntries(file, earlier, entries));
  }
  for (const [name, entries] of before) {
    if (!after.has(name)) pairs.push(...pairEntries(file, entries, []));
  }
  return pairs;
}

type FileFacts = { readonly ecosystem: EcosystemId; readonly isChecked: boolean };

/** Nearly all entries have a checksum, so that one without is an exception. */
export function isChecked(entries: readonly Listed[]): boolean {
  const all = { count: 0, without: 0 };
  const addressed = { count: 0, without: 0 };
  for (const { origin, group, integrity } of entries) {
    if (origin.kind !== "registry" || group === "optional") continue;
    const without = integrity === null ? 1 : 0;
    all.count += 1;
    all.without += without;
    if (origin.url === null) continue;
    addressed.count += 1;
    addressed.without += without;
  }
  // npm sometimes loses the address with the checksum.
  const { count, without } = addressed.count > all.count / 2 ? addressed : all;
  return count > without && without <= Math.max(1, count * 0.1);
}

/** Packages of the repository itself aren't dependencies. */
function byName(
  entries: readonly Listed[],
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, readonly Listed[]> {
  const names = new Map<string, Listed[]>();
  for (const entry of entries) {
    if (entry.origin.kind === "local" || !wanted.has(entry.name)) continue;
    const known = names.get(entry.name);
    if (known === undefined) names.set(entry.name, [entry]);
    else known.push(entry);
  }
  return names;
}

function areEqual(base: readonly Listed[], head: readonly Listed[]): boolean {
  return (
    base.length === head.length &&
    base.every((entry, at) => {
      const other = head[at];
      return other !== undefined && isUnchanged(entry, other);
    })
  );
}

/**
 * Comparing each version that came with each that is gone takes quadratic time. No real project changes this many versions of one
 * package, so beyond this they are added and removed.
 */
const MAX_GONE = 200;

function pairEntries(
  file: FileFacts,
  base: readonly Listed[],
  head: readonly Listed[],
): readonly ListedPair[] {
  const [before, after] = [byIdentity(base), byIdentity(head)];
  const gone = [...before].filter(([identity]) => !after.has(identity)).map(([, entry]) => entry);
  const come = [...after].filter(([identity]) => !before.has(identity)).map(([, entry]) => entry);
  const pairs: ListedPair[] = pairSources(file, base, head);
  if (gone.length > MAX_GONE || come.length > MAX_GONE) return [...pairs, ...unpaired(gone, come)];
  const isOnlyChange = gone.length === 1 && come.length === 1;
  const [placesBefore, placesAfter] = [placesOf(base), placesOf(head)];
  const isSamePlace = (from: Listed, to: Listed): boolean => {
    const places = placesBefore.get(identityOf(from));
    return [...(placesAfter.get(identityOf(to)) ?? [])].some((place) => places?.has(place) === true);
  };
  // The surest pairs come first, so that none of them loses its other half to a guess.
  for (const nearest of [
    (to: Listed) => gone.findIndex((from) => isSamePlace(from, to)),
    (to: Listed) => nearestLower(file.ecosystem, to, gone, isSameLine),
    (to: Listed) => nearestLower(file.ecosystem, to, gone, () => true),
  ]) {
    for (const to of come.splice(0)) {
      const at = nearest(to);
      const [from] = at === -1 ? [] : gone.splice(at, 1);
      if (from === undefined) come.push(to);
      else pairs.push({ from, to });
    }
  }
  // A version that went down is the same dependency only when there was nothing to choose from.
  const [from, to] = [gone[0], come[0]];
  return isOnlyChange && from !== undefined && to !== undefined
    ? [...pairs, { from, to }]
    : [...pairs, ...unpaired(gone, come)];
}

/** The first of several entries counts: a manifest lists what it requests before the versions that it forces. */
function byIdentity(entries: readonly Listed[]): ReadonlyMap<string, Listed> {
  const found = new Map<string, Listed>();
  for (const entry of entries) {
    const identity = identityOf(entry);
    if (!found.has(identity)) found.set(identity, entry);
  }
  return found;
}

const unpaired = (gone: readonly Listed[], come: readonly Listed[]): readonly ListedPair[] => [
  ...come.map((to) => ({ from: null, to })),
  ...gone.map((from) => ({ from, to: null })),
];

/** Where a file has each version. Several places can share one. */
function placesOf(entries: readonly Listed[]): ReadonlyMap<string, ReadonlySet<string>> {
  const places = new Map<string, Set<string>>();
  for (const entry of entries) {
    const identity = identityOf(entry);
    const known = places.get(identity) ?? new Set();
    places.set(identity, known.add(`${entry.key}\u0000${entry.group}`));
  }
  return places;
}

/** The same version in the same place, with other bytes or from elsewhere. */
function pairSources(file: FileFacts, base: readonly Listed[], head: readonly Listed[]): ListedPair[] {
  const pairs = new Map<string, ListedPair>();
  const placeOf = (entry: Listed): string => `${entry.key}\u0000${identityOf(entry)}`;
  // The first of several in one place counts.
  const before = new Map(base.toReversed().map((entry) => [placeOf(entry), entry]));
  for (const to of head) {
    const from = before.get(placeOf(to));
    if (from === undefined || !isSourceChanged(file, from, to)) continue;
    pairs.set(identityOf(to), { from, to });
  }
  return [...pairs.values()];
}

/** A side without an address says nothing about it: a lockfile may be written with or without those of the public registry. */
function isSourceChanged({ ecosystem, isChecked }: FileFacts, from: Listed, to: Listed): boolean {
  if (from.origin.kind !== to.origin.kind) return true;
  const [before, after] = [urlOf(from.origin), urlOf(to.origin)];
  if (before !== null && after !== null && bareUrl(before) !== bareUrl(after)) return true;
  if (isEncrypted(before) && !isEncrypted(after)) return true;
  if (before === null && after !== null && !isPublicRegistry(after, ecosystem)) return true;
  if (isChecked && from.integrity !== null && to.integrity === null) return true;
  if (from.hasInstallScript === false && to.hasInstallScript === true) return true;
  return (
    !isIntegrityCompatible(from.integrity, to.integrity) || isIntegrityWeakened(from.integrity, to.integrity)
  );
}

const isEncrypted = (url: string | null): boolean => !/^(?:[a-z]+\+)?http:/i.test(url ?? "");

const bareUrl = (url: string): string =>
  url
    .replace(/^[a-z+]+:\/\//i, "")
    .replace(/#.*$/s, "")
    .replace(/\.git$|\/$/, "");

type Compare = (one: readonly number[] | null, other: readonly number[] | null) => boolean;

/** The same major, or below 1.0 the same minor: the versions that one request can move between. */
const isSameLine: Compare = (one, other) =>
  one !== null &&
  other !== null &&
  one[0] === other[0] &&
  one[1] === other[1] &&
  (one[1] !== 0 || one[2] === other[2]);

/** The index of the highest version that is lower, of those that may have become it; -1 for none. */
function nearestLower(
  ecosystem: EcosystemId,
  entry: Listed,
  gone: readonly Listed[],
  mayBecome: Compare,
): number {
  const { compare, numbersOf } = ecosystemOf(ecosystem).order;
  const numbers = numbersOf(versionOf(entry));
  let nearest = -1;
  for (const [at, candidate] of gone.entries()) {
    const version = versionOf(candidate);
    if ((compare(version, versionOf(entry)) ?? 1) > 0 || !mayBecome(numbersOf(version), numbers)) continue;
    const current = gone[nearest];
    if (current === undefined || (compare(version, versionOf(current)) ?? -1) > 0) nearest = at;
  }
  return nearest;
}
