/** Paths of our own pages, for going back after a sign-in or an action. Nothing else is ever a target. */

/** Longer addresses are none of our pages' filters. */
const MAX_CHARS = 2_000;

/** The path and query if they are one of ours; `/` otherwise. */
export function ownPath(given: string | null, isPage: (path: string) => boolean): string {
  if (given === null || given.length > MAX_CHARS || !given.startsWith("/")) return "/";
  // A base that no address can name, so that `//host` and `/\host` show.
  const url = URL.parse(given, "http://own.invalid");
  if (url === null || url.origin !== "http://own.invalid" || !isPage(url.pathname)) return "/";
  return `${url.pathname}${url.search}`;
}

/** The page that sent a form, if it is one of ours. */
export function ownPathOfReferer(
  referer: string | undefined,
  origin: string,
  isPage: (path: string) => boolean,
): string {
  const url = referer === undefined ? null : URL.parse(referer);
  return url === null || url.origin !== origin ? "/" : ownPath(`${url.pathname}${url.search}`, isPage);
}
