/** Reports a changed signature while calls elsewhere in the repository still pass the old arguments. */
import { matchPerFile } from "../lines/broken-sites.ts";
import type { ChangeRule } from "../rule.ts";

/** Longer signatures are in the diff anyway. */
const MAX_SHOWN_CHARS = 120;

export const callNotAdapted: ChangeRule = {
  kind: "change",
  id: "call-not-adapted",
  title: "Outdated call: it doesn't fit the changed signature",
  severity: "major",
  proof: "use",
  category: "correctness",
  why: "A call with too few, too many or unknown arguments fails when the code is built or run.",
  fix: "Adapt these calls, or give the new parameter a default.",
  *check({ brokenExports = [] }) {
    yield* matchPerFile(
      brokenExports.filter(({ change }) => change.kind === "calls"),
      {
        title: (names, isOne, places) =>
          `Outdated calls ${places}: ${names} ${isOne ? "has a new signature" : "have new signatures"}`,
        addition: ({ change }) => (change.kind === "calls" ? signatureOf(change.to) : ""),
      },
    );
  },
};

function signatureOf(text: string): string {
  return text.length > MAX_SHOWN_CHARS || text.includes("`") ? "" : ` It's \`${text}\` now.`;
}
