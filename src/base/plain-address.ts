/** An http or https address without a user, a query or a fragment. Null for any other text. */
export function parsePlainAddress(text: string): URL | null {
  const url = URL.parse(text);
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === "");
  return isPlain ? url : null;
}
