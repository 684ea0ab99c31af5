/** Configuration of a repository without a file. It loads neither YAML nor zod, because most runs start here. */
import { DEFAULT_CONFIG } from "./default-config.ts";
import type { ConfigTree, LoadedConfig } from "./repo-config.ts";

const DEFAULTS: LoadedConfig = {
  values: DEFAULT_CONFIG,
  isSet: () => false,
  originOf: () => "default",
};

export function noConfig(): ConfigTree {
  return { root: DEFAULTS, forPath: () => DEFAULTS, compilePattern: () => null, problems: [], files: [] };
}
