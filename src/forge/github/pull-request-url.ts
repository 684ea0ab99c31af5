/** The address of a pull request's page. */
import type { PullRequestAddress } from "../forge.ts";

/** Parses https://github.com/acme/shop/pull/7 and ignores everything after the number. Null if it is no such address. */
export function parsePullRequestUrl(text: string): PullRequestAddress | null {
  const url = URL.parse(text);
  // URL.parse resolves "." and "..", so the path can't lead elsewhere.
  const match = /^\/([\w.-]+)\/([\w.-]+)\/pull\/(\d{1,12})(?:\/.*)?$/.exec(url?.pathname ?? "");
  const [, owner, name, number] = match ?? [];
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
  if (!isWeb || owner === undefined || name === undefined) return null;
  const { origin } = url;
  return {
    url: `${origin}/${owner}/${name}/pull/${Number(number)}`,
    origin,
    owner,
    name,
    number: Number(number),
  };
}
