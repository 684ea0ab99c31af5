/** The value of `--pr`. */
import type { PullRequestAddress } from "../forge/forge.ts";
import type { CliCode, Command } from "./command.ts";
import { usage } from "./parse-arguments.ts";

export function parseAddress(
  text: string,
  command: Pick<Command, "name">,
  { parsePullRequestUrl }: Pick<CliCode, "parsePullRequestUrl">,
): PullRequestAddress {
  const address = parsePullRequestUrl(text);
  if (address !== null) return address;
  throw usage(command, "--pr must be the URL of a pull request, such as https://github.com/acme/shop/pull/7");
}
