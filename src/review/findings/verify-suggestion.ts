/**
 * Checks a suggestion before it is offered for committing: it must apply to exactly the anchored lines of the file at the
 * head, keep their indentation and line ends, hold no placeholders, and leave the file parsing as well as before. Otherwise it is
 * reported as prose.
 */
import { MAX_PARSED_CHARS } from "../../base/parse-limit.ts";
import { cleanSuggestion } from "./clean-suggestion.ts";
import { findPlaceholder } from "./find-placeholder.ts";
import type { Anchor, SuggestionVerdict } from "./finding.ts";
import { keepsIndentation } from "./indentation.ts";

/** A longer replacement is a rewrite that deserves a person's hands. */
const MAX_SUGGESTION_LINES = 40;

export type SuggestionPlace = {
  readonly anchor: Anchor | null;
  /** The whole file at the head; null when it is not known. */
  readonly text: string | null;
  /** The text is not known because there is too much of it. */
  readonly isOverLimit?: boolean;
};

/** How a file parses after a change to it: no worse than before, worse, or nobody can tell. */
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
  /** The suggestion without what is no part of it. */
  readonly replacement: string;
} & (
  | { readonly kind: "applied"; readonly before: string; readonly after: string }
  | { readonly kind: "refused"; readonly reason: string }
);

/** `compare` is asked about suggestions that can be applied. */
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

const OVER_LIMIT = `the file is over ${MAX_PARSED_CHARS / 1024} KB, the limit for checking a suggestion`;

const PARSE_REFUSALS: Readonly<Record<ParseComparison, string | null>> = {
  "as-before": null,
  worse: "the file would not parse with it",
  unbalanced: "its brackets don't match those of the lines it replaces",
  prose: "it has a sentence where code belongs",
  "cut-off": "it seems to be cut off: its last line is not complete",
  "too-large": OVER_LIMIT,
  "no-parser": "there is no parser for this language here to check it with",
  "not-checked": "it could not be checked with a parser",
};

export function applySuggestion(suggestion: string, place: SuggestionPlace): AppliedSuggestion {
  const replacement = cleanSuggestion(suggestion, place.anchor, place.text);
  const applied = tryToApply(replacement, place);
  return typeof applied === "string"
    ? { kind: "refused", replacement, reason: applied }
    : { kind: "applied", replacement, ...applied };
}

/** The reason when it can't be done. */
function tryToApply(
  suggestion: string,
  { anchor, text, isOverLimit }: SuggestionPlace,
): string | { readonly before: string; readonly after: string } {
  if (anchor === null) return "it has no place in the change";
  if (anchor.side === "old") return "it is about removed code";
  if (text === null) return isOverLimit === true ? OVER_LIMIT : "the file at the head is not known";
  const lines = text.replace(/\r\n/g, "\n").split("\n");
  const current = lines.slice(anchor.startLine - 1, anchor.endLine);
  if (current.join("\n") !== anchor.lines.join("\n")) return "it does not apply to the file at the head";
  const replacement = suggestion.split("\n");
  if (replacement.length > MAX_SUGGESTION_LINES) return `it is longer than ${MAX_SUGGESTION_LINES} lines`;
  if (replacement.join("\n") === current.join("\n")) return "it changes nothing";
  if (suggestion.includes("\r")) return "its line ends are mixed";
  const placeholder = findPlaceholder(replacement, anchor, lines);
  if (placeholder !== null) return `its line ${placeholder} is a placeholder, not code`;
  if (suggestion !== "" && !keepsIndentation(current, replacement)) return "it does not keep the indentation";
  const after = lines.toSpliced(
    anchor.startLine - 1,
    current.length,
    ...(suggestion === "" ? [] : replacement),
  );
  return { before: lines.join("\n"), after: after.join("\n") };
}
