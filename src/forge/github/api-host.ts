/** The host of repositories, by which their keys differ from those of other hosts. */

/** On github.com, and on GitHub Enterprise Cloud with data residency, the API's host has the prefix `api.`. */
const API_PREFIX = "api.";

/** Returns "github.com" for `https://api.github.com`, and the host of an Enterprise Server for its API. */
export function hostOfApi(apiUrl: string): string {
  const { host } = new URL(apiUrl);
  return host.startsWith(API_PREFIX) ? host.slice(API_PREFIX.length) : host;
}
