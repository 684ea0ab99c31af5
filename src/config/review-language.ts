/** `review.language`, and how far it reaches. */
import { printable } from "../base/printable.ts";

const ENGLISH = /^en(?:[-_]|$)|^english$/i;

export function isEnglish(language: string): boolean {
  return ENGLISH.test(language);
}

/** What a person should know who has set it; null for English. */
export function describeLanguageReach(language: string): string | null {
  if (isEnglish(language)) return null;
  return `review.language (${printable(language)}) applies to what a model writes; the built-in rules and Kodiai's own text are in English`;
}
