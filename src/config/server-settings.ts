/**
 * Reads the settings of the GitHub App from the environment and a `.env` file. One error lists every setting that is
 * missing or invalid, and where to get it.
 */
import { DAY_MS } from "../base/day-ms.ts";
import { createPrivateKey } from "node:crypto";
import { dirname } from "node:path";
import {
  FAULT_POINTS,
  type FaultPoint,
  MENTION_FAULT_POINTS,
  MOVE_FAULT_POINTS,
} from "../base/fault-point.ts";
import { LOG_LEVELS, type LogLevel } from "../base/log.ts";
import {
  createSettingsReader,
  MAX_SECRET_BYTES,
  type SettingsReader,
  type SettingsSource,
} from "./settings-reader.ts";

export type StoreSettings = {
  readonly databaseUrl: string;
  /** Folder of the repository cache. */
  readonly dataFolder: string;
  readonly logLevel: LogLevel;
};

export type AppSettings = StoreSettings & {
  /** Maximum number of connections to a database server. */
  readonly databaseConnections: number;
  readonly appId: number;
  readonly privateKeyPem: string;
  readonly webhookSecret: string;
  /** Also accepted while the webhook secret is being replaced. */
  readonly previousWebhookSecret: string | null;
  /** The channel of a webhook relay, from which the server also receives webhooks; null for none. */
  readonly webhookRelay: string | null;
  /** Bearer token for metrics and readiness details. If null, neither is available. */
  readonly metricsToken: string | null;
  /** Without a trailing slash. */
  readonly apiUrl: string;
  readonly host: string;
  readonly port: number;
  /** How long a worker keeps a job without a heartbeat. */
  readonly leaseMs: number;
  /** How long a repository's data is kept after the app is uninstalled from it. */
  readonly forgetAfterMs: number;
  /** Maximum size of the repository cache on disk. */
  readonly cacheBytes: number;
  readonly faultPoint: FaultPoint | null;
  /** Only jobs of this pull request crash at the fault point; 0 for all. */
  readonly faultPullRequest: number;
};

const DEFAULT_DATABASE_URL = "sqlite:./data/kodiai.db";
const DEFAULT_API_URL = "https://api.github.com";
const DEFAULT_PORT = 3_000;
const DEFAULT_CACHE_GIGABYTES = 10;

/** With six heartbeats per lease, the job of a crashed worker restarts within 90 seconds. */
const DEFAULT_LEASE_SECONDS = 60;

/** A worker with a few slots uses some of them. A server uses more when many webhooks arrive at once. */
const DEFAULT_DATABASE_CONNECTIONS = 10;

/** Time to reinstall an app that was uninstalled by mistake. */
const DEFAULT_FORGET_AFTER_DAYS = 7;

const BYTES_PER_GIGABYTE = 1_000_000_000;

/** Shorter secrets can be guessed. GitHub recommends a random string with high entropy. */
const MIN_SECRET_CHARS = 16;

export function readStoreSettings(source: SettingsSource): StoreSettings {
  const reader = createSettingsReader(source, HOW_TO_GET);
  const settings = storeSettings(reader);
  reader.throwIfInvalid();
  return settings;
}

export type MoveSettings = StoreSettings & { readonly faultPoint: FaultPoint | null };

export function readMoveSettings(source: SettingsSource): MoveSettings {
  const reader = createSettingsReader(source, HOW_TO_GET);
  const faultPoint = reader.choice("KODIAI_FAULT_POINT", MOVE_FAULT_POINTS);
  const settings = { ...storeSettings(reader), faultPoint };
  reader.throwIfInvalid();
  return settings;
}

