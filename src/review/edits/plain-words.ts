/**
 * Text of a model or a person for a title or a commit message, where Markdown can't make it safe. Nothing in it mentions people, refers to
 * issues, links, closes anything, or skips checks. One line. Pure.
 */
import { printable } from "../../base/printable.ts";
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";

export function plainWords(text: string, maxChars: number): string {
  const plain = printable(maskCredentials(text).replaceAll(/\s+/g, " "))
    .replaceAll(/[a-z][a-z0-9+.-]{0,20}:\/\//gi, "")
    .replaceAll(/@(?=[\w-])/g, "")
    .replaceAll(/#(?=\d)/g, "")
    .replaceAll(/\bGH-(?=\d)/gi, "GH ")
    // Hosts read `[skip ci]` and `***NO_CI***` anywhere in a message.
    .replaceAll(/\[([^\]]{0,40})\]/g, "($1)")
    .replaceAll("***", "")
    .replaceAll(/skip-checks\s{0,5}:/gi, "skip checks")
    .trim();
  if (plain.length <= maxChars) return plain;
  const cut = plain.slice(0, maxChars - 1).toWellFormed();
  return `${cut.replace(/\s+\S{0,20}$/, "").trimEnd()}…`;
}
