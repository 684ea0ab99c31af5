/** Turns the difference between two versions into names to find in this repository. */
import type { ApiDifference } from "../../../languages/api/api-difference.ts";
import type { EcosystemId } from "../../ecosystem.ts";
import type { WantedUses } from "../../../languages/uses/package-uses.ts";

/** In these, a parameter of another type refuses old arguments. TypeScript compares structures, and Python checks nothing. */
const NOMINAL: ReadonlySet<EcosystemId> = new Set(["go", "cargo", "maven"]);

/** `plainNames`: symbols that a changelog mentions, without their entry points. */
export function wantedNamesOf(
  ecosystem: EcosystemId,
  difference: Pick<ApiDifference, "changes" | "facts"> | null,
  plainNames: readonly string[],
): Required<Pick<WantedUses, "names" | "removedEntries" | "requireDropped">> {
  const facts = difference?.facts ?? [];
  const entriesOf = (kind: "entry-removed" | "require-dropped"): readonly string[] =>
    facts.flatMap((fact) => (fact.kind === kind ? [fact.entry] : []));
  return {
    names: [
      ...(difference?.changes ?? [])
        .filter((each) => breaksCallers(ecosystem, each))
        .map(({ entry, name }) => ({ entry, name })),
      ...plainNames.map((name) => ({ entry: null, name })),
    ],
    removedEntries: entriesOf("entry-removed"),
    requireDropped: entriesOf("require-dropped"),
  };
}

/** Another type of a result or a constant breaks few callers, and only their type checks. */
export function breaksCallers(ecosystem: EcosystemId, { change }: ApiDifference["changes"][number]): boolean {
  if (change.kind !== "changed" || change.aspect === "parameters" || change.aspect === "form") return true;
  return change.aspect === "parameter-types" && NOMINAL.has(ecosystem);
}
