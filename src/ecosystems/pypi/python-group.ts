/** Finds out what groups and files are for, by the names that Python projects use. */
import type { DependencyGroup } from "../ecosystem.ts";

const DEV_WORDS = new Set(
  `bench benchmark benchmarks check checks ci dev develop development doc docs documentation format lint linting local mypy
  precommit pyinstaller qa style test testing tests tox type types typecheck typing`.split(/\s+/),
);

export function isDevName(name: string): boolean {
  return name
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => DEV_WORDS.has(word));
}

/** The group of packages that only the named groups of a lockfile or of a project's extras need. */
export function groupOfExtras(names: readonly string[]): DependencyGroup {
  return names.every(isDevName) ? "dev" : "optional";
}
