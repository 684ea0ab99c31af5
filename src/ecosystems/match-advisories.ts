/** The fate of advisories: which of them a bump fixes, keeps or brings. */
import type { AdvisoryFact } from "./dependency-report.ts";
import type { Advisory, AdvisorySeverity, Lookup } from "./lookups.ts";

type Advisories = Lookup<readonly Advisory[]>;

/** Null on a side: the package isn't there. A side that isn't known leaves everything unknown. */
export function matchAdvisories(
  before: Advisories | null,
  after: Advisories | null,
): Lookup<readonly AdvisoryFact[]> {
  const failed = [before, after].find((side) => side?.kind === "failed");
  if (failed?.kind === "failed") return failed;
  const [old, present] = [listOf(before), listOf(after)];
  const isIn = (list: readonly Advisory[], advisory: Advisory): boolean =>
    list.some((each) => isSame(each, advisory));
  return {
    kind: "found",
    value: [
      ...present.map((advisory): AdvisoryFact => ({
        advisory,
        fate: isIn(old, advisory) ? "still-affecting" : "introduced",
      })),
      ...old
        .filter((advisory) => !isIn(present, advisory))
        .map((advisory): AdvisoryFact => ({ advisory, fate: "fixed" })),
    ],
  };
}

const listOf = (side: Advisories | null): readonly Advisory[] =>
  side?.kind === "found" ? mergeAliases(side.value) : [];

const GRAVITY: readonly AdvisorySeverity[] = ["critical", "high", "medium", "low", "unknown"];

/** One advisory for each vulnerability: entries of several databases that name one another are the same. */
function mergeAliases(advisories: readonly Advisory[]): readonly Advisory[] {
  const merged: Advisory[] = [];
  for (const advisory of advisories) {
    let whole = advisory;
    // One entry can join two that didn't name each other.
    for (let at = merged.length - 1; at >= 0; at -= 1) {
      const known = merged[at];
      if (known === undefined || !isSame(known, whole)) continue;
      merged.splice(at, 1);
      whole = join(known, whole);
    }
    merged.push(whole);
  }
  return merged;
}

function join(one: Advisory, other: Advisory): Advisory {
  const [main, rest] =
    other.id.startsWith("GHSA-") && !one.id.startsWith("GHSA-") ? [other, one] : [one, other];
  const names = new Set([...namesOf(main), ...namesOf(rest)]);
  names.delete(main.id);
  const exploitation = main.exploitation ?? rest.exploitation;
  return {
    ...main,
    ...(exploitation === undefined ? {} : { exploitation }),
    aliases: [...names],
    severity: GRAVITY.find((each) => each === main.severity || each === rest.severity) ?? "unknown",
    summary: main.summary === "" ? rest.summary : main.summary,
    fixedIn: [...new Set([...main.fixedIn, ...rest.fixedIn])],
  };
}

const isSame = (one: Advisory, other: Advisory): boolean =>
  namesOf(one).some((name) => namesOf(other).includes(name));

/** Databases give one vulnerability several names. */
const namesOf = ({ id, aliases }: Advisory): readonly string[] => [id, ...aliases];
