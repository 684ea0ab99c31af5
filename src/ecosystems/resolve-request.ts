/** Which entry of a lockfile a manifest's request selects. */
import type { DependencyFile, EcosystemId, Listed } from "./ecosystem.ts";
import { versionOf } from "./pair-versions.ts";
import { ecosystemOf } from "./all-ecosystems.ts";

/** Undefined when the lockfile has no such package, or several and none that the request clearly selects. */
export type RequestResolver = (
  ecosystem: EcosystemId,
  request: Listed,
  lock: DependencyFile | null,
) => Listed | undefined;

/** Indexes each lockfile once. */
export function createRequestResolver(): RequestResolver {
  const indexes = new Map<DependencyFile, LockIndex>();
  const indexOf = (lock: DependencyFile): LockIndex => {
    const known = indexes.get(lock) ?? {
      byName: Map.groupBy(lock.listed, ({ name }) => name),
      direct: new Set(lock.needsOf?.(null)),
    };
    indexes.set(lock, known);
    return known;
  };
  return (ecosystem, request, lock) => {
    if (lock === null) return undefined;
    const { byName, direct } = indexOf(lock);
    const named = byName.get(request.name) ?? [];
    if (named.length <= 1) return named[0];
    const { satisfies, compare } = ecosystemOf(ecosystem).order;
    const accepted = named.filter((entry) =>
      request.version === null
        ? satisfies(versionOf(entry), request.requirement ?? "") === true
        : entry.version === request.version,
    );
    const own = accepted.filter((entry) => direct.has(entry));
    const [best] = (own.length === 0 ? accepted : own).toSorted(
      (one, other) => compare(versionOf(other), versionOf(one)) ?? 0,
    );
    return best;
  };
}

type LockIndex = {
  readonly byName: ReadonlyMap<string, readonly Listed[]>;
  /** Those that the project itself requests. */
  readonly direct: ReadonlySet<Listed>;
};
