/** Settings of the app as the program reads them, for tests of files that set them. */
import { generateKeyPairSync } from "node:crypto";
import { type AppSettings, readAppSettings } from "../../src/config/server-settings.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });

/** The operator brings these. */
export const APP_SECRETS = {
  GITHUB_APP_ID: "12345",
  GITHUB_PRIVATE_KEY: Buffer.from(privateKey.export({ type: "pkcs1", format: "pem" })).toString("base64"),
  GITHUB_WEBHOOK_SECRET: "0123456789abcdef0123",
};

export function settingsOf(environment: Readonly<Record<string, string>>): AppSettings {
  return readAppSettings({ environment, dotEnv: null, readText: () => null });
}

/** The names of all settings, by watching which of them are asked for. */
export function settingNames(): ReadonlySet<string> {
  const names = new Set<string>();
  const environment = new Proxy<Record<string, string>>(APP_SECRETS, {
    get(secrets, name) {
      names.add(String(name));
      return Reflect.get(secrets, name);
    },
  });
  settingsOf(environment);
  return names;
}
