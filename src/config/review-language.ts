/** Describes what `review.language` applies to. */
import { printable } from "../base/printable.ts";

const ENGLISH = /^en(?:[-_]|$)|^english$/i;

export function isEnglish(language: string): boolean {
  return ENGLISH.test(language);
}

/** Note for a user who set another language; null for English. */
export function describeLanguageReach(language: string): string | null {
  if (isEnglish(language)) return null;
  return `review.language (${printable(language)}) applies to the model's findings; built-in rules and Kodiai's own text are in English`;
}
