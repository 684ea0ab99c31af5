/**
 * Compares manifests and lockfiles at base and head as data. Lockfiles say which versions are used, manifests which were asked
 * for; a package that both name is one change with several places.
 */
import { createChainFinder } from "./find-chains.ts";
import { findDisagreements } from "./find-disagreements.ts";
import { folderOf, hasOnlyChecksums, lockOf } from "./governing-lock.ts";
import { joinChanges } from "./join-changes.ts";
import { pairChecksums } from "./pair-checksums.ts";
import type { DependencyFile, DependencyGroup, EcosystemId, Listed } from "./ecosystem.ts";
import type {
  BumpKind,
  DependencyChanges,
  PackageChange,
  PackagePlace,
  PackageVersion,
} from "./package-change.ts";
import { createSignalFinder } from "./supply-chain/find-file-signals.ts";
import type { Signal } from "./supply-chain/signal.ts";
import { pairMajors } from "./pair-majors.ts";
import { type ListedPair, pairVersions, versionOf } from "./pair-versions.ts";
import { type ComparedFile, openPair, type PairReading } from "./read-pair.ts";
import { createRequestResolver, type RequestResolver } from "./resolve-request.ts";
import { stepBetween } from "./versions/step-between.ts";

/** A package that occurs in every workflow of a large repository has hundreds of places. */
const MAX_PLACES = 20;

/** Compares the files of one ecosystem, or some of them: fewer files know less about each other. */
export function comparePairs(pairs: readonly PairReading[]): DependencyChanges {
  const unread = pairs.flatMap((pair) => pair.unread);
  const files = pairs.flatMap((pair) => openPair(pair) ?? []);
  // A side that couldn't be read has unknown packages, so it isn't compared with none.
  const unreadPaths = new Set(unread.map(({ path }) => path));
  const found = files.flatMap((file) => (unreadPaths.has(file.path) ? [] : changesOf(file, files)));
  const findChain = createChainFinder(files);
  const findSignals = createSignalFinder(files);
  const isUnlisted = createUnlistedFinder(files);
  const packages = mergeChanges(found, files).map((merged): PackageChange => {
    const bare = toChange(merged);
    const chain = bare.isDirect === true ? [bare.name] : findChain(bare);
    const isDirect =
      bare.isDirect ?? (chain.length > 0 ? chain.length === 1 : isUnlisted(merged) ? false : null);
    const isAsked = isInManifest(merged);
    const signals = merged.found.flatMap(({ file, pair }) =>
      findSignals({ file, ...pair, isAsked, isDirect }),
    );
    return { ...bare, chain, isDirect, signals: uniqueSignals(signals) };
  });
  return joinChanges([{ packages: pairMajors(packages), disagreements: findDisagreements(files), unread }]);
}

/** One difference in one file. */
type FoundChange = { readonly file: ComparedFile; readonly pair: ListedPair };

function changesOf(file: ComparedFile, files: readonly ComparedFile[]): readonly FoundChange[] {
  const { base, head, format, changedNames } = file;
  if (base === head) return [];
  const listed = { base: base?.listed ?? [], head: head?.listed ?? [] };
  const pairs = hasOnlyChecksums(file, files) ? [] : pairVersions(format.ecosystem, listed, changedNames);
  const real = format.hasOtherVersions === true ? pairs.filter((pair) => !isDowngrade(file, pair)) : pairs;
  return [...real, ...pairChecksums(base, head)].map((pair) => ({ file, pair }));
}

const isDowngrade = ({ format: { ecosystem } }: ComparedFile, { from, to }: ListedPair): boolean =>
  kindOf({ ecosystem, from, to }).kind === "downgrade";

/** Whether only a file with checksums has a package, and the manifest next to that file doesn't request it. */
function createUnlistedFinder(files: readonly ComparedFile[]): (merged: Merged) => boolean {
  /** Null without a manifest. */
  const requested = new Map<ComparedFile, ReadonlySet<string> | null>();
  const requestedNextTo = ({ path, format: { ecosystem } }: ComparedFile): ReadonlySet<string> | null => {
    const manifests = files.filter(
      ({ path: other, format }) =>
        format.kind === "manifest" && format.ecosystem === ecosystem && folderOf(other) === folderOf(path),
    );
    const entries = manifests.flatMap(({ base, head }) => (head ?? base)?.listed ?? []);
    const direct = entries.filter(({ isIndirect }) => isIndirect !== true);
    return entries.length === 0 ? null : new Set(direct.map(({ name }) => name));
  };
  return ({ file, from, to }) => {
    if (file.format.hasOtherVersions !== true) return false;
    const names = requested.get(file) ?? requestedNextTo(file);
    requested.set(file, names);
    return names?.has((to ?? from)?.name ?? "") === false;
  };
}

