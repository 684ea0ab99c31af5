/** The app and its installations. */
import { generateKeyPairSync } from "node:crypto";
import { type App, type Installation, type Permissions, type User, userOf, type World } from "./world.ts";

export type AppOptions = {
  readonly slug?: string;
  readonly appId?: number;
  readonly clientSecret?: string;
  /** Permissions that the app requests and new installations grant. */
  readonly permissions?: Permissions;
  /** Login of the account that owns the app and its first installation. */
  readonly account?: string;
};

/** With write access to the contents, without which GitHub doesn't let an app resolve threads. */
const DEFAULT_PERMISSIONS: Permissions = {
  metadata: "read",
  contents: "write",
  pull_requests: "write",
  issues: "write",
  checks: "write",
  actions: "read",
};

const EVENTS = [
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "pull_request_review_thread",
  "issue_comment",
  "issues",
  "check_run",
  "repository",
] as const;

// Real bots with their real ids, so that code that recognizes them by id works too.
export const KNOWN_BOTS: readonly User[] = [
  { id: 49_699_333, login: "dependabot[bot]", type: "Bot" },
  { id: 29_139_614, login: "renovate[bot]", type: "Bot" },
];

type KeyPair = { readonly publicKey: string; readonly privateKey: string };

let keyPair: KeyPair | null = null;

/** One key pair for all fakes of a process, because creating it takes longer than the rest of the start. */
export function appKeyPair(): KeyPair {
  keyPair ??= generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    // GitHub's own key format.
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  return keyPair;
}

export function createApp(options: AppOptions, publicKeyPem: string, nowMs: number): App {
  const slug = options.slug ?? "kodiai";
  return {
    id: options.appId ?? 424_242,
    slug,
    owner: { id: 1001, login: options.account ?? "acme", type: "Organization" },
    bot: { id: 1002, login: `${slug}[bot]`, type: "Bot" },
    permissions: options.permissions ?? DEFAULT_PERMISSIONS,
    events: EVENTS,
    publicKeyPem,
    clientSecret: options.clientSecret ?? "a client secret of the fake's",
    callbackUrls: ["http://127.0.0.1/sign-in/callback"],
    createdAtMs: nowMs,
  };
}

export function createInstallation(world: World, account: string, permissions: Permissions): Installation {
  const user = userOf(world, account);
  const installation: Installation = {
    id: world.nextId(),
    account: user,
    permissions,
    suspendedAtMs: null,
    isDeleted: false,
    createdAtMs: world.clock.now(),
  };
  world.installations.push(installation);
  return installation;
}
