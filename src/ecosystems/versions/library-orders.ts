/** PEP 440 and RubyGems, ordered by libraries that are made for them. */
import * as pep440 from "@renovatebot/pep440";
import * as gems from "@renovatebot/ruby-semver";
import { create as createGem } from "@renovatebot/ruby-semver/dist/ruby/version.js";
import { MAX_VERSION_CHARS, type VersionOrder } from "./version-order.ts";

const isBounded = (...texts: readonly string[]): boolean =>
  texts.every(({ length }) => length <= MAX_VERSION_CHARS);

export const PEP440_ORDER: VersionOrder = {
  compare(one, other) {
    if (!isBounded(one, other) || pep440.valid(one) === null || pep440.valid(other) === null) return null;
    return pep440.compare(one, other);
  },
  numbersOf(version) {
    const parsed = isBounded(version) ? pep440.parse(version) : null;
    return parsed === null ? null : [parsed.epoch, ...parsed.release];
  },
  satisfies(version, requirement) {
    const range = requirement.trim();
    if (!isBounded(version, range) || pep440.valid(version) === null || !pep440.validRange(range))
      return null;
    return pep440.satisfies(version, range, { prereleases: true });
  },
};

export const GEM_ORDER: VersionOrder = {
  compare(one, other) {
    if (!isGem(one) || !isGem(other)) return null;
    return createGem(one).compare(createGem(other));
  },
  numbersOf(version) {
    if (!isGem(version)) return null;
    const [numbers] = createGem(version).splitSegments();
    return [0, ...numbers];
  },
  satisfies(version, requirement) {
    if (!isGem(version) || !isBounded(requirement)) return null;
    const conditions = requirement.split(",").map((part) => part.trim());
    if (!conditions.every((part) => /^(?:~>|[<>!]?=|[<>])?\s*\d[\w.-]*$/.test(part))) return null;
    return conditions.every((part) => gems.satisfies(version, part));
  },
};

const isGem = (version: string): boolean => isBounded(version) && gems.valid(version) !== null;
