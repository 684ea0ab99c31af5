/**
 * Which packages of a lockfile nothing needs. Only a lockfile whose graph explains everything at the base can tell: others have
 * packages for reasons that it doesn't record.
 */
import { ecosystemOf } from "../all-ecosystems.ts";
import type { ComparedFile } from "../read-pair.ts";
import type { DependencyFile, EcosystemId, Listed } from "../ecosystem.ts";

export type Needs = {
  readonly isUnneeded: (entry: Listed) => boolean;
  /** Whether a version that is new itself needs a package of this name. */
  readonly hasNewNeeder: (name: string) => boolean;
  /** Whether one that comes from no registry needs it: its manifest may name repositories. */
  readonly hasOtherNeeder: (name: string) => boolean;
  /** The name of an unchanged version that alone needs an entry now, and didn't before; null when there is none. */
  readonly newNeederOf: (entry: Listed) => string | null;
};

/** `requests` has what the manifests name at each side. */
export function findNeeds(
  { base, head, format: { ecosystem } }: ComparedFile,
  requests: { readonly base: ReadonlySet<string>; readonly head: ReadonlySet<string> },
): Needs {
  const before = base === null ? null : walk(base, ecosystem, requests.base);
  const after = head === null ? null : walk(head, ecosystem, requests.head);
  // An override that is gone can bring back what a version always needed.
  const asked = new Set([base, head].flatMap((side) => side?.requested?.map(({ name }) => name) ?? []));
  for (const name of [...requests.base, ...requests.head]) asked.add(name);
  const isExplained = before !== null && before.unneeded.size === 0 && before.roots.size > 0;
  return {
    isUnneeded: (entry) => isExplained && after?.unneeded.has(entry.name) === true,
    hasNewNeeder: (needed) =>
      (after?.needers.get(needed) ?? []).some((needer) => before?.versions.has(idOf(needer)) !== true),
    hasOtherNeeder: (needed) =>
      (after?.needers.get(needed) ?? []).some(({ origin }) => origin.kind === "git" || origin.kind === "url"),
    newNeederOf(entry) {
      if (isOptional(entry, head?.mayBeAbsent)) return null;
      if (!isExplained || !ecosystemOf(ecosystem).hasFixedNeeds || after?.roots.has(entry.name) === true)
        return null;
      if (before.names.has(entry.name) || asked.has(entry.name)) return null;
      const needers = after?.needers.get(entry.name) ?? [];
      const known = before.versions;
      const isNew = needers.every((needer) => needer.origin.kind === "registry" && known.has(idOf(needer)));
      return needers.length > 0 && isNew ? (needers[0]?.name ?? null) : null;
    },
  };
}

/** Builds of one version for different systems can have different needs. */
const idOf = ({ name, version, key }: Listed): string => `${name} ${version} ${key}`;

/** Packages for some systems, or for use next to others, come and go. */
const isOptional = (entry: Listed, mayBeAbsent: DependencyFile["mayBeAbsent"]): boolean =>
  entry.group === "optional" || entry.group === "peer" || mayBeAbsent?.(entry) === true;

type Walk = {
  /** Names that no entry is needed under. */
  readonly unneeded: ReadonlySet<string>;
  readonly roots: ReadonlySet<string>;
  /** By the name of what is needed. */
  readonly needers: ReadonlyMap<string, readonly Listed[]>;
  readonly versions: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
};

/** By name, because a lockfile doesn't always say which of several versions is meant. */
function walk(
  { listed, requested, needsOf, mayBeAbsent }: DependencyFile,
  ecosystem: EcosystemId,
  asked: ReadonlySet<string>,
): Walk | null {
  const { keepsUnneeded, locksProject } = ecosystemOf(ecosystem);
  if (needsOf === null || keepsUnneeded) return null;
  const isRecorded = requested !== null || locksProject;
  const roots = isRecorded
    ? needsOf(null)
    : listed.filter(({ name, key, origin }) => origin.kind === "local" || asked.has(name) || asked.has(key));
  const names = new Set(roots.map(({ name }) => name));
  const needers = new Map<string, Listed[]>();
  const byName = Map.groupBy(listed, ({ name }) => name);
  // A set also visits what is added during the visit.
  const reached = new Set(names);
  for (const name of reached) {
    for (const entry of byName.get(name) ?? []) {
      for (const needed of needsOf(entry)) {
        const known = needers.get(needed.name);
        if (known === undefined) needers.set(needed.name, [entry]);
        else known.push(entry);
        reached.add(needed.name);
      }
    }
  }
  const unneeded = listed.filter((entry) => {
    const isRequired = !isOptional(entry, mayBeAbsent) && entry.origin.kind !== "local";
    return isRequired && !reached.has(entry.name);
  });
  return {
    unneeded: new Set(unneeded.map(({ name }) => name)),
    roots: names,
    needers,
    names: new Set(byName.keys()),
    versions: new Set(listed.map(idOf)),
  };
}
