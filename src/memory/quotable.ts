/** One line without quotes, so that a text can't end its own quotation. */
export function quotable(text: string, maxChars = text.length): string {
  return text
    .replaceAll(/[\s"`]+/g, " ")
    .trim()
    .slice(0, maxChars)
    .toWellFormed();
}
