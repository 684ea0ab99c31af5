/** The fate of advisories: which of them a bump fixes, keeps or brings. */
import type { AdvisoryFact } from "./dependency-report.ts";
import type { Advisory, Lookup } from "./lookups.ts";

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
    list.some((each) => namesOf(each).some((name) => namesOf(advisory).includes(name)));
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

const listOf = (side: Advisories | null): readonly Advisory[] => (side?.kind === "found" ? side.value : []);

/** Databases give one vulnerability several names. */
const namesOf = ({ id, aliases }: Advisory): readonly string[] => [id, ...aliases];
