/** Settings that are missing or malformed, and names with our prefix that don't exist. Values are never shown. */
import type { UnknownSetting } from "../../config/known-settings.ts";
import type { SettingProblem } from "../../config/settings-reader.ts";
import { type DoctorCheck, failure, fine, warning } from "../check.ts";

export type SettingsReport = {
  readonly problems: readonly SettingProblem[];
  readonly unknown: readonly UnknownSetting[];
};

export function createSettingsCheck({ problems, unknown }: SettingsReport): DoctorCheck {
  const invalid = problems.map(({ name, message, howToGet }) =>
    failure("setting-invalid", {
      what: `${name} ${message}.`,
      remedy: howToGet ?? "Correct it in the environment or in .env.",
    }),
  );
  const unused = unknown.map(({ name, nearest }) =>
    warning("setting-unknown", {
      what: `${name} is set, but Kodiai has no such setting.`,
      remedy: nearest === null ? "Remove it, or check its name." : `Did you mean ${nearest}?`,
    }),
  );
  const found = [...invalid, ...unused];
  return {
    name: "settings",
    run: async () => (found.length === 0 ? [fine("All settings are valid.")] : found),
  };
}
