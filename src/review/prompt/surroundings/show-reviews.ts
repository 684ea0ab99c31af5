/** The results of Kodiai's reviews of the pull request, and the heads that they have read. */
import type { Guard } from "../../untrusted/guard.ts";
import { cutNote, fitProse } from "../fit.ts";
import { NOTHING, type RenderedSection } from "../section.ts";
import type { KnownPullRequest, Surroundings } from "./surroundings.ts";

/** A verdict and the description of a change. */
const MAX_SUMMARY_CHARS = 3_000;

const ID_CHARS = 12;

export function showReviews({ known, change }: Surroundings, guard: Guard): RenderedSection {
  if (known === undefined) return NOTHING;
  const summary = fitProse(known.summary, MAX_SUMMARY_CHARS, guard);
  const lines = [
    "# Your reviews of this pull request",
    describeHeads(known, change.head),
    ...(summary.text === ""
      ? []
      : [`${guard.fence("summary of your last review", summary.text)}${cutNote(summary.cutChars)}`]),
    ...(known.missing.length === 0
      ? []
      : [`These couldn't be read, so nothing is known about them: ${known.missing.join(", ")}.`]),
  ];
  return { text: lines.join("\n"), cutChars: summary.cutChars };
}

/** Commit ids are the host's own, never a person's text. */
function describeHeads({ reviewedHeads, sinceReview }: KnownPullRequest, head: string | null): string {
  const [last, ...earlier] = reviewedHeads.map((each) => each.slice(0, ID_CHARS));
  if (last === undefined) return "You haven't reviewed it yet.";
  const now = head?.slice(0, ID_CHARS) ?? "unknown";
  const before = earlier.length === 0 ? "" : ` Before that: ${earlier.join(", ")}.`;
  const since =
    last === now
      ? "Nothing was pushed since."
      : sinceReview === null
        ? `The head is ${now} now; what changed since can't be shown, because the reviewed commit is gone.`
        : `The head is ${now} now; what changed since is below.`;
  return `The last head that you reviewed is ${last}.${before} ${since}`;
}
