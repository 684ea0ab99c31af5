/** JSON with comments and trailing commas, as in tsconfig.json and deno.jsonc. */
import { type JsonTable, parseJsonObject } from "../../base/documents/json-file.ts";

/** The largest manifests in use have some 200 kB; a longer text is data. */
export const MAX_MANIFEST_CHARS = 2_000_000;

/** Null for a text that isn't an object, or is too long. */
export function parseJsonc(text: string): JsonTable | null {
  if (text.length > MAX_MANIFEST_CHARS) return null;
  return parseJsonObject(text) ?? parseJsonObject(toJson(text));
}

/** Without comments and trailing commas, in one pass. */
function toJson(text: string): string {
  const kept: string[] = [];
  let pendingComma = false;
  for (let at = 0; at < text.length;) {
    const end = endOfPart(text, at);
    const part = text.slice(at, end);
    at = end;
    if (part.startsWith("/") || part.trim() === "" || part === "\ufeff") continue;
    if (pendingComma && part !== "}" && part !== "]") kept.push(",");
    pendingComma = part === ",";
    if (!pendingComma) kept.push(part);
  }
  return kept.join("");
}

/** A string, a comment, a run of letters and digits, or one character. */
function endOfPart(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first === "/" && text[start + 1] === "/") return endAfter(text, text.indexOf("\n", start), 0);
  if (first === "/" && text[start + 1] === "*") return endAfter(text, text.indexOf("*/", start + 2), 2);
  let at = start;
  while (at < text.length && /[\w.+-]/.test(text[at] ?? "")) at++;
  return Math.max(at, start + 1);
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"' && text[at] !== "\n") at += text[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, text.length);
}

function endAfter(text: string, index: number, length: number): number {
  return index === -1 ? text.length : index + length;
}
