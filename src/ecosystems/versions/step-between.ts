/** The kind of a bump. */
import { ecosystemOf } from "../all-ecosystems.ts";
import type { EcosystemId } from "../ecosystem.ts";
import type { BumpKind } from "../package-change.ts";
type VersionStep = { readonly kind: BumpKind; readonly isBreaking: boolean };

const UNKNOWN: VersionStep = { kind: "unknown", isBreaking: false };

/** The step between two different versions. */
export function stepBetween(ecosystem: EcosystemId, from: string, to: string): VersionStep {
  const { order, isMinorBreakingBelow1 = false } = ecosystemOf(ecosystem);
  const [before, after] = [order.numbersOf(from), order.numbersOf(to)];
  const difference = order.compare(from, to);
  if (before === null || after === null || difference === null) return UNKNOWN;
  const isPlain = isCounter(ecosystem, from, to) || (isDate(ecosystem, before) && isDate(ecosystem, after));
  const numbered = stepByNumbers(before, after, isMinorBreakingBelow1);
  const step = isPlain ? { ...numbered, isBreaking: false } : numbered;
  return difference > 0 ? { ...step, kind: "downgrade" } : step;
}

/** Versions that begin with a year say when a release was made, and nothing about what it breaks. Python's often have two digits of it. */
function isDate(ecosystem: EcosystemId, [, year = 0, month = 0]: readonly number[]): boolean {
  if (year >= 1990 && year < 2100) return true;
  return ecosystem === "pypi" && year >= 17 && year < 40 && month <= 12;
}

/** Parents and plugins of Maven count their releases: 92, 93. */
const isCounter = (ecosystem: EcosystemId, ...versions: readonly string[]): boolean =>
  ecosystem === "maven" && versions.every((version) => /^\d+$/.test(version));

function stepByNumbers(
  before: readonly number[],
  after: readonly number[],
  isMinorBreakingBelow1: boolean,
): VersionStep {
  const at = [0, 1, 2].find((index) => (before[index] ?? 0) !== (after[index] ?? 0));
  if (at === undefined) return { kind: "patch", isBreaking: false };
  if (at <= 1) return { kind: "major", isBreaking: true };
  return { kind: "minor", isBreaking: isMinorBreakingBelow1 && before[1] === 0 };
}

/** A condition that only excludes versions, or sets an upper limit. */
const UPPER = /^(?:<|!=|!)/;

/** The lowest version that a range names: 1.0.3 of "^1.0.3", 2 of ">=2,<3". Null when it names none. */
export function lowestNamed(requirement: string): string | null {
  const conditions = requirement.split(/\|\||[|,\s]+(?=[<>=!~^]|$)/).map((part) => part.trim());
  for (const condition of conditions) {
    const match = UPPER.test(condition) ? null : /\d[\w.+-]*/.exec(condition);
    if (match !== null) return match[0];
  }
  return null;
}