export function readAppSettings(source: SettingsSource): AppSettings {
  const reader = createSettingsReader(source, HOW_TO_GET);
  const settings = {
    ...storeSettings(reader),
    appId: reader.number("GITHUB_APP_ID", null, { min: 1, max: Number.MAX_SAFE_INTEGER }),
    privateKeyPem: privateKey(reader, source),
    webhookSecret: requiredSecret(reader, "GITHUB_WEBHOOK_SECRET"),
    previousWebhookSecret: secret(reader, "GITHUB_WEBHOOK_SECRET_PREVIOUS"),
    webhookRelay: reader.url(
      "KODIAI_WEBHOOK_RELAY",
      "must be the address of a channel, such as https://smee.io/abc123",
    ),
    metricsToken: secret(reader, "KODIAI_METRICS_TOKEN"),
    apiUrl: trustedApiUrl(reader, "GITHUB_PRIVATE_KEY"),
    host: reader.text("HOST") ?? "0.0.0.0",
    port: reader.number("PORT", DEFAULT_PORT, { min: 0, max: 65_535 }),
    leaseMs: reader.number("KODIAI_LEASE_SECONDS", DEFAULT_LEASE_SECONDS, { min: 2, max: 3_600 }) * 1_000,
    databaseConnections: reader.number("KODIAI_DATABASE_CONNECTIONS", DEFAULT_DATABASE_CONNECTIONS, {
      min: 2,
      max: 100,
    }),
    forgetAfterMs:
      reader.number("KODIAI_FORGET_AFTER_DAYS", DEFAULT_FORGET_AFTER_DAYS, { min: 0, max: 365 }) * DAY_MS,
    cacheBytes:
      reader.number("KODIAI_CACHE_GB", DEFAULT_CACHE_GIGABYTES, { min: 1, max: 10_000 }) * BYTES_PER_GIGABYTE,
    faultPoint: reader.choice("KODIAI_FAULT_POINT", [...FAULT_POINTS, ...MENTION_FAULT_POINTS]),
    faultPullRequest: reader.number("KODIAI_FAULT_PULL_REQUEST", 0, {
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
    }),
  };
  reader.throwIfInvalid();
  return settings;
}

/** Whether any setting of an app is there. Without one, this isn't the machine of an app, and nothing is missing. */
export function namesApp(source: SettingsSource): boolean {
  const reader = createSettingsReader(source);
  return ["GITHUB_APP_ID", "GITHUB_PRIVATE_KEY", "GITHUB_WEBHOOK_SECRET"].some(
    (name) => reader.text(name) !== null,
  );
}

/** Whether the operator named a database, instead of relying on the default. */
export function namesDatabase(source: SettingsSource): boolean {
  return createSettingsReader(source).text("DATABASE_URL") !== null;
}

export type ReaderSettings = {
  readonly apiUrl: string;
  /** The user's token; null for anonymous access. */
  readonly token: string | null;
  /** Folder for fetched repositories; null for the system's cache folder. */
  readonly dataFolder: string | null;
};

/** Settings for reading one pull request. The API URL follows from its web address, unless GITHUB_API_URL is set for that host. */
export function readReaderSettings(source: SettingsSource, origin: string): ReaderSettings {
  // The user may be in a checkout of the pull request. Its `.env` must not decide which host receives the user's token.
  const reader = createSettingsReader({ ...source, dotEnv: null }, HOW_TO_GET);
  const isGithub = origin === "https://github.com";
  const set = reader.text("GITHUB_API_URL") === null ? null : apiUrl(reader);
  const isSetForIt = set !== null && isApiOf(set, origin);
  // The token is only sent to the host it was set for, never to any host in a pull request's address.
  const isTrusted = set === null ? isGithub : isSetForIt;
  const settings = {
    apiUrl: isSetForIt ? set : isGithub ? DEFAULT_API_URL : `${origin}/api/v3`,
    token: isTrusted ? (reader.text("GITHUB_TOKEN") ?? reader.text("GH_TOKEN")) : null,
    dataFolder: reader.text("KODIAI_DATA"),
  };
  reader.throwIfInvalid();
  return settings;
}

export type OneShotSettings = ReaderSettings & {
  /** Signs what Kodiai leaves on a pull request; null for a key that anyone can derive. */
  readonly markerSecret: string | null;
  readonly logLevel: LogLevel;
  readonly faultPoint: FaultPoint | null;
};

/** Settings for a review with a given token, under the same rule of trust. */
export function readOneShotSettings(source: SettingsSource, origin: string): OneShotSettings {
  const reader = createSettingsReader({ ...source, dotEnv: null }, HOW_TO_GET);
  const settings = {
    ...readReaderSettings(source, origin),
    markerSecret: secret(reader, "KODIAI_MARKER_SECRET"),
    logLevel: reader.choice("LOG_LEVEL", LOG_LEVELS) ?? "warn",
    faultPoint: reader.choice("KODIAI_FAULT_POINT", [...FAULT_POINTS, ...MENTION_FAULT_POINTS]),
  };
  reader.throwIfInvalid();
  return settings;
}

