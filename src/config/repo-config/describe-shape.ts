/** Describes shapes and values for problems, docs and explanations. Always one line, without control characters. */
import { printable } from "../../base/printable.ts";
import type { Shape } from "./schema-outline.ts";

/** Enough to recognize the value. A problem is one line in a terminal. */
const MAX_SHOWN_CHARS = 60;

/** The text after "expected": "one of auto, strict", "a whole number from 0 to 50". */
export function describeShape(shape: Shape): string {
  if (shape.kind === "boolean") return "true or false";
  if (shape.kind === "choice") return `one of ${shape.values.join(", ")}`;
  if (shape.kind === "list") return "a list";
  if (shape.kind === "number") {
    return `${shape.isInteger ? "a whole number" : "a number"} from ${shape.min} to ${shape.max}`;
  }
  if (shape.kind === "text") {
    return `text of ${shape.min > 0 ? `${shape.min} to` : "at most"} ${shape.max} characters`;
  }
  if (shape.kind === "either") return `${describeShape(shape.word.shape)}, or a mapping`;
  return "a mapping";
}

/** A value as written in YAML, on one line and not truncated. */
export function renderValue(value: unknown): string {
  if (value === undefined) return "not set";
  if (typeof value === "string" && /^[A-Za-z][\w./:@-]*$/.test(value) && !isYamlWord(value)) return value;
  return printable(JSON.stringify(value));
}

/** A value as shown in a problem: truncated, and text always in quotes. */
export function showValue(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (typeof value === "number") return String(value);
  const chars = Array.from(JSON.stringify(value));
  if (chars.length <= MAX_SHOWN_CHARS) return printable(chars.join(""));
  return `${printable(chars.slice(0, MAX_SHOWN_CHARS - 1).join(""))}…`;
}

/** YAML doesn't parse these as text unless they're quoted. */
function isYamlWord(value: string): boolean {
  return /^(?:true|false|null)$/i.test(value);
}
