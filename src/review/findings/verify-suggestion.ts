/**
 * Checks a suggestion before it is offered for committing: it must apply to exactly the anchored lines of the file at the
 * head, keep their indentation and line ends, and leave the file parsing as well as before. Otherwise it is told as prose.
 */
import type { Anchor, SuggestionVerdict } from "./finding.ts";

/** A longer replacement is a rewrite that deserves a person's hands. */
const MAX_SUGGESTION_LINES = 40;

export type SuggestionPlace = {
  readonly anchor: Anchor | null;
  /** The whole file at the head; null when it is not known. */
  readonly text: string | null;
};

/** How a file parses after a change to it: no worse than before, worse, or nobody can tell. */
export type ParseComparison = "as-before" | "worse" | "no-parser" | "not-checked";

/** A file with a suggestion applied, or why it can't be applied. */
export type AppliedSuggestion =
  | { readonly kind: "applied"; readonly before: string; readonly after: string }
  | { readonly kind: "refused"; readonly reason: string };

/** `compare` is asked about suggestions that can be applied. */
export function verifySuggestion(
  suggestion: string | null,
  place: SuggestionPlace,
  compare: (before: string, after: string) => ParseComparison,
): SuggestionVerdict {
  if (suggestion === null) return { kind: "none" };
  const applied = applySuggestion(suggestion, place);
  const reason =
    applied.kind === "refused" ? applied.reason : PARSE_REFUSALS[compare(applied.before, applied.after)];
  return reason === null
    ? { kind: "verified", replacement: normalise(suggestion) }
    : { kind: "prose", reason, text: normalise(suggestion) };
}

const PARSE_REFUSALS: Readonly<Record<ParseComparison, string | null>> = {
  "as-before": null,
  worse: "the file would not parse with it",
  "no-parser": "there is no parser for this language here to check it with",
  "not-checked": "it could not be checked with a parser",
};

function normalise(suggestion: string): string {
  return suggestion.replace(/\r\n/g, "\n").replace(/\n$/, "");
}

export function applySuggestion(suggestion: string, place: SuggestionPlace): AppliedSuggestion {
  const applied = tryToApply(normalise(suggestion), place);
  return typeof applied === "string" ? { kind: "refused", reason: applied } : { kind: "applied", ...applied };
}

/** The reason when it can't be done. */
function tryToApply(
  suggestion: string,
  { anchor, text }: SuggestionPlace,
): string | { readonly before: string; readonly after: string } {
  if (anchor === null) return "it has no place in the change";
  if (anchor.side === "old") return "it is about removed code";
  if (text === null) return "the file at the head is not known";
  const lines = text.replace(/\r\n/g, "\n").split("\n");
  const current = lines.slice(anchor.startLine - 1, anchor.endLine);
  if (current.join("\n") !== anchor.lines.join("\n")) return "it does not apply to the file at the head";
  const replacement = suggestion.split("\n");
  if (replacement.length > MAX_SUGGESTION_LINES) return `it is longer than ${MAX_SUGGESTION_LINES} lines`;
  if (replacement.join("\n") === current.join("\n")) return "it changes nothing";
  if (suggestion.includes("\r")) return "its line ends are mixed";
  if (suggestion !== "" && !keepsIndentation(current, replacement)) return "it does not keep the indentation";
  const after = lines.toSpliced(
    anchor.startLine - 1,
    current.length,
    ...(suggestion === "" ? [] : replacement),
  );
  return { before: lines.join("\n"), after: after.join("\n") };
}

function keepsIndentation(current: readonly string[], replacement: readonly string[]): boolean {
  return indentation(current) === indentation(replacement);
}

/** The smallest indentation of the lines that have text. */
function indentation(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  return indents.toSorted((a, b) => a.length - b.length)[0] ?? "";
}
