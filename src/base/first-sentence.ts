/** The first sentence of a text, on one line; the whole text if no sentence of a usual length ends in it. */
export function firstSentence(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return /^.{10,400}?[.!?](?= [A-Z`'"]|$)/.exec(line)?.[0] ?? line;
}
