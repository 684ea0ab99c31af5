/**
 * A GitHub for tests and for trying the app without an account: real HTTP, real git, real signatures. It is checked against GitHub's
 * published description. docs/fake-github.md lists what it imitates.
 */
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appKeyPair, type AppOptions, createApp, createInstallation, KNOWN_BOTS } from "./app.ts";
import { createUserToken, mintToken } from "./authentication.ts";
import { createCallLog, type LoggedCall } from "./call-log.ts";
import { createFakeClock, type FakeClock } from "./clock.ts";
import { createDeliveries, type Deliveries, type Delivery, type DeliverOptions } from "./deliveries.ts";
import { createFaults, type Faults } from "./faults.ts";
import { type Callback, createHooks } from "./hooks.ts";
import type { JsonObject } from "./json.ts";
import type { Webhook } from "./payloads.ts";
import { createScene, type Scene } from "./scene.ts";
import { createFakeServer } from "./server.ts";
import { clientIdOf } from "./sign-in.ts";
import { createWorld, type Installation, type Permissions, type Token, userOf, type World } from "./world.ts";

export type FakeGithubOptions = AppOptions & {
  /** How long a delivery waits for its response; as GitHub does by default. */
  readonly answerTimeoutMs?: number;
  readonly webhookSecret?: string;
  /** Address of the app's webhook; can be set later. */
  readonly webhookUrl?: string;
  /** Whether opening, pushing and closing send their events automatically. */
  readonly autoDeliver?: boolean;
  /** 0 means any free port. */
  readonly port?: number;
  /** The first id. Two starts with the same ids look like the same repositories. */
  readonly firstId?: number;
  readonly now?: () => number;
};

export type FakeGithub = Scene & {
  /** Base of the API, for GITHUB_API_URL. */
  readonly url: string;
  /** Base of clone addresses, and of the pages. */
  readonly gitUrl: string;
  readonly appId: number;
  readonly slug: string;
  readonly privateKeyPem: string;
  readonly webhookSecret: string;
  readonly installation: Installation;
  readonly installationId: number;

  readonly clock: FakeClock;
  readonly faults: Faults;
  /** Requests and responses that don't match GitHub's description. Tests assert that the list is empty. */
  readonly violations: string[];
  readonly calls: readonly LoggedCall[];
  readonly tokens: readonly Token[];
  readonly world: World;
  setListLag(milliseconds: number): void;
  /** Runs when a request of this operation arrives, before it is handled. The returned function removes the hook. */
  onRequest(operation: string, callback: Callback): () => void;
  /** Runs after the request was handled and before the response is sent. */
  onResponse(operation: string, callback: Callback): () => void;

  /** The app's OAuth, with which people sign in. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** The person who consents to the next sign-ins; null for one who refuses. */
  signInAs(login: string | null): void;
  /** A personal token, which can read everything and write everything except checks. */
  personalToken(login: string): string;
  /** A token of the app with these permissions, as a workflow gets one if the app is GitHub's own. */
  appToken(permissions: Permissions): string;
  createInstallation(account: string, permissions?: Permissions): Installation;
  suspend(installation: Installation): void;
  unsuspend(installation: Installation): void;
  uninstall(installation: Installation): void;
  readonly deliveries: Deliveries;
  setWebhookUrl(url: string): void;
  deliver(event: string, payload: JsonObject, options?: DeliverOptions): Promise<Delivery>;
  /** Sends a webhook that `events` created. */
  send(webhook: Webhook, options?: DeliverOptions): Promise<Delivery>;
  close(): Promise<void>;
};

export async function startFakeGithub(options: FakeGithubOptions = {}): Promise<FakeGithub> {
  const keys = appKeyPair();
  const clock = createFakeClock(options.now);
  const app = createApp(options, keys.publicKey, clock.now());
  const world = createWorld(app, clock, options.firstId);
  for (const bot of KNOWN_BOTS) world.users.set(bot.login, bot);
  const directory = await mkdtemp(join(tmpdir(), "fake-github-"));
  const webhookSecret = options.webhookSecret ?? "a secret of the fake's";
  const deliveries = createDeliveries(world, webhookSecret, options.answerTimeoutMs);
  if (options.webhookUrl !== undefined) deliveries.setUrl(options.webhookUrl);
  const log = createCallLog();
  const faults = createFaults();
  const violations: string[] = [];
  const hooks = createHooks();
  const deliver = ({ event, payload }: Webhook): void => {
    if (options.autoDeliver === true) deliveries.deliverInBackground(event, payload);
  };
  const server = createFakeServer({
    world,
    log,
    faults,
    violations,
    deliveries,
    deliver,
    reach: hooks.reach,
    // Most tests read no page, and its packages take time to load.
    page: async (path) => (await import("./page/render-page.ts")).renderPage(world, path),
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  // A server that listens on a port has this kind of address.
  world.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const installation = createInstallation(world, app.owner.login, app.permissions);
  const scene = createScene(world, directory, deliver);
  return {
    url: `${world.origin}/api/v3`,
    gitUrl: world.origin,
    appId: app.id,
    slug: app.slug,
    privateKeyPem: keys.privateKey,
    webhookSecret,
    installation,
    installationId: installation.id,
    clock,
    faults,
    violations,
    calls: log.calls,
    tokens: world.tokens,
    world,
    setListLag(milliseconds) {
      world.listLagMs = milliseconds;
    },
    onRequest: (operation, callback) => hooks.add({ moment: "request", operation, callback }),
    onResponse: (operation, callback) => hooks.add({ moment: "response", operation, callback }),
    clientId: clientIdOf(app),
    clientSecret: app.clientSecret,
    signInAs(login) {
      world.browser.login = login;
    },
    personalToken: (login) => createUserToken(world, userOf(world, login)),
    appToken: (permissions) => mintToken(world, installation, { permissions, repositoryIds: null }).value,
    createInstallation: (account, permissions = app.permissions) =>
      createInstallation(world, account, permissions),
    suspend(each) {
      each.suspendedAtMs = clock.now();
    },
    unsuspend(each) {
      each.suspendedAtMs = null;
    },
    uninstall(each) {
      each.isDeleted = true;
    },
    ...scene,
    deliveries,
    setWebhookUrl: (url) => deliveries.setUrl(url),
    deliver: (event, payload, deliverOptions) => deliveries.deliver(event, payload, deliverOptions),
    send: ({ event, payload }, deliverOptions) => deliveries.deliver(event, payload, deliverOptions),
    async close() {
      await deliveries.settled();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      await rm(directory, { recursive: true, force: true });
    },
  };
}
