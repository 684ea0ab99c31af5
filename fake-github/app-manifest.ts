/**
 * Creating an app from a manifest, as GitHub does it: the manifest is checked, a person confirms it, a code is given out, and one
 * request within an hour turns the code into the app. The fake has one app at a time, so the new one replaces the old one.
 */
import { createHash, randomBytes } from "node:crypto";
import { appKeyPair, createInstallation } from "./app.ts";
import type { DeliveryLog } from "./call.ts";
import { isObject } from "./json.ts";
import { type Installation, type Level, type User, userOf, type World } from "./world.ts";

/** A manifest that GitHub accepts. */
export type AppManifest = {
  readonly name: string;
  readonly redirectUrl: string;
  readonly hookUrl: string;
  /** Where a person may be sent back after signing in. */
  readonly callbackUrls: readonly string[];
  readonly permissions: Readonly<Record<string, Level>>;
  readonly events: readonly string[];
};

/** An app that a person has confirmed. */
export type AppRegistration = AppManifest & {
  readonly code: string;
  readonly owner: User;
  readonly createdAtMs: number;
  isConverted: boolean;
};

// GitHub's limits.
const CODE_LIFETIME_MS = 60 * 60_000;
const MAX_NAME_CHARACTERS = 34;
const MAX_CALLBACK_URLS = 10;

/** The permission that an event needs. GitHub rejects events without it, and events that every app gets anyway. */
const PERMISSION_OF_EVENT: Readonly<Record<string, string>> = {
  check_run: "checks",
  check_suite: "checks",
  issue_comment: "issues",
  issues: "issues",
  pull_request: "pull_requests",
  pull_request_review: "pull_requests",
  pull_request_review_comment: "pull_requests",
  pull_request_review_thread: "pull_requests",
  repository: "metadata",
};

const isUrl = (value: unknown): value is string => typeof value === "string" && URL.canParse(value);

/** The manifest, or GitHub's sentences about what is wrong with it. */
export function parseManifest(text: string): AppManifest | readonly string[] {
  let manifest: unknown = null;
  try {
    manifest = JSON.parse(text);
  } catch {
    // Reported below.
  }
  if (!isObject(manifest)) return ["The manifest isn't JSON"];
  const { name, url, redirect_url: redirectUrl, hook_attributes: hook } = manifest;
  const permissions = isObject(manifest["default_permissions"]) ? manifest["default_permissions"] : {};
  const listed = manifest["default_events"];
  const events = Array.isArray(listed) ? listed.map(String) : [];
  const unsupported = events.filter((event) => PERMISSION_OF_EVENT[event] === undefined);
  const unbacked = events.filter((event) => permissions[PERMISSION_OF_EVENT[event] ?? ""] === undefined);
  const hookUrl = isObject(hook) ? hook["url"] : undefined;
  const callbacks = manifest["callback_urls"];
  const callbackUrls = Array.isArray(callbacks) ? callbacks.map(String) : [];
  const problems = [
    ...(isUrl(url) ? [] : ["Url can't be blank"]),
    ...(isUrl(redirectUrl) ? [] : ["Redirect url must be a valid URL"]),
    ...(isUrl(hookUrl) ? [] : ["Hook url can't be blank"]),
    ...(typeof name === "string" && name.length <= MAX_NAME_CHARACTERS ? [] : ["Name is too long"]),
    ...(unsupported.length === 0 ? [] : [`Default events unsupported: ${unsupported.join(" and ")}`]),
    ...(unbacked.length === 0
      ? []
      : [`Default events are not supported by permissions: ${unbacked.join(" and ")}`]),
  ];
  if (!callbackUrls.every(isUrl) || callbackUrls.length > MAX_CALLBACK_URLS)
    return [...problems, "Callback urls must be at most ten valid URLs"];
  if (problems.length > 0 || typeof name !== "string" || !isUrl(redirectUrl) || !isUrl(hookUrl))
    return problems;
  // Levels were never anything else in a manifest that Kodiai makes, and tokens compare them.
  return {
    name,
    redirectUrl,
    hookUrl,
    callbackUrls,
    permissions: permissions as Record<string, Level>,
    events,
  };
}

export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

/** Returns null if the name is taken. */
export function registerApp(world: World, manifest: AppManifest, account: string): AppRegistration | null {
  const slug = slugOf(manifest.name);
  const taken = [world.app.slug, ...world.registrations.map(({ name }) => slugOf(name))];
  if (taken.includes(slug) || world.users.has(slug)) return null;
  const registration = {
    ...manifest,
    code: randomBytes(20).toString("hex"),
    owner: userOf(world, account),
    createdAtMs: world.clock.now(),
    isConverted: false,
  };
  world.registrations.push(registration);
  return registration;
}

export type AppSecrets = {
  readonly pem: string;
  readonly webhookSecret: string;
  readonly clientSecret: string;
};

/** Makes the registered app the app of the fake. Null if the code is unknown, was used, or has expired. */
export function convertCode(world: World, deliveries: DeliveryLog, code: string): AppSecrets | null {
  const found = world.registrations.find((each) => each.code === code && !each.isConverted);
  if (found === undefined || found.createdAtMs + CODE_LIFETIME_MS < world.clock.now()) return null;
  found.isConverted = true;
  const { publicKey, privateKey: pem } = appKeyPair();
  const slug = slugOf(found.name);
  const { owner, permissions, events, callbackUrls } = found;
  const clientSecret = randomBytes(20).toString("hex");
  const bot: User = { id: world.nextId(), login: `${slug}[bot]`, type: "Bot" };
  world.users.set(bot.login, bot);
  for (const installation of world.installations) installation.isDeleted = true;
  for (const repository of world.repositories) repository.installation = null;
  const [id, createdAtMs] = [world.nextId(), world.clock.now()];
  const secrets = { publicKeyPem: publicKey, clientSecret };
  world.app = { id, slug, owner, bot, permissions, events, callbackUrls, ...secrets, createdAtMs };
  const webhookSecret = createHash("sha1").update(`hook ${code}`).digest("hex");
  deliveries.configure({ url: found.hookUrl, secret: webhookSecret });
  return { pem, webhookSecret, clientSecret };
}

/** Installs the app on all repositories of an account. */
export function installApp(world: World, account: string): Installation {
  const installation = createInstallation(world, account, world.app.permissions);
  for (const repository of world.repositories)
    if (repository.owner === installation.account) repository.installation = installation;
  return installation;
}