/** Whether an API belongs to the host with this origin: same host, or the host with "api." in front. */
export function isApiOf(api: string, origin: string): boolean {
  const [apiHost, host] = [URL.parse(api)?.host, URL.parse(origin)?.host];
  return host !== undefined && (apiHost === host || apiHost === `api.${host}`);
}

const HOW_TO_GET: Readonly<Record<string, string>> = {
  GITHUB_APP_ID:
    "Copy the number under “App ID” on your app's settings page (Settings, Developer settings, GitHub Apps).",
  GITHUB_PRIVATE_KEY:
    "Select “Generate a private key” on your app's settings page. Set the PEM text, the path of the file, or the text in base64.",
  GITHUB_WEBHOOK_SECRET:
    "Generate a random text, for example with `openssl rand -hex 32`. Enter the same text under “Webhook secret” on your app's settings page.",
  GITHUB_WEBHOOK_SECRET_PREVIOUS:
    "Set the webhook secret that you're replacing. Remove it after you've entered the new one on GitHub.",
  KODIAI_MARKER_SECRET:
    "Generate a random text, for example with `openssl rand -hex 32`, and keep it as a secret of the repository.",
  KODIAI_METRICS_TOKEN:
    "Generate a random text, for example with `openssl rand -hex 32`. Prometheus must send the same text.",
};

function storeSettings(reader: SettingsReader): StoreSettings {
  const databaseUrl = reader.text("DATABASE_URL") ?? DEFAULT_DATABASE_URL;
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(databaseUrl)?.[1];
  return {
    databaseUrl,
    dataFolder: reader.text("KODIAI_DATA") ?? (path === undefined ? "data" : dirname(path)),
    logLevel: reader.choice("LOG_LEVEL", LOG_LEVELS) ?? "info",
  };
}

function privateKey(reader: SettingsReader, { readText }: SettingsSource): string {
  const name = "GITHUB_PRIVATE_KEY";
  const value = reader.text(name);
  if (value === null) {
    reader.addProblem(name, "is not set");
    return "";
  }
  const candidates = [
    () => value.replaceAll(String.raw`\n`, "\n"),
    () => Buffer.from(value, "base64").toString("utf8"),
    // A path is short and has one line. A longer value isn't looked up on disk.
    () => (value.length < 1_024 && !value.includes("\n") ? readText(value, MAX_SECRET_BYTES) : null),
  ];
  for (const candidate of candidates) {
    const pem = candidate();
    if (pem?.includes("PRIVATE KEY") === true && isPrivateKey(pem)) return pem;
  }
  reader.addProblem(name, "isn't an RSA private key as PEM text, as base64 or as the path of a PEM file");
  return "";
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

function requiredSecret(reader: SettingsReader, name: string): string {
  const value = secret(reader, name);
  if (value === null) reader.addProblem(name, "is not set");
  return value ?? "";
}

function secret(reader: SettingsReader, name: string): string | null {
  const value = reader.text(name);
  if (value !== null && value.length < MIN_SECRET_CHARS)
    reader.addProblem(name, `must have at least ${MIN_SECRET_CHARS} characters`);
  return value;
}

/** A `.env` file in a checkout must not decide which host receives a key from the environment. */
export function trustedApiUrl(
  reader: SettingsReader,
  key: "GITHUB_PRIVATE_KEY" | "GITHUB_CLIENT_SECRET",
): string {
  if (reader.isFromFile("GITHUB_API_URL") && !reader.isFromFile(key)) {
    reader.addProblem(
      "GITHUB_API_URL",
      `is set in .env, but ${key} is set in the environment; set both in the same place`,
    );
  }
  return apiUrl(reader);
}

function apiUrl(reader: SettingsReader): string {
  const message =
    "must be the URL of an API, such as https://api.github.com or https://ghe.example.org/api/v3";
  return reader.url("GITHUB_API_URL", message) ?? DEFAULT_API_URL;
}
