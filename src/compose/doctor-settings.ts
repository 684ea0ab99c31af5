/** Reads all settings for a report about them: what is invalid is a list, not an error. */
import { KodiaiError } from "../base/errors.ts";
import { type DashboardSettings, readDashboardSettings } from "../config/dashboard-settings.ts";
import { type EmbeddingSettings, readEmbeddingSettings } from "../config/embedding-settings.ts";
import { type ModelSettings, readModelSettings } from "../config/model-settings.ts";
import { readProxySettings } from "../config/proxy-settings.ts";
import { readRegistrySettings } from "../config/registry-settings.ts";
import { type AppSettings, namesApp, readAppSettings } from "../config/server-settings.ts";
import type { SettingProblem, SettingsSource } from "../config/settings-reader.ts";

/** Everything that could be read; null for what is invalid or missing. */
export type DoctorSettings = {
  /** An app is configured here, perhaps incompletely. */
  readonly isApp: boolean;
  readonly app: AppSettings | null;
  readonly dashboard: DashboardSettings | null;
  readonly models: ModelSettings | null;
  readonly embeddings: EmbeddingSettings | null;
  readonly problems: readonly SettingProblem[];
};

/** As the server reads them if an app is configured, and otherwise as the command line does, without `.env`. */
export function readDoctorSettings(given: SettingsSource): DoctorSettings {
  const isApp = namesApp(given);
  const problems = new Map<string, SettingProblem>();
  const source: SettingsSource = {
    ...given,
    dotEnv: isApp ? given.dotEnv : null,
    onProblem: (problem) => void problems.set(`${problem.name} ${problem.message}`, problem),
  };
  const models = unlessInvalid(() => readModelSettings(source));
  const embeddings = unlessInvalid(() => readEmbeddingSettings(source));
  unlessInvalid(() => readRegistrySettings(source));
  unlessInvalid(() => readProxySettings(source));
  const app = isApp ? unlessInvalid(() => readAppSettings(source)) : null;
  const dashboard = isApp ? unlessInvalid(() => readDashboardSettings(source)) : null;
  return { isApp, app, dashboard, models, embeddings, problems: [...problems.values()] };
}

function unlessInvalid<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    // The problems were reported one by one.
    if (error instanceof KodiaiError && error.code === "config") return null;
    throw error;
  }
}