type Merged = {
  readonly file: ComparedFile;
  readonly from: Listed | null;
  readonly to: Listed | null;
  /** The manifest's entries, when a lockfile selects the version. */
  readonly asked: { from: Listed | null; to: Listed | null };
  readonly places: PackagePlace[];
  /** Everything that was merged. */
  readonly found: FoundChange[];
};

function mergeChanges(found: readonly FoundChange[], files: readonly ComparedFile[]): readonly Merged[] {
  const locks = files.filter(({ format }) => format.kind === "lockfile");
  const resolve = createRequestResolver();
  const changed = new Set(found.map(({ file }) => file));
  const governing = new Map([...changed].map((file) => [file, lockOf(file, locks)]));
  /** By ecosystem and name, then by both versions. */
  const merged = new Map<string, Map<string, Merged>>();
  const changesOfPackage = ({ file, pair }: FoundChange): Map<string, Merged> => {
    const key = `${file.format.ecosystem}\u0000${(pair.to ?? pair.from).name}`;
    const known = merged.get(key) ?? new Map<string, Merged>();
    merged.set(key, known);
    return known;
  };
  const add = (change: FoundChange): Merged => {
    const { file, pair } = change;
    const known = changesOfPackage(change);
    const key = `${sideKey(pair.from)}\u0000${sideKey(pair.to)}`;
    const entry = known.get(key) ?? { file, ...pair, asked: { from: null, to: null }, places: [], found: [] };
    known.set(key, entry);
    return entry;
  };
  const [inLocks, inManifests] = [
    found.filter(({ file }) => file.format.kind === "lockfile"),
    found.filter(({ file }) => file.format.kind === "manifest"),
  ];
  for (const change of inLocks) addPlace(add(change), change);
  for (const change of inManifests) {
    const { file, pair } = change;
    const lock = governing.get(file) ?? null;
    const target = add({ file: lock ?? file, pair: lock === null ? pair : lockedPair(pair, lock, resolve) });
    target.asked.from = requestOf(target.asked.from, pair.from);
    target.asked.to = requestOf(target.asked.to, pair.to);
    addPlace(target, change);
  }
  for (const changes of merged.values()) {
    for (const whole of changes.values()) absorbHalves(whole, changes);
  }
  return [...merged.values()].flatMap((changes) => [...changes.values()]);
}

/** A version that a manifest only forces on others says nothing about who requests it. */
const requestOf = (known: Listed | null, other: Listed | null): Listed | null =>
  known === null || (known.isIndirect === true && other !== null) ? other : known;

const isInManifest = ({ found }: Merged): boolean =>
  found.some(({ file }) => file.format.kind === "manifest");

const sideKey = (entry: Listed | null): string =>
  entry === null ? "" : `${versionOf(entry)}\u0000${entry.origin.kind === "git" ? entry.origin.ref : ""}`;

/** A manifest's change as a change of the version that its lockfile selects for it, if it selects one. */
function lockedPair(
  pair: ListedPair,
  { format, base, head }: ComparedFile,
  resolve: RequestResolver,
): ListedPair {
  const { ecosystem } = format;
  // Forcing a version on others neither adds nor removes the package.
  const known = pair.to ?? pair.from;
  const inLock = (request: Listed | null, file: DependencyFile | null): Listed | null => {
    if (request !== null) return resolve(ecosystem, request, file) ?? request;
    return known.isIndirect === true ? (resolve(ecosystem, known, file) ?? null) : null;
  };
  const [from, to] = [inLock(pair.from, base), inLock(pair.to, head)];
  if (to === null) return from === null ? pair : { from, to };
  if (from === null) return { from, to };
  // Equal objects mean that only the request changed.
  return sideKey(from) === sideKey(to) ? { from: to, to } : { from, to };
}

