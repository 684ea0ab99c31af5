/** Checks the suggestion of a finding while the model can still send a better one. It is checked again when findings are judged. */
import { MAX_PARSED_BYTES } from "../base/parse-limit.ts";
import { compareSuggestion } from "../reading/compare-suggestion.ts";
import { decodeBytes } from "../review/change/decode-bytes.ts";
import type { Anchor, Finding, SuggestionVerdict } from "../review/findings/finding.ts";
import type { Placed } from "../review/findings/identify-findings.ts";
import { verifySuggestion } from "../review/findings/verify-suggestion.ts";
import type { ReviewContext } from "./tool.ts";

/** What the model hears about it. */
export async function suggestionNotes(
  finding: Finding,
  anchor: Anchor,
  context: ReviewContext,
): Promise<readonly string[]> {
  const verdict = await checkSuggestion(finding, anchor, context);
  // The finding is recorded: a failure now must not look as if it were not.
  if (verdict === null) return ["The suggestion could not be checked now."];
  if (verdict.kind === "none") return [];
  if (verdict.kind === "prose")
    return [
      `The suggestion can only be shown as text: ${verdict.reason}. Record the finding again with a better one and it takes the place of this one.`,
    ];
  const isBare = verdict.replacement === finding.suggestion?.replace(/\n$/, "");
  return [`The suggestion can be offered ${isBare ? "as it is" : "without the marks around it"}.`];
}

/** The later of two findings that say the same has a suggestion that can be offered, and the earlier has not. */
export async function hasBetterSuggestion(
  later: Placed,
  earlier: Placed,
  context: ReviewContext,
): Promise<boolean> {
  const { finding, anchor } = later;
  if (anchor === null || finding.suggestion === null) return false;
  if (finding.suggestion === earlier.finding.suggestion) return false;
  const canBeOffered = async (some: Finding, at: Anchor | null): Promise<boolean> =>
    at !== null && (await checkSuggestion(some, at, context))?.kind === "verified";
  return (await canBeOffered(finding, anchor)) && !(await canBeOffered(earlier.finding, earlier.anchor));
}

/** Null when it can't be checked now. */
async function checkSuggestion(
  { suggestion }: Finding,
  anchor: Anchor,
  context: ReviewContext,
): Promise<SuggestionVerdict | null> {
  if (suggestion === null) return { kind: "none" };
  try {
    const place = await suggestionPlace(anchor, context);
    const compared = await compareSuggestion(suggestion, place, context.reader);
    return verifySuggestion(suggestion, place, () => compared?.comparison ?? "not-checked");
  } catch {
    return null;
  }
}

async function suggestionPlace(anchor: Anchor, { repository, head, analysis }: ReviewContext) {
  const texts = await repository?.readFiles(head, [anchor.path], MAX_PARSED_BYTES);
  const latin1 = texts?.get(anchor.path);
  return {
    anchor,
    text: latin1 === undefined ? null : decodeBytes(latin1),
    isOverLimit: texts !== undefined && latin1 === undefined,
    language: analysis.byPath.get(anchor.path)?.language ?? "unknown",
  };
}
