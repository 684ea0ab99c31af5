/** Reads and checks the options of `kodiai setup`. */
import { parsePlainAddress } from "../../base/plain-address.ts";
import { randomBytes } from "node:crypto";
import type { Command, ParsedArguments } from "../command.ts";
import { readNumber } from "../number-options.ts";
import { usage } from "../parse-arguments.ts";
import type { CallbackAddress } from "./callback-server.ts";

export type SetupOptions = {
  /** Without a path. */
  readonly webUrl: string;
  readonly organization: string | null;
  readonly name: string;
  /** With its path; null if it isn't known yet. */
  readonly webhookUrl: string | null;
  readonly relay: string | null;
  readonly envFile: string;
  readonly isReplacing: boolean;
  readonly isComplete: boolean;
  readonly opensBrowser: boolean;
  readonly callback: CallbackAddress;
};

/** GitHub's limit. */
const MAX_NAME_CHARS = 34;

const WEBHOOK_PATH = "/webhooks/github";

export function readSetupOptions(
  command: Pick<Command, "name">,
  options: ParsedArguments["options"],
): SetupOptions {
  const text = (name: string): string | null => {
    const value = options[name];
    return typeof value === "string" ? value : null;
  };
  const address = (name: string): URL | null => {
    const value = text(name);
    if (value === null) return null;
    const url = parsePlainAddress(value);
    if (url === null) throw usage(command, `--${name} must be an address such as https://your-host`);
    return url;
  };
  const organization = text("organization");
  if (organization !== null && !/^[\w-]{1,100}$/.test(organization))
    throw usage(command, "--organization must be the name of an organization, as in its address");
  const name = text("name") ?? `kodiai-${organization ?? randomBytes(3).toString("hex")}`;
  if (text("name") !== null && name.length > MAX_NAME_CHARS)
    throw usage(command, `--name must have at most ${MAX_NAME_CHARS} characters`);
  const [publicUrl, relay] = [address("public-url"), address("relay")];
  if (publicUrl !== null && relay !== null)
    throw usage(command, "--public-url and --relay can't be combined: webhooks have one address");
  if (publicUrl?.pathname === "/") publicUrl.pathname = WEBHOOK_PATH;
  return {
    webUrl: (address("url") ?? new URL("https://github.com")).origin,
    organization,
    name: name.slice(0, MAX_NAME_CHARS),
    webhookUrl: publicUrl?.href ?? null,
    relay: relay?.href.replace(/\/+$/, "") ?? null,
    envFile: text("settings") ?? ".env",
    isReplacing: options["replace"] === true,
    isComplete: options["all-permissions"] === true,
    opensBrowser: options["no-browser"] !== true,
    callback: {
      host: text("host") ?? "127.0.0.1",
      port: readNumber(command, options, "port", { min: 0, max: 65_535 }) ?? 0,
      publicUrl: address("callback-url")?.href ?? null,
    },
  };
}
