/** The version that a Gradle version text selects; null for ranges, prefixes, `latest.…` and unresolved variables. */
export function selectVersion(text: string): string | null {
  const version = text.replace(/!!$/, "");
  return /^[^\s[\](),${}+]+$/.test(version) && !version.startsWith("latest.") ? version : null;
}
