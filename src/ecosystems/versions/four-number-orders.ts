/** NuGet and Composer: up to four numbers, then a stage. */
import { compareNumbers, MAX_VERSION_CHARS, type VersionOrder } from "./version-order.ts";

type FourNumbers = { readonly numbers: readonly number[]; readonly stage: string };

/** Before a release, in order; "p" is a patch after it. */
const STAGES = ["dev", "alpha", "beta", "rc", "", "p"];
const STAGE_NAMES: Readonly<Record<string, string>> = {
  a: "alpha",
  b: "beta",
  pl: "p",
  patch: "p",
  stable: "",
};

const VERSION = /^[vV]?(\d+(?:\.\d+){0,3})(?:[-_.]?([A-Za-z][\w.-]*))?(?:\+[\w.-]*)?$/;

function parseFour(version: string): FourNumbers | null {
  const match = version.length > MAX_VERSION_CHARS ? null : VERSION.exec(version.trim());
  if (match === null) return null;
  const [, numbers = "", stage = ""] = match;
  return { numbers: numbers.split(".").map(Number), stage: stage.toLowerCase() };
}

function createFourNumberOrder(compareStages: (one: string, other: string) => number | null): VersionOrder {
  return {
    compare(one, other) {
      const [left, right] = [parseFour(one), parseFour(other)];
      if (left === null || right === null) return null;
      const difference = compareNumbers(left.numbers, right.numbers);
      return difference === 0 ? compareStages(left.stage, right.stage) : difference;
    },
    numbersOf(version) {
      const parsed = parseFour(version);
      return parsed === null ? null : [0, ...parsed.numbers];
    },
    satisfies: () => null,
  };
}

/** "beta.2" before "beta.11", and everything before the release itself. */
function comparePreReleases(one: string, other: string): number {
  if (one === other) return 0;
  if (one === "" || other === "") return one === "" ? 1 : -1;
  const [left, right] = [one.split("."), other.split(".")];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [a, b] = [left[at], right[at]];
    if (a === undefined || b === undefined) return a === undefined ? -1 : 1;
    if (a === b) continue;
    const isNumeric = [/^\d+$/.test(a), /^\d+$/.test(b)];
    if (isNumeric[0] && isNumeric[1]) return Number(a) - Number(b);
    if (isNumeric[0] !== isNumeric[1]) return isNumeric[0] ? -1 : 1;
    return a < b ? -1 : 1;
  }
  return 0;
}

function compareStability(one: string, other: string): number | null {
  const [left, right] = [readStage(one), readStage(other)];
  if (left === null || right === null) return one === other ? 0 : null;
  return compareNumbers(left, right);
}

function readStage(stage: string): readonly number[] | null {
  const match = /^([a-z]*)[.-]?(\d*)$/.exec(stage);
  if (match === null) return null;
  const [, name = "", number = ""] = match;
  const rank = STAGES.indexOf(STAGE_NAMES[name] ?? name);
  return rank === -1 ? null : [rank, Number(number)];
}

export const NUGET_ORDER = createFourNumberOrder(comparePreReleases);
export const COMPOSER_ORDER = createFourNumberOrder(compareStability);
