/** Which entry of a lockfile a manifest's request selects. */
import type { DependencyFile, Ecosystem, Listed } from "./ecosystem.ts";
import { versionOf } from "./pair-versions.ts";
import { orderOf } from "./versions/order-of.ts";

/** Undefined when the lockfile has no such package, or several and none that the request clearly selects. */
export function resolveRequest(
  ecosystem: Ecosystem,
  request: Listed,
  lock: DependencyFile | null,
): Listed | undefined {
  const named = lock?.listed.filter(({ name }) => name === request.name) ?? [];
  if (named.length <= 1) return named[0];
  const { satisfies, compare } = orderOf(ecosystem);
  const accepted = named.filter((entry) =>
    request.version === null
      ? satisfies(versionOf(entry), request.requirement ?? "") === true
      : entry.version === request.version,
  );
  const direct = new Set(lock?.needsOf?.(null));
  const own = accepted.filter((entry) => direct.has(entry));
  const [best] = (own.length === 0 ? accepted : own).toSorted(
    (one, other) => compare(versionOf(other), versionOf(one)) ?? 0,
  );
  return best;
}
