/** Versions of gems, ordered by a library that is made for them. */
import * as gems from "@renovatebot/ruby-semver";
import { create as createGem } from "@renovatebot/ruby-semver/dist/ruby/version.js";
import { isBounded, type VersionOrder } from "../versions/version-order.ts";

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
