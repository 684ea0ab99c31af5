/** Semantic versions: npm, Cargo, Go, pub, Hex and Terraform. They differ in ranges, and pub orders builds too. */
import compareVersions from "semver/functions/compare.js";
import compareBuild from "semver/functions/compare-build.js";
import parse from "semver/functions/parse.js";
import isSatisfied from "semver/functions/satisfies.js";
import validRange from "semver/ranges/valid.js";
import { compareNumbers, MAX_VERSION_CHARS, type VersionOrder } from "./version-order.ts";

const LOOSE = { loose: true } as const;

/** Nearly all versions. The expressions for the others take milliseconds at their first use. Longer numbers aren't exact. */
const PLAIN = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/;

function plainNumbers(version: string): readonly number[] | null {
  const [whole, major, minor, patch] = PLAIN.exec(version) ?? [];
  return whole === undefined ? null : [0, Number(major), Number(minor), Number(patch)];
}

function createSemverOrder(
  compare: typeof compareVersions,
  toRange: (requirement: string) => string | null,
): VersionOrder {
  return {
    compare(one, other) {
      const plain = [plainNumbers(one), plainNumbers(other)] as const;
      if (plain[0] !== null && plain[1] !== null) return compareNumbers(plain[0], plain[1]);
      if (parse(one, LOOSE) === null || parse(other, LOOSE) === null) return null;
      return compare(one, other, LOOSE);
    },
    numbersOf(version) {
      const plain = plainNumbers(version);
      if (plain !== null) return plain;
      const parsed = parse(version, LOOSE);
      return parsed === null ? null : [0, parsed.major, parsed.minor, parsed.patch];
    },
    satisfies(version, requirement) {
      const range = requirement.length > MAX_VERSION_CHARS ? null : toRange(requirement);
      if (range === null || validRange(range, LOOSE) === null || parse(version, LOOSE) === null) return null;
      // A lockfile may select a pre-release that a person asked for by tag.
      return isSatisfied(version, range, { ...LOOSE, includePrerelease: true });
    },
  };
}

export const NPM_ORDER = createSemverOrder(compareVersions, (requirement) => requirement);

/** A bare version is a caret range, and commas join conditions. */
export const CARGO_ORDER = createSemverOrder(compareVersions, (requirement) =>
  requirement
    .split(",")
    .map((part) => part.trim())
    .map((part) => (/^\d/.test(part) && !part.includes("*") ? `^${part}` : part))
    .join(" "),
);

/** A module's requirement is one version, which the build may raise. */
export const GO_ORDER = createSemverOrder(compareVersions, (requirement) => `>=${requirement}`);

export const PUB_ORDER = createSemverOrder(compareBuild, (requirement) =>
  requirement === "any" ? "*" : requirement,
);

/** Ranges of Hex and Terraform have words of their own (`~> 1.2`, `and`), which semver doesn't read. */
export const PLAIN_SEMVER_ORDER = createSemverOrder(compareVersions, () => null);
