/** Tags of actions, hooks and images: `v4`, `v4.1.2`, `3.12-slim`. They have an order only when everything but the numbers is equal. */
import { compareNumbers, MAX_VERSION_CHARS, type VersionOrder } from "./version-order.ts";

const TAG = /^([A-Za-z][\w/-]*?[-/@])?[vV]?(\d+(?:\.\d+)*)([-+._]?[A-Za-z][\w.+-]*)?$/;
/** A commit id can consist of digits only. */
const COMMIT = /^[0-9a-f]{7,64}$/;

function parseTag(tag: string): { readonly numbers: readonly number[]; readonly rest: string } | null {
  if (tag.length > MAX_VERSION_CHARS || (COMMIT.test(tag) && !tag.includes("."))) return null;
  const match = TAG.exec(tag);
  if (match === null) return null;
  const [, prefix = "", numbers = "", suffix = ""] = match;
  return { numbers: numbers.split(".").map(Number), rest: `${prefix} ${suffix}` };
}

export const TAG_ORDER: VersionOrder = {
  compare(one, other) {
    const [left, right] = [parseTag(one), parseTag(other)];
    if (left === null || right === null || left.rest !== right.rest) return null;
    return compareNumbers(left.numbers, right.numbers);
  },
  numbersOf(version) {
    const parsed = parseTag(version);
    return parsed === null ? null : [0, ...parsed.numbers];
  },
  satisfies: () => null,
};
