/** The names that code imports a package by, and the strings to search for to find such code. */
import type { EcosystemId } from "../../ecosystem.ts";
import type { PackageSource } from "../../../languages/api/package-source.ts";
import { javaPackages } from "../../../languages/java/java-surface.ts";
import { pythonTopLevel } from "../../../languages/python/python-modules.ts";
import { goBasePath } from "../../../languages/go/go-surface.ts";
import { rustCrateName } from "../../../languages/rust/rust-surface.ts";

/** A search for more strings is no search. */
const MAX_TERMS = 50;

/** From the archives of the versions; without them, by the ecosystem's conventions. */
export function importNamesOf(
  { ecosystem, name }: { readonly ecosystem: EcosystemId; readonly name: string },
  archives: readonly PackageSource[],
): readonly string[] {
  const from = (
    read: (files: PackageSource) => readonly string[],
    fallback: readonly string[],
  ): readonly string[] => {
    const found = new Set(archives.flatMap(read));
    return found.size > 0 ? [...found] : fallback;
  };
  switch (ecosystem) {
    case "pypi":
      return from(pythonTopLevel, [name.replaceAll(/[-.]/g, "_").toLowerCase()]);
    case "cargo":
      return from((files) => [rustCrateName(files, name)], [name.replaceAll("-", "_")]);
    case "go":
      return [goBasePath(name)];
    case "maven":
      // Without sources only the group is known, which is often the start of the package.
      return from(javaPackages, [name.split(":")[0] ?? name]);
    default:
      return [name];
  }
}

/** Fixed strings, one of which is in every file that imports the package. */
export function searchTermsOf(ecosystem: EcosystemId, importNames: readonly string[]): readonly string[] {
  if (ecosystem !== "maven") return importNames.slice(0, MAX_TERMS);
  // The shortest packages contain the others: "org.example" is in "org.example.sub".
  const sorted = importNames.toSorted((one, other) => one.length - other.length);
  const shortest = sorted.filter(
    (name, at) => !sorted.slice(0, at).some((shorter) => name.startsWith(shorter)),
  );
  return shortest.slice(0, MAX_TERMS);
}
