/** Turns the difference between two versions into names to find in this repository. */
import type { ApiDifference } from "../../../languages/api/api-difference.ts";
import type { WantedUses } from "../../../languages/uses/package-uses.ts";

/** `plainNames`: symbols that a changelog mentions, without their entry points. */
export function wantedNamesOf(
  difference: Pick<ApiDifference, "changes" | "facts"> | null,
  plainNames: readonly string[],
): Required<Pick<WantedUses, "names" | "removedEntries" | "requireDropped">> {
  const facts = difference?.facts ?? [];
  const entriesOf = (kind: "entry-removed" | "require-dropped"): readonly string[] =>
    facts.flatMap((fact) => (fact.kind === kind ? [fact.entry] : []));
  return {
    names: [
      ...(difference?.changes ?? []).filter(breaksCallers).map(({ entry, name }) => ({ entry, name })),
      ...plainNames.map((name) => ({ entry: null, name })),
    ],
    removedEntries: entriesOf("entry-removed"),
    requireDropped: entriesOf("require-dropped"),
  };
}

/** Another type of a result or a constant breaks few callers, and only their type checks. */
function breaksCallers({ change }: ApiDifference["changes"][number]): boolean {
  return change.kind !== "changed" || change.aspect === "parameters" || change.aspect === "form";
}
