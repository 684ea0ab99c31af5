/** Puts the uses of all files together. An empty result says what was searched, never that a change is safe. */
import type { FileUses, UsePlace } from "../../../languages/uses/package-uses.ts";

/** More places are counted, not listed. */
const MAX_PLACES = 200;

export type UseSummary = {
  /**
   * "used": a wanted name was found. "not-found": the package is imported, but no wanted name was found by this search.
   * "only-tests-and-types": no runtime code imports it. "not-imported": no file that was searched imports it.
   */
  readonly verdict: "used" | "not-found" | "only-tests-and-types" | "not-imported";
  /** Files that import the package. */
  readonly importingFiles: { readonly runtime: number; readonly tests: number; readonly typesOnly: number };
  /** Places in all files that use anything of the package. */
  readonly useCount: number;
  /** Wanted names with the number of places, most used first. */
  readonly names: readonly { readonly name: string; readonly places: number; readonly files: number }[];
  /** Runtime code first, then by path. Imports only of names that the same file doesn't use elsewhere. */
  readonly places: readonly UsePlace[];
  readonly omittedPlaces: number;
  /** Files in which uses may be hidden, or that weren't read. */
  readonly openFiles: number;
  readonly unreadFiles: readonly {
    readonly path: string;
    readonly problem: NonNullable<FileUses["problem"]>;
  }[];
};

export function summarizeUses(files: readonly FileUses[]): UseSummary {
  const importing = files.filter(({ imports }) => imports.length > 0);
  const isTypesOnly = ({ imports }: FileUses): boolean => imports.every((one) => one.isTypeOnly);
  const runtime = importing.filter((file) => !file.isTest && !isTypesOnly(file)).length;
  const tests = importing.filter(({ isTest }) => isTest).length;
  const places = importing.flatMap(placesOf);
  const sorted = places.toSorted((one, other) => rank(one) - rank(other) || comparePaths(one, other));
  const names = new Map<string, { places: number; readonly files: Set<string> }>();
  for (const { name, path } of places) {
    const known = names.get(name) ?? { places: 0, files: new Set<string>() };
    known.places++;
    known.files.add(path);
    names.set(name, known);
  }
  const verdict =
    places.length > 0
      ? "used"
      : importing.length === 0
        ? "not-imported"
        : runtime === 0
          ? "only-tests-and-types"
          : "not-found";
  return {
    verdict,
    importingFiles: { runtime, tests, typesOnly: importing.length - runtime - tests },
    useCount: importing.reduce((sum, { useCount }) => sum + useCount, 0),
    names: [...names]
      .map(([name, found]) => ({ name, places: found.places, files: found.files.size }))
      .toSorted((one, other) => other.places - one.places || (one.name < other.name ? -1 : 1)),
    places: sorted.slice(0, MAX_PLACES),
    omittedPlaces: Math.max(0, sorted.length - MAX_PLACES),
    openFiles: files.filter(({ isOpen }) => isOpen).length,
    unreadFiles: files.flatMap(({ path, problem }) => (problem === null ? [] : [{ path, problem }])),
  };
}

/** The import of a name that is used below says nothing more. */
function placesOf({ places }: FileUses): readonly UsePlace[] {
  const used = new Set(places.filter(({ role }) => role !== "import").map(({ name }) => name));
  return places.filter(({ role, name }) => role !== "import" || !used.has(name));
}

function rank({ isTest, isTypeOnly }: UsePlace): number {
  return (isTest ? 2 : 0) + (isTypeOnly ? 1 : 0);
}

function comparePaths(one: UsePlace, other: UsePlace): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}
