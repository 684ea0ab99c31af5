/** Packages as lockfiles list them, made from a number, so that two runs measure the same bytes. */
import { createHash } from "node:crypto";

export type SamplePackage = {
  readonly name: string;
  readonly version: string;
  /** "sha512-…", as npm writes it. */
  readonly integrity: string;
  readonly isDev: boolean;
  readonly needs: readonly SamplePackage[];
};

/** One of so many packages has a newer version at the head. */
const CHANGED_EVERY = 50;

/** Every package needs three others, so that none is more than 14 needs from the first, as in real projects. */
export function samplePackages(count: number, side: "base" | "head"): readonly SamplePackage[] {
  const packages: SamplePackage[] = [];
  for (let index = count - 1; index >= 0; index--) {
    const isChanged = side === "head" && index % CHANGED_EVERY === 0;
    const name = index % 3 === 0 ? `@scope-${index % 40}/package-${index}` : `package-${index}`;
    const version = `${index % 9}.${index % 21}.${(index % 13) + (isChanged ? 1 : 0)}`;
    const integrity = `sha512-${createHash("sha512").update(`${name}@${version}`).digest("base64")}`;
    const needs = [2 * index + 1, 2 * index + 2, 3 * index + 5].map((needed) => packages[count - 1 - needed]);
    packages.push({
      name,
      version,
      integrity,
      isDev: index % 2 === 0,
      needs: needs.filter((needed) => needed !== undefined),
    });
  }
  return packages.reverse();
}