/**
 * The old version can stay in a lockfile, and the new one can have been there: the lockfile alone shows half of such a change. A manifest that
 * forces the version on others too shows the same half.
 */
function absorbHalves(whole: Merged, changes: Map<string, Merged>): void {
  if (whole.from === null || whole.to === null) return;
  for (const [key, half] of changes) {
    if (half.from !== null && half.to !== null) continue;
    const isForced = (half.asked.to ?? half.asked.from)?.isIndirect === true;
    const isSameSide =
      half.from === null
        ? sideKey(half.to) === sideKey(whole.to)
        : sideKey(half.from) === sideKey(whole.from);
    // Without a lockfile, a range and the version that is forced have no version in common.
    const isSameManifest = isForced && half.file === whole.file && half.file.format.kind === "manifest";
    if (!(isSameSide && (isForced || isInManifest(whole))) && !isSameManifest) continue;
    whole.places.push(...half.places.slice(0, MAX_PLACES - whole.places.length));
    whole.found.push(...half.found);
    changes.delete(key);
  }
}

function addPlace({ places, found }: Merged, change: FoundChange): void {
  const {
    file: { path, format },
    pair: { from, to },
  } = change;
  found.push(change);
  if (places.length >= MAX_PLACES) return;
  const shown = (entry: Listed | null): string | null =>
    entry === null ? null : (entry.requirement ?? entry.version ?? versionOf(entry));
  const line = format.kind === "lockfile" ? 0 : (to ?? from)?.line;
  places.push({ path, line: line ?? 0, from: shown(from), to: shown(to) });
}

/** One package is often in several files that show the same. */
function uniqueSignals(signals: readonly Signal[]): readonly Signal[] {
  const unique = new Map<string, Signal>();
  for (const signal of signals) {
    const key = `${signal.kind}\u0000${signal.from}\u0000${signal.to}`;
    if (!unique.has(key)) unique.set(key, signal);
  }
  return [...unique.values()];
}

function toChange({ file, from, to, asked, places }: Merged): PackageChange {
  const { ecosystem } = file.format;
  const entry = to ?? from;
  const direct = asked.to ?? asked.from ?? (file.format.kind === "manifest" ? entry : null);
  return {
    ecosystem,
    name: entry?.name ?? "",
    from: from === null ? null : toVersion(from, asked.from),
    to: to === null ? null : toVersion(to, asked.to),
    ...kindOf({ ecosystem, from, to }),
    group: groupOf(direct ?? entry),
    chain: [],
    // The lockfile knows whether a version that is forced on others is requested too.
    isDirect:
      direct === null || (direct.isIndirect === true && file.format.kind === "lockfile")
        ? null
        : direct.isIndirect !== true,
    // People edit manifests, so those come first.
    places: places.toSorted((one, other) => Number(one.line === 0) - Number(other.line === 0)),
    signals: [],
  };
}

const groupOf = (entry: Listed | null): DependencyGroup => entry?.group ?? "runtime";

function toVersion(entry: Listed, asked: Listed | null): PackageVersion {
  const { origin, integrity, hasInstallScript } = entry;
  const requirement = asked?.requirement ?? entry.requirement;
  return { version: versionOf(entry), requirement, origin, integrity, hasInstallScript };
}

function kindOf({
  ecosystem,
  from,
  to,
}: {
  readonly ecosystem: EcosystemId;
  readonly from: Listed | null;
  readonly to: Listed | null;
}): { readonly kind: BumpKind; readonly isBreaking: boolean } {
  if (from === null) return { kind: "added", isBreaking: false };
  if (to === null) return { kind: "removed", isBreaking: false };
  const [before, after] = [versionOf(from), versionOf(to)];
  if (before !== after) {
    const step = stepBetween(ecosystem, before, after);
    const isReference = step.kind === "unknown" && (isPinned(from) || isPinned(to));
    return isReference ? { kind: "reference", isBreaking: false } : step;
  }
  if (from === to || from.requirement !== to.requirement) return { kind: "requirement", isBreaking: false };
  const isSameKind = from.origin.kind === to.origin.kind;
  return { kind: isSameKind && isPinned(to) ? "reference" : "source", isBreaking: false };
}

/** Its version is a commit or digest, so that equal names can be different code. */
const isPinned = ({ origin, version }: Listed): boolean =>
  origin.kind === "git" || (version ?? "").startsWith("sha256:");
