/** The order of a report: the package that the change is about comes first. */
import type { PackageChange } from "./package-change.ts";

/** Those that the title names, then those whose request changed. The others stay as they are. */
export function orderPackages(packages: readonly PackageChange[], title: string): readonly PackageChange[] {
  const words = new Set(title.split(/[\s,"'`()]+/).map((word) => word.replace(/[:;.]$/, "")));
  const rankOf = ({ name, places }: PackageChange): number =>
    words.has(name) ? 0 : places.some(({ line }) => line > 0) ? 1 : 2;
  return packages.toSorted((one, other) => rankOf(one) - rankOf(other));
}
