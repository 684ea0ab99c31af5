/** Checks the address for cloning that the API names, before a token goes there. */
import { KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";

/** On github.com, and on GitHub Enterprise Cloud with data residency, the API has a host of its own: `api.` before the other. */
const API_PREFIX = "api.";

/** The address must be on the host of GITHUB_API_URL, over TLS unless the API itself is reached without, as in tests. */
export function requireCloneUrl(cloneUrl: string, apiUrl: string): string {
  const api = new URL(apiUrl);
  const address = URL.canParse(cloneUrl) ? new URL(cloneUrl) : null;
  const hosts = [api.host, ...(api.host.startsWith(API_PREFIX) ? [api.host.slice(API_PREFIX.length)] : [])];
  if (address === null || !hosts.includes(address.host)) {
    const named = address === null ? "no address" : printable(address.host);
    throw new KodiaiError("config", `GitHub names a clone address on another host (${named})`, {
      hint: `Check GITHUB_API_URL: repositories are fetched only from ${hosts.join(" or ")}.`,
    });
  }
  if (address.protocol === "https:" || (address.protocol === "http:" && api.protocol === "http:"))
    return cloneUrl;
  throw new KodiaiError("config", "GitHub names a clone address that doesn't use https", {
    hint: "Set up TLS on the GitHub Enterprise Server, or reach its API over https.",
  });
}
