/** Checks a suggestion while the model can still send a better one. Judging checks it again. */
import { MAX_PARSED_BYTES } from "../base/parse-limit.ts";
import { compareSuggestion } from "../reading/compare-suggestion.ts";
import { decodeBytes } from "../review/change/decode-bytes.ts";
import type { Anchor, Finding, SuggestionVerdict } from "../review/findings/finding.ts";
import type { Placed } from "../review/findings/identify-findings.ts";
import { verifySuggestion } from "../review/findings/verify-suggestion.ts";
import type { ReviewContext } from "./tool.ts";

/** Notes for the model about its suggestion. */
export async function suggestionNotes(
  finding: Finding,
  anchor: Anchor,
  context: ReviewContext,
): Promise<readonly string[]> {
  const verdict = await checkSuggestion(finding, anchor, context);
  // The finding is recorded, so a failure here must not look like an error.
  if (verdict === null) return ["The suggestion couldn't be checked."];
  if (verdict.kind === "none") return [];
  if (verdict.kind === "prose")
    return [
      `The suggestion can only be shown as text: ${verdict.reason}. To replace it, record the finding again with a better suggestion.`,
    ];
  const isBare = verdict.replacement === finding.suggestion?.replace(/\n$/, "");
  return [`The suggestion will be offered ${isBare ? "unchanged" : "without the marks around it"}.`];
}

/** True when the later of two duplicate findings has a suggestion that can be offered, and the earlier doesn't. */
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

/** Null when the check itself fails. */
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
