/** Finds the suggestions that were committed: the lines where the finding was are exactly the suggested ones now. */
import type { PriorFinding, PriorReview } from "../../review/context/prior-review.ts";
import { walkHunk } from "../../review/change/walk-hunks.ts";

/** Returns identities. `suggestions` are by identity. */
export function findCommitted(
  suggestions: ReadonlyMap<string, string>,
  { runs: [own], findings }: PriorReview,
): readonly string[] {
  return findings.flatMap((finding) => {
    const suggestion = suggestions.get(finding.identity);
    if (finding.state !== "verified" || suggestion === undefined) return [];
    return linesNow(finding, own?.files ?? []) === withoutLineEnds(suggestion) ? [finding.identity] : [];
  });
}

type Files = NonNullable<PriorReview["runs"][number]["files"]>;

/** The lines between the nearest ones that are as they were, which is where a changed finding is placed; null without a place. */
function linesNow({ path, side, startLine, endLine }: PriorFinding, files: Files): string | null {
  const file = files.find((each) => each.path === path);
  if (file === undefined || side !== "new" || startLine === null || endLine === null) return null;
  const lines = file.hunks.flatMap((hunk) =>
    walkHunk(hunk).flatMap(({ text, newLine }) =>
      newLine !== null && newLine >= startLine && newLine <= endLine ? [text] : [],
    ),
  );
  return withoutLineEnds(lines.join("\n"));
}

function withoutLineEnds(text: string): string {
  return text.replaceAll("\r\n", "\n").trimEnd();
}
