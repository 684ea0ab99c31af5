/**
 * Creates the guard of one review. It keeps masked values in memory so that it can restore them, and never exposes them.
 * Otherwise pure: the same delimiter and text give the same result in any order.
 */
import { hashParts } from "../../base/hash.ts";
import { findSecrets } from "../../base/secrets/find-secrets.ts";
import { maskLines, maskSpans, placeholderOf } from "../../base/secrets/mask-secrets.ts";
import { cleanProse } from "./clean-prose.ts";
import type { Guard } from "./guard.ts";
import { escapeHidden, revealHidden } from "../../base/hidden-characters.ts";

/** Enough to distinguish the secrets of one review, too little to guess values from; the delimiter also acts as a key. */
const PLACEHOLDER_HEX_CHARS = 6;

/** Labels are short fixed texts. */
const MAX_LABEL_CHARS = 200;

/** `delimiter`: letters and digits that can't be guessed, such as 16 random hex digits. */
export function createGuard(delimiter: string): Guard {
  const placeholders = new Map<string, string>();
  const values = new Map<string, string>();
  const secrets = new Set<string>();
  const delimiterPlaceholder = placeholderOf("delimiter", "0");
  const fenceTag = new RegExp(
    `</?data-${delimiter}(?: label="[^"\\n]{0,${MAX_LABEL_CHARS * 2}}")?>\\n?`,
    "g",
  );
  values.set(delimiterPlaceholder, delimiter);

  function placeholderFor(value: string, kind: string): string {
    const known = placeholders.get(value);
    if (known !== undefined) return known;
    const hash = hashParts([delimiter, value], PLACEHOLDER_HEX_CHARS);
    let placeholder = placeholderOf(kind, hash);
    for (let copy = 2; values.has(placeholder); copy++) placeholder = placeholderOf(kind, `${hash}-${copy}`);
    placeholders.set(value, placeholder);
    values.set(placeholder, value);
    return placeholder;
  }

  function mask(text: string, escape: (part: string) => string): string {
    const maskSecret = (secret: string, kind: string): string => {
      secrets.add(secret);
      return maskLines(secret, (line) => placeholderFor(line, kind));
    };
    return maskSpans(text, findSecrets(text), maskSecret, escape);
  }

  return {
    prose: (text) => mask(cleanProse(text), (part) => part),
    code: (text) => mask(text, escapeHidden),
    fence(label, content) {
      const name = JSON.stringify(cleanProse(label).slice(0, MAX_LABEL_CHARS).toWellFormed());
      const inside = `${name}>\n${content}`.replaceAll(delimiter, delimiterPlaceholder);
      return `<data-${delimiter} label=${inside}\n</data-${delimiter}>`;
    },
    unfence: (text) => text.replace(fenceTag, "").replaceAll(delimiter, delimiterPlaceholder),
    reveal: (text) => revealHidden(text, (placeholder) => values.get(placeholder)),
    holdsSecret(text) {
      let isFound = false;
      revealHidden(text, (placeholder) => {
        isFound ||= placeholder !== delimiterPlaceholder && values.has(placeholder);
        return values.get(placeholder);
      });
      return isFound;
    },
    secretCount: () => secrets.size,
  } satisfies Guard;
}
