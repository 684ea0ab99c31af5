/**
 * Settings of the GitHub App, from the environment and a `.env` file. Everything that is missing or malformed is said in
 * one message, each with how to get it.
 */
import { createPrivateKey } from "node:crypto";
import { dirname } from "node:path";
import { FAULT_POINTS, type FaultPoint, MOVE_FAULT_POINTS } from "../base/fault-point.ts";
import { LOG_LEVELS, type LogLevel } from "../base/log.ts";
import { createSettingsReader, type SettingsReader, type SettingsSource } from "./settings-reader.ts";

export type StoreSettings = {
  readonly databaseUrl: string;
  /** Where cached repositories are kept. */
  readonly dataFolder: string;
  readonly logLevel: LogLevel;
};

export type AppSettings = StoreSettings & {
  /** Most connections to a database server. */
  readonly databaseConnections: number;
  readonly appId: number;
  readonly privateKeyPem: string;
  readonly webhookSecret: string;
  /** Accepted too, while the webhook secret is being replaced. */
  readonly previousWebhookSecret: string | null;
  /** Whoever shows it may read metrics and the details of readiness; null: nobody may. */
  readonly metricsToken: string | null;
  /** Without a slash at the end. */
  readonly apiUrl: string;
  readonly host: string;
  readonly port: number;
  /** How long a job stays with a worker that says nothing. */
  readonly leaseMs: number;
  /** How long what is stored of a repository stays after the app was removed from it. */
  readonly forgetAfterMs: number;
  /** Most that cached repositories may take on disk. */
  readonly cacheBytes: number;
  readonly faultPoint: FaultPoint | null;
  /** Number of the pull request whose jobs crash there; 0: of every one. */
  readonly faultPullRequest: number;
};

const DEFAULT_DATABASE_URL = "sqlite:./data/kodiai.db";
const DEFAULT_API_URL = "https://api.github.com";
const DEFAULT_PORT = 3_000;
const DEFAULT_CACHE_GIGABYTES = 10;

/** With a heartbeat every sixth of it, the job of a dead worker starts again within 90 s. */
const DEFAULT_LEASE_SECONDS = 60;

/** A worker with some slots keeps a few of them busy; a server more, when many webhooks come at once. */
const DEFAULT_DATABASE_CONNECTIONS = 10;

/** Time to notice that the app was uninstalled by mistake, and to install it again. */
const DEFAULT_FORGET_AFTER_DAYS = 7;

const DAY_MS = 24 * 60 * 60 * 1_000;

const BYTES_PER_GIGABYTE = 1_000_000_000;

/** Shorter secrets can be guessed; GitHub suggests a random string of high entropy. */
const MIN_SECRET_CHARS = 16;

export function readStoreSettings(source: SettingsSource): StoreSettings {
  const reader = createSettingsReader(source, HOW_TO_GET);
  const settings = storeSettings(reader);
  reader.refuse();
  return settings;
}

export type MoveSettings = StoreSettings & { readonly faultPoint: FaultPoint | null };

export function readMoveSettings(source: SettingsSource): MoveSettings {
  const reader = createSettingsReader(source, HOW_TO_GET);
  const faultPoint = reader.choice("KODIAI_FAULT_POINT", MOVE_FAULT_POINTS);
  const settings = { ...storeSettings(reader), faultPoint };
  reader.refuse();
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
    metricsToken: secret(reader, "KODIAI_METRICS_TOKEN"),
    apiUrl: appApiUrl(reader),
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
    faultPoint: reader.choice("KODIAI_FAULT_POINT", FAULT_POINTS),
    faultPullRequest: reader.number("KODIAI_FAULT_PULL_REQUEST", 0, {
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
    }),
  };
  reader.refuse();
  return settings;
}

export type ReaderSettings = {
  readonly apiUrl: string;
  /** A person's own token; null to read as anybody. */
  readonly token: string | null;
  /** Where fetched repositories are kept; null: where the system keeps such things. */
  readonly dataFolder: string | null;
};

