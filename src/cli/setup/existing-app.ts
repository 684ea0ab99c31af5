/** Finds the app whose settings a file already has, so that an interrupted setup goes on instead of creating a second app. */
import { parseEnv } from "node:util";
import { readFileSync } from "node:fs";
import { KodiaiError } from "../../base/errors.ts";
import { readAppSettings } from "../../config/server-settings.ts";
import type { AppCredentials, IdentifiedApp, EnvFile, Registrar } from "./registrar.ts";

export type ExistingApp =
  | {
      readonly kind: "usable";
      readonly app: AppCredentials & IdentifiedApp;
    }
  /** The reason is a sentence for the person, who decides. */
  | { readonly kind: "unusable"; readonly reason: string };

/** Names of settings that mean that there is an app, also as the name of a file. */
const APP_SETTING = /^GITHUB_(?:APP_ID|PRIVATE_KEY|WEBHOOK_SECRET)(?:_FILE)?$/;

/** Null if the file has no settings of an app. */
export async function findExistingApp(
  file: EnvFile,
  registrar: Pick<Registrar, "apiUrl" | "identifyApp">,
): Promise<ExistingApp | null> {
  const text = await file.read();
  const found = Object.entries(parseEnv(text)).filter(
    ([name, value]) => APP_SETTING.test(name) && (value ?? "").trim() !== "",
  );
  if (found.length === 0) return null;
  const { path } = file;
  const settings = readSettingsIn(text);
  if (settings === null) {
    const names = found.map(([name]) => name).join(", ");
    return { kind: "unusable", reason: `${path} has incomplete settings of a GitHub App: ${names}` };
  }
  if (settings.apiUrl !== registrar.apiUrl) {
    return {
      kind: "unusable",
      reason: `${path} has the settings of an app on another GitHub, ${settings.apiUrl}; choose it with --url to go on with that app`,
    };
  }
  const app = await registrar.identifyApp(settings);
  if (app === null)
    return { kind: "unusable", reason: `${path} has settings of a GitHub App that GitHub doesn't accept` };
  const { appId, privateKeyPem } = settings;
  return { kind: "usable", app: { appId, privateKeyPem, ...app } };
}

/** Null if they are incomplete. */
function readSettingsIn(text: string) {
  try {
    return readAppSettings({ environment: {}, dotEnv: text, readText: readTextIfAny });
  } catch (error) {
    if (error instanceof KodiaiError) return null;
    throw error;
  }
}

function readTextIfAny(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
