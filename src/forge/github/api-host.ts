/** The hosts of repositories, by which their keys differ from those of other hosts, and of the API. */

/** On github.com, and on GitHub Enterprise Cloud with data residency, the API's host has the prefix `api.`. */
const API_PREFIX = "api.";

/** Returns "github.com" for `https://api.github.com`, and the host of an Enterprise Server for its API. */
export function hostOfApi(apiUrl: string): string {
  const { host } = new URL(apiUrl);
  return host.startsWith(API_PREFIX) ? host.slice(API_PREFIX.length) : host;
}

/** The reverse: `https://github.com` has its API at `https://api.github.com`. Takes the address that people open. */
export function apiUrlOf(webUrl: string): string {
  const { host, origin, protocol } = new URL(webUrl);
  const hasPrefix = host === "github.com" || host.endsWith(".ghe.com");
  return hasPrefix ? `${protocol}//${API_PREFIX}${host}` : `${origin}/api/v3`;
}
