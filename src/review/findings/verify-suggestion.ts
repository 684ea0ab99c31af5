/**
 * Checks a suggestion before it is offered for committing: it must apply to exactly the anchored lines of the file at the
 * head, keep their indentation and line endings, contain no placeholders, and not break parsing. Otherwise it is shown as
 * prose.
 */
import { MAX_PARSED_CHARS } from "../../base/parse-limit.ts";
import { cleanSuggestion } from "./clean-suggestion.ts";
import { findPlaceholder } from "./find-placeholder.ts";
import type { Anchor, SuggestionVerdict } from "./finding.ts";
import { keepsIndentation } from "./indentation.ts";

/** A longer replacement is a rewrite that the author should do. */
const MAX_SUGGESTION_LINES = 40;

export type SuggestionPlace = {
  readonly anchor: Anchor | null;
  /** The whole file at the head; null when it isn't known. */
  readonly text: string | null;
  /** The text isn't known because the file is too large. */
  readonly isOverLimit?: boolean;
};

/** How a file parses with a suggestion applied: no worse than before, worse, or unknown. */
export type ParseComparison =
  | "as-before"
  | "worse"
  | "unbalanced"
  | "prose"
  | "cut-off"
  | "too-large"
  | "no-parser"
  | "not-checked";

/** A file with a suggestion applied, or why it can't be applied. */
export type AppliedSuggestion = {
  /** The suggestion without the marks around it. */
  readonly replacement: string;
} & (
  | { readonly kind: "applied"; readonly before: string; readonly after: string }
  | { readonly kind: "refused"; readonly reason: string }
);

/** Calls `compare` only for suggestions that can be applied. */
export function verifySuggestion(
  suggestion: string | null,
  place: SuggestionPlace,
  compare: (before: string, after: string) => ParseComparison,
): SuggestionVerdict {
  if (suggestion === null) return { kind: "none" };
  const applied = applySuggestion(suggestion, place);
  const { replacement } = applied;
  const reason =
    applied.kind === "refused" ? applied.reason : PARSE_REFUSALS[compare(applied.before, applied.after)];
  return reason === null ? { kind: "verified", replacement } : { kind: "prose", reason, text: replacement };
}

const OVER_LIMIT = `the file is over ${MAX_PARSED_CHARS / 1024} KB, the size limit for verifying suggestions`;

const PARSE_REFUSALS: Readonly<Record<ParseComparison, string | null>> = {
  "as-before": null,
  worse: "the file wouldn't parse with it",
  unbalanced: "its brackets don't match those of the lines it replaces",
  prose: "it contains prose instead of code",
  "cut-off": "its last line looks incomplete",
  "too-large": OVER_LIMIT,
  "no-parser": "Kodiai has no parser for this language",
  "not-checked": "the parser couldn't check it",
};

export function applySuggestion(suggestion: string, place: SuggestionPlace): AppliedSuggestion {
  const replacement = cleanSuggestion(suggestion, place.anchor, place.text);
  const applied = tryToApply(replacement, place);
  return typeof applied === "string"
    ? { kind: "refused", replacement, reason: applied }
    : { kind: "applied", replacement, ...applied };
}

/** Returns the reason as text when the suggestion can't be applied. */
function tryToApply(
  suggestion: string,
  { anchor, text, isOverLimit }: SuggestionPlace,
): string | { readonly before: string; readonly after: string } {
  if (anchor === null) return "the finding has no line in the change";
  if (anchor.side === "old") return "it's about removed code";
  if (text === null) return isOverLimit === true ? OVER_LIMIT : "the content of the file isn't available";
  const lines = text.replace(/\r\n/g, "\n").split("\n");
  const current = lines.slice(anchor.startLine - 1, anchor.endLine);
  if (current.join("\n") !== anchor.lines.join("\n")) return "it doesn't apply to the file at the head";
  const replacement = suggestion.split("\n");
  if (replacement.length > MAX_SUGGESTION_LINES) return `it's longer than ${MAX_SUGGESTION_LINES} lines`;
  if (replacement.join("\n") === current.join("\n")) return "it changes nothing";
  if (suggestion.includes("\r")) return "it has mixed line endings";
  const placeholder = findPlaceholder(replacement, anchor, lines);
  if (placeholder !== null) return `line ${placeholder} is a placeholder, not code`;
  if (suggestion !== "" && !keepsIndentation(current, replacement)) return "it doesn't keep the indentation";
  const after = lines.toSpliced(
    anchor.startLine - 1,
    current.length,
    ...(suggestion === "" ? [] : replacement),
  );
  return { before: lines.join("\n"), after: after.join("\n") };
}
