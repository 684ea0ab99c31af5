/** Reports an export that the change removes or renames while files of the repository still import it. */
import type { BrokenExport } from "../../languages/exports/export-change.ts";
import { matchPerFile } from "../lines/broken-sites.ts";
import { type ChangeRule, nameOr } from "../rule.ts";

const REMOVED: BrokenExport = {
  path: "src/cart.ts",
  line: 1,
  side: "old",
  name: "addItem",
  change: { kind: "removed", to: null, movedFrom: null },
  sites: [{ path: "src/shop.ts", line: 3 }],
};
const FILE = {
  path: "src/cart.ts",
  before: "export function addItem() {}\nexport const size = 1;\n",
  after: "export const size = 1;\n",
};

export const removedExportUsed: ChangeRule = {
  kind: "change",
  id: "removed-export-used",
  title: "Removed export is still used",
  severity: "major",
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
  examples: {
    bad: [
      { line: 1, files: [FILE], brokenExports: [REMOVED] },
      {
        line: 1,
        files: [FILE],
        brokenExports: [
          { ...REMOVED, name: "default", line: 0, change: { kind: "removed", to: "put", movedFrom: null } },
          REMOVED,
        ],
      },
    ],
    good: [
      { files: [FILE] },
      { files: [FILE], brokenExports: [] },
      { files: [FILE], brokenExports: [{ ...REMOVED, change: { kind: "calls", from: "a()", to: "a(b)" } }] },
    ],
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
