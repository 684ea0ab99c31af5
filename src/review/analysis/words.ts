/**
 * Splits identifiers and paths into words, so that "authToken", "auth_token" and "auth-token" are equal and "design" never
 * matches "sign". It knows nothing about the meaning of words.
 */

/** `HTTPServer2` becomes HTTP, Server, 2: a run of capitals ends before the capital that starts the next word. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/** Lower-case words in order. Characters other than letters and digits are separators. */
export function wordsOf(text: string): readonly string[] {
  return (text.match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** The words with one space around each, for patterns such as / auth | sign in /. */
export function spacedWords(text: string): string {
  return ` ${wordsOf(text).join(" ")} `;
}
