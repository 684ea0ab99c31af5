/** Reads the settings of the dashboard: whether and where it is served, who administers the installation, and the App's OAuth. */
import { parsePlainAddress } from "../base/plain-address.ts";
import { trustedApiUrl } from "./server-settings.ts";
import { createSettingsReader, type SettingsReader, type SettingsSource } from "./settings-reader.ts";

export type DashboardSettings = {
  /** Null: it depends on where the server listens. */
  readonly mode: "on" | "off" | null;
  /** The address under which people open it, without a slash at the end; null if it isn't set. */
  readonly url: string | null;
  /** Logins. */
  readonly admins: readonly string[];
  /** The App's OAuth; null if it isn't set up. */
  readonly oauth: { readonly clientId: string; readonly clientSecret: string } | null;
  /** Without a trailing slash. */
  readonly apiUrl: string;
};

/** The path to which the App sends browsers back after a sign-in. */
export const SIGN_IN_CALLBACK = "/sign-in/callback";

/** More than any team of operators has. */
const MAX_ADMINS = 100;

/** GitHub's logins, and those of managed users, which have a short code after an underscore. */
const LOGIN = /^[a-z\d](?:[a-z\d_]|-(?=[a-z\d])){0,99}$/i;

const HOW_TO_GET = {
  GITHUB_CLIENT_ID:
    "Copy the “Client ID” on your app's settings page (Settings, Developer settings, GitHub Apps).",
  GITHUB_CLIENT_SECRET: "Select “Generate a new client secret” on your app's settings page.",
};

export function readDashboardSettings(source: SettingsSource): DashboardSettings {
  const reader = createSettingsReader(source, HOW_TO_GET);
  const settings = {
    mode: reader.choice("KODIAI_DASHBOARD", ["on", "off"]),
    url: dashboardUrl(reader),
    admins: readAdmins(reader),
    oauth: readOauth(reader),
    apiUrl: trustedApiUrl(
      reader,
      reader.text("GITHUB_CLIENT_SECRET") === null ? "GITHUB_PRIVATE_KEY" : "GITHUB_CLIENT_SECRET",
    ),
  };
  reader.throwIfInvalid();
  return settings;
}

/** Browsers keep a session's cookie from others only with https, or on the machine itself. */
function dashboardUrl(reader: SettingsReader): string | null {
  const name = "KODIAI_DASHBOARD_URL";
  const value = reader.text(name);
  if (value === null) return null;
  const message =
    "must be the address under which people open the dashboard, such as https://kodiai.example.org, without a path; http only works for this machine's own address";
  const address = parsePlainAddress(value);
  const url = address === null ? null : new URL(value);
  const isOwn = url !== null && /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/.test(url.hostname);
  if (url === null || url.pathname !== "/" || url.search !== "" || (url.protocol !== "https:" && !isOwn)) {
    reader.addProblem(name, message);
    return null;
  }
  return url.origin;
}

function readAdmins(reader: SettingsReader): readonly string[] {
  const name = "KODIAI_DASHBOARD_ADMINS";
  const admins = (reader.text(name) ?? "")
    .split(/[\s,]+/)
    .filter((login) => login !== "")
    .map((login) => login.replace(/^@/, ""));
  if (admins.length > MAX_ADMINS) reader.addProblem(name, `can list at most ${MAX_ADMINS} logins`);
  if (!admins.every((login) => LOGIN.test(login)))
    reader.addProblem(name, "must be logins on GitHub, separated by commas, such as ada,grace");
  return admins;
}

function readOauth(reader: SettingsReader): DashboardSettings["oauth"] {
  const [clientId, clientSecret] = [reader.text("GITHUB_CLIENT_ID"), reader.text("GITHUB_CLIENT_SECRET")];
  if (clientId !== null && clientSecret !== null) return { clientId, clientSecret };
  if (clientId !== null) reader.addProblem("GITHUB_CLIENT_SECRET", "is not set, but GITHUB_CLIENT_ID is");
  if (clientSecret !== null) reader.addProblem("GITHUB_CLIENT_ID", "is not set, but GITHUB_CLIENT_SECRET is");
  return null;
}
