/** The value of `--pr`. */
import type { PullRequestAddress } from "./app.ts";
import type { Command } from "./command.ts";
import { usage } from "./parse-arguments.ts";

/** Parses https://github.com/acme/shop/pull/7 and ignores everything after the number. */
export function parseAddress(text: string, command: Pick<Command, "name">): PullRequestAddress {
  const url = URL.parse(text);
  // URL.parse resolves "." and "..", so the path can't lead elsewhere.
  const match = /^\/([\w.-]+)\/([\w.-]+)\/pull\/(\d{1,12})(?:\/.*)?$/.exec(url?.pathname ?? "");
  const [, owner, name, number] = match ?? [];
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
  if (!isWeb || owner === undefined || name === undefined)
    throw usage(
      command,
      "--pr must be the URL of a pull request, such as https://github.com/acme/shop/pull/7",
    );
  return { origin: url.origin, owner, name, number: Number(number) };
}
