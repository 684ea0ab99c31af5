/** The changes of groups of files that were compared apart, as one. */
import type { DependencyChanges, PackageChange } from "./package-change.ts";

export function joinChanges(parts: readonly DependencyChanges[]): DependencyChanges {
  return {
    packages: parts.flatMap(({ packages }) => packages).toSorted(byImportance),
    disagreements: parts.flatMap(({ disagreements }) => disagreements),
    unread: parts.flatMap(({ unread }) => unread),
  };
}

function byImportance(one: PackageChange, other: PackageChange): number {
  const rank = ({ isDirect }: PackageChange): number => (isDirect === true ? 0 : 1);
  return rank(one) - rank(other) || (one.name < other.name ? -1 : Number(one.name > other.name));
}