/** For reading one pull request. The API follows from the address of its page, unless the one of that host is set. */
export function readReaderSettings(source: SettingsSource, origin: string): ReaderSettings {
  // Whoever looks at a pull request may stand in a checkout of it: its `.env` must not say where a person's token goes.
  const reader = createSettingsReader({ ...source, dotEnv: null }, HOW_TO_GET);
  const isGithub = origin === "https://github.com";
  const set = reader.text("GITHUB_API_URL") === null ? null : apiUrl(reader);
  const isSetForIt = set !== null && isApiOf(set, origin);
  // A token goes where its owner meant it to, never to any host that an address names.
  const isTrusted = set === null ? isGithub : isSetForIt;
  const settings = {
    apiUrl: isSetForIt ? set : isGithub ? DEFAULT_API_URL : `${origin}/api/v3`,
    token: isTrusted ? (reader.text("GITHUB_TOKEN") ?? reader.text("GH_TOKEN")) : null,
    dataFolder: reader.text("KODIAI_DATA"),
  };
  reader.refuse();
  return settings;
}

/** Whether an API is that of the host whose pages have this origin: the host itself, or its name after "api.". */
export function isApiOf(api: string, origin: string): boolean {
  const [apiHost, host] = [URL.parse(api)?.host, URL.parse(origin)?.host];
  return host !== undefined && (apiHost === host || apiHost === `api.${host}`);
}

const HOW_TO_GET: Readonly<Record<string, string>> = {
  GITHUB_APP_ID:
    "the number under “App ID” on your app's settings page (Settings, Developer settings, GitHub Apps)",
  GITHUB_PRIVATE_KEY:
    "“Generate a private key” on your app's settings page; the PEM text, the path of the file, or the text in base64",
  GITHUB_WEBHOOK_SECRET:
    "a random text that you also enter under “Webhook secret” of your app, such as the output of `openssl rand -hex 32`",
  GITHUB_WEBHOOK_SECRET_PREVIOUS:
    "the webhook secret that you are replacing, until the new one is entered at GitHub",
  KODIAI_METRICS_TOKEN:
    "a random text that Prometheus sends too, such as the output of `openssl rand -hex 32`",
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
    reader.wrong(name, "is not set");
    return "";
  }
  const candidates = [
    () => value.replaceAll(String.raw`\n`, "\n"),
    () => Buffer.from(value, "base64").toString("utf8"),
    // A path is short; a key is not looked for on disk.
    () => (value.length < 1_024 && !value.includes("\n") ? readText(value) : null),
  ];
  for (const candidate of candidates) {
    const pem = candidate();
    if (pem?.includes("PRIVATE KEY") === true && isPrivateKey(pem)) return pem;
  }
  reader.wrong(name, "is neither a private RSA key in PEM form, nor one in base64, nor the path of one");
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
  if (value === null) reader.wrong(name, "is not set");
  return value ?? "";
}

function secret(reader: SettingsReader, name: string): string | null {
  const value = reader.text(name);
  if (value !== null && value.length < MIN_SECRET_CHARS)
    reader.wrong(name, `has fewer than ${MIN_SECRET_CHARS} characters`);
  return value;
}

/** A `.env` of a checkout that somebody stands in must not say where a key from the environment is shown. */
function appApiUrl(reader: SettingsReader): string {
  if (reader.isFromFile("GITHUB_API_URL") && !reader.isFromFile("GITHUB_PRIVATE_KEY")) {
    reader.wrong(
      "GITHUB_API_URL",
      "is set in .env, and GITHUB_PRIVATE_KEY in the environment: set both in the same place",
    );
  }
  return apiUrl(reader);
}

function apiUrl(reader: SettingsReader): string {
  const says =
    "must be the address of an API, such as https://api.github.com or https://ghe.example.org/api/v3";
  return reader.url("GITHUB_API_URL", says) ?? DEFAULT_API_URL;
}
