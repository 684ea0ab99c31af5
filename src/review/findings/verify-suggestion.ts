/**
 * Checks a suggestion before it is offered for committing: it must apply to exactly the anchored lines of the file at the
 * head, keep their indentation and line ends, and leave the file parsing as well as before. Otherwise it is told as prose.
 */
import type { Syntax } from "../../syntax/syntax.ts";
import type { Anchor, SuggestionVerdict } from "./finding.ts";

/** A longer replacement is a rewrite that deserves a person's hands. */
const MAX_SUGGESTION_LINES = 40;

export type SuggestionPlace = {
  readonly anchor: Anchor | null;
  /** The whole file at the head; null when it is not known. */
  readonly text: string | null;
  readonly language: string;
  readonly syntax: Syntax | null;
};

export function verifySuggestion(suggestion: string | null, place: SuggestionPlace): SuggestionVerdict {
  if (suggestion === null) return { kind: "none" };
  const reason = refusal(suggestion, place);
  return reason === null
    ? { kind: "verified", replacement: normalise(suggestion) }
    : { kind: "prose", reason, text: normalise(suggestion) };
}

function normalise(suggestion: string): string {
  return suggestion.replace(/\r\n/g, "\n").replace(/\n$/, "");
}

function refusal(suggestion: string, { anchor, text, language, syntax }: SuggestionPlace): string | null {
  if (anchor === null) return "it has no place in the change";
  if (anchor.side === "old") return "it is about removed code";
  if (text === null) return "the file at the head is not known";
  const lines = text.replace(/\r\n/g, "\n").split("\n");
  const current = lines.slice(anchor.startLine - 1, anchor.endLine);
  if (current.join("\n") !== anchor.lines.join("\n")) return "it does not apply to the file at the head";
  const replacement = normalise(suggestion).split("\n");
  if (replacement.length > MAX_SUGGESTION_LINES) return `it is longer than ${MAX_SUGGESTION_LINES} lines`;
  if (replacement.join("\n") === current.join("\n")) return "it changes nothing";
  if (normalise(suggestion).includes("\r")) return "its line ends are mixed";
  if (normalise(suggestion) !== "" && !keepsIndentation(current, replacement))
    return "it does not keep the indentation";
  const after = lines.toSpliced(
    anchor.startLine - 1,
    current.length,
    ...(normalise(suggestion) === "" ? [] : replacement),
  );
  return parsesAsBefore(lines.join("\n"), after.join("\n"), language, syntax)
    ? null
    : parseRefusal(language, syntax);
}

function keepsIndentation(current: readonly string[], replacement: readonly string[]): boolean {
  return indentation(current) === indentation(replacement);
}

/** The smallest indentation of the lines that have text. */
function indentation(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  return indents.toSorted((a, b) => a.length - b.length)[0] ?? "";
}

function parsesAsBefore(before: string, after: string, language: string, syntax: Syntax | null): boolean {
  if (syntax === null || !syntax.supports(language)) return false;
  const errorsBefore = syntax.countErrors(language, before);
  const errorsAfter = syntax.countErrors(language, after);
  return errorsBefore !== null && errorsAfter !== null && errorsAfter <= errorsBefore;
}

function parseRefusal(language: string, syntax: Syntax | null): string {
  return syntax === null || !syntax.supports(language)
    ? `there is no parser for ${language} here to check it with`
    : "the file would not parse with it";
}
