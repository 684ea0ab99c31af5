/**
 * Masks secrets. Every place that hides one uses these functions: logs, prompts, publications, the database and recordings. They
 * share one mark, so that a reader and a replay recognise a masked secret everywhere.
 */
import { findSecrets } from "./find-secrets.ts";
import { type SecretSpan, withoutOverlaps } from "./secret-span.ts";

/** The mark of a masked secret. */
export const MASK = "[masked]";

/** A mark that can be turned back, with the kind of the secret: `[masked:github-token:3f9a1c]`. */
export const PLACEHOLDER_SOURCE = String.raw`\[masked:([a-z0-9-]{1,60}):[0-9a-f-]{1,20}\]`;

export function placeholderOf(kind: string, id: string): string {
  return `[masked:${kind}:${id}]`;
}

/** Every form of a mark: with or without a kind, and the stars of same-length-mask.ts. */
const ANY_MASK = /\[masked(?::[a-z0-9-]{1,60}:[0-9a-f-]{1,20})?\]|\*+(?:\d+\*+)?/g;

/** The text with one star for every masked secret, to compare texts that were masked in different forms. */
export function withoutMasks(text: string): string {
  return text.replace(ANY_MASK, "*");
}

/** The text with each span replaced by `mask`, and everything else by `around`. */
export function maskSpans(
  text: string,
  spans: readonly SecretSpan[],
  mask: (secret: string, kind: string) => string,
  around: (part: string) => string = (part) => part,
): string {
  const parts: string[] = [];
  let from = 0;
  for (const { kind, start, end } of withoutOverlaps(spans)) {
    parts.push(around(text.slice(from, start)), mask(text.slice(start, end), kind));
    from = end;
  }
  parts.push(around(text.slice(from)));
  return parts.join("");
}

/** Where a secret continues on another line, the diff marker and the indentation before it stay. */
const FIRST_LINE = /^()(.*?)(\r?)$/s;
const NEXT_LINE = /^([+ -]?[ \t]*)(.*?)(\r?)$/s;

/** Masks a secret line by line: line breaks stay, so a masked diff is still a diff and each line can be quoted alone. */
export function maskLines(secret: string, mask: (line: string) => string): string {
  return secret
    .split("\n")
    .map((line, index) => {
      const [, before = "", value = "", after = ""] = (index === 0 ? FIRST_LINE : NEXT_LINE).exec(line) ?? [];
      return value === "" ? line : `${before}${mask(value)}${after}`;
    })
    .join("\n");
}

/** The text with a mark on every line of every secret. */
export function maskSecrets(text: string): string {
  return maskSpans(text, findSecrets(text), (secret) => maskLines(secret, () => MASK));
}
