/** Reports an export that the change removes or renames while files of the repository still import it. */
import { matchPerFile } from "../lines/broken-sites.ts";
import { type ChangeRule, nameOr } from "../rule.ts";

export const removedExportUsed: ChangeRule = {
  kind: "change",
  id: "removed-export-used",
  title: "Removed export is still used",
  severity: "major",
  proof: "use",
  category: "correctness",
  why: "The import fails when the code is built or loaded.",
  fix: "Change these files as well, or keep the old name as an alias until they are.",
  *check({ brokenExports = [] }) {
    yield* matchPerFile(
      brokenExports.filter(({ change }) => change.kind === "removed"),
      {
        title: (names, isOne, places) =>
          `Removed ${isOne ? "export" : "exports"}: ${names} ${isOne ? "is" : "are"} still used ${places}`,
        addition: ({ change }) => (change.kind === "removed" ? describeNow(change) : ""),
      },
    );
  },
};

function describeNow({
  to,
  movedFrom,
}: {
  readonly to: string | null;
  readonly movedFrom: string | null;
}): string {
  if (movedFrom !== null) return ` The file was ${movedFrom} before.`;
  return to === null ? "" : ` It's called ${nameOr(to, "something else")} now.`;
}
