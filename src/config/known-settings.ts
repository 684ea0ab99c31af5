/** Kodiai's own variables. A name that isn't listed has no effect, so that a typing error would go unnoticed. */
import { nearest } from "../base/nearest.ts";
import { BUDGET_VARIABLES, LIMIT_VARIABLES } from "./model-variables.ts";
import type { SettingsSource } from "./settings-reader.ts";

const PREFIX = "KODIAI_";

export const KNOWN_SETTINGS: readonly string[] = [
  "KODIAI_ADVISORIES",
  "KODIAI_CACHE_GB",
  "KODIAI_COMPATIBLE_KEY",
  "KODIAI_COMPATIBLE_URL",
  "KODIAI_DASHBOARD",
  "KODIAI_DASHBOARD_ADMINS",
  "KODIAI_DASHBOARD_URL",
  "KODIAI_DATA",
  "KODIAI_DATABASE_CONNECTIONS",
  "KODIAI_EMBEDDINGS",
  "KODIAI_EMBEDDINGS_KEY",
  "KODIAI_EMBEDDINGS_URL",
  "KODIAI_FAULT_POINT",
  "KODIAI_FAULT_PULL_REQUEST",
  "KODIAI_FORGET_AFTER_DAYS",
  "KODIAI_HOSTS",
  "KODIAI_LEASE_SECONDS",
  "KODIAI_MARKER_SECRET",
  "KODIAI_METRICS_TOKEN",
  "KODIAI_MODEL",
  "KODIAI_MODEL_CONCURRENCY",
  "KODIAI_NPM_REGISTRY",
  "KODIAI_OFFLINE",
  "KODIAI_PRICES",
  "KODIAI_PRIVATE_HOSTS",
  "KODIAI_RECORD_RUNS",
  "KODIAI_WEBHOOK_RELAY",
  ...Object.values(BUDGET_VARIABLES),
  ...Object.values(LIMIT_VARIABLES),
];

export type UnknownSetting = {
  readonly name: string;
  /** The name that was probably meant; null if none is near. */
  readonly nearest: string | null;
};

/** The variables with our prefix that Kodiai doesn't know, of the environment and of `.env`. */
export function findUnknownSettings({
  environment,
  dotEnv,
}: Pick<SettingsSource, "environment" | "dotEnv">): readonly UnknownSetting[] {
  const file = dotEnv === null ? {} : process.getBuiltinModule("node:util").parseEnv(dotEnv);
  const names = new Set([...Object.keys(environment), ...Object.keys(file)]);
  return [...names]
    .filter((name) => name.toUpperCase().startsWith(PREFIX) && !isKnown(name))
    .toSorted()
    .map((name) => ({ name, nearest: nearest(name, KNOWN_SETTINGS) }));
}

/** A secret may be in a file: its name ends in `_FILE` then. */
function isKnown(name: string): boolean {
  return KNOWN_SETTINGS.includes(name.replace(/(?<=_(?:KEY|TOKEN|SECRET))_FILE$/, ""));
}
