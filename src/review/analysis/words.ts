/**
 * Words of identifiers and paths, so that "authToken", "auth_token" and "auth-token" read alike and "design" never
 * counts as "sign". It knows nothing about what the words mean.
 */

/** `HTTPServer2` gives HTTP, Server, 2: a run of capitals ends before the capital that begins the next word. */
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/** Lower-case words in order; characters that are neither letters nor digits only separate. */
export function wordsOf(text: string): readonly string[] {
  return (text.match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** The words with one space around each, for patterns such as / auth | sign in /. */
export function spacedWords(text: string): string {
  return ` ${wordsOf(text).join(" ")} `;
}
