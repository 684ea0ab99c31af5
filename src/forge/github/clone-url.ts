/** Checks the clone URL from the API before a token is sent to it. */
import { KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import { hostOfApi } from "./api-host.ts";

/** Whether the address uses https. http is allowed where the API itself uses it, as in tests. */
export function isEncryptedLike(apiUrl: string, { protocol }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && new URL(apiUrl).protocol === "http:");
}

/** The URL must be on the host of GITHUB_API_URL and use https, unless the API itself uses http, as in tests. */
export function requireCloneUrl(cloneUrl: string, apiUrl: string): string {
  const api = new URL(apiUrl);
  const address = URL.canParse(cloneUrl) ? new URL(cloneUrl) : null;
  const hosts = [...new Set([api.host, hostOfApi(apiUrl)])];
  if (address === null || !hosts.includes(address.host)) {
    const named = address === null ? "not a URL" : printable(address.host);
    throw new KodiaiError("config", `GitHub returned a clone URL on another host (${named})`, {
      hint: `Check GITHUB_API_URL. Kodiai fetches repositories only from ${hosts.join(" or ")}.`,
    });
  }
  if (isEncryptedLike(apiUrl, address)) return cloneUrl;
  throw new KodiaiError("config", "GitHub returned a clone URL that doesn't use https", {
    hint: "Set up TLS on the GitHub Enterprise Server, and use https in GITHUB_API_URL.",
  });
}
