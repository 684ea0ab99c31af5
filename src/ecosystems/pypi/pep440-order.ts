/** PEP 440, ordered by a library that is made for it. */
import * as pep440 from "@renovatebot/pep440";
import { isBounded, type VersionOrder } from "../versions/version-order.ts";

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
