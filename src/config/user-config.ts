/** The user's configuration for command-line reviews: the model to use with their keys. It's outside of any repository. */
import { isAbsolute, join } from "node:path";
import { KodiaiError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import { MAX_CONFIG_BYTES } from "./repo-config/config-file.ts";
import type { SettingsSource } from "./settings-reader.ts";

/** `$XDG_CONFIG_HOME/kodiai/config.yml` or below `~/.config`; null without a home folder. A relative folder could belong to a repository. */
export function userConfigPath(environment: SettingsSource["environment"]): string | null {
  const folder = folderOfUser(environment, environment["XDG_CONFIG_HOME"], ".config");
  return folder === null ? null : join(folder, "config.yml");
}

/** `$XDG_CACHE_HOME/kodiai` or below `~/.cache`; null without a home folder. */
export function userCacheFolder(environment: SettingsSource["environment"]): string | null {
  const { XDG_CACHE_HOME: configured } = environment;
  return folderOfUser(environment, configured, ".cache");
}

function folderOfUser(
  { HOME: home, USERPROFILE: profile }: SettingsSource["environment"],
  configured: string | undefined,
  name: string,
): string | null {
  const folders = [configured, ...[home, profile].map((each) => (each ? join(each, name) : undefined))];
  const folder = folders.find((each) => each !== undefined && isAbsolute(each));
  return folder === undefined ? null : join(folder, "kodiai");
}

/** The `model` in that file; null if it isn't set or there is no such file. */
export async function readUserModel({
  environment,
  readText,
}: Pick<SettingsSource, "environment" | "readText">): Promise<string | null> {
  const path = userConfigPath(environment);
  const text = path === null ? null : readText(path, MAX_CONFIG_BYTES);
  if (path === null || text === null) return null;
  const { parseConfigTree } = await import("./repo-config/parse-config.ts");
  const { root, problems } = parseConfigTree([{ path: "config.yml", text }]);
  const others = Object.keys(root.values).filter((key) => key !== "model" && root.isSet(key));
  const messages = [
    ...problems.map(({ line, message }) => `${line === null ? "" : `line ${line}: `}${message}`),
    ...others.map((key) => `"${key}" isn't allowed here`),
  ];
  if (messages.length === 0) return root.values.model ?? null;
  throw new KodiaiError("config", `${printable(path)}: ${messages.join("; ")}`, {
    hint: "Kodiai only reads `model` from this file. Set `model: floor` for built-in rules only, or `model: provider:name`.",
  });
}
