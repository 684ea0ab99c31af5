/** One line of untrusted text in a list: a description, a note, a title. */
import { neutraliseInline } from "./safe-markdown.ts";

/** Enough for a sentence or two. */
export const MAX_ITEM_CHARS = 500;

export function item(text: string): string {
  return neutraliseInline(cutChars(text, MAX_ITEM_CHARS));
}

export function cutChars(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)} …`;
}
