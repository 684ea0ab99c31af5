/** The configuration of a repository that has none. Light on purpose: most runs start here, and load no YAML and no zod. */
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
