/**
 * A GitHub for tests and for trying the app without an account: real HTTP, real git, real signatures. It is held to
 * GitHub's published description: see docs/fake-github.md for what it imitates and what it does not.
 */
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appKeyPair, type AppOptions, createApp, createInstallation, KNOWN_BOTS } from "./app.ts";
import { createUserToken } from "./authentication.ts";
import { createCallLog, type LoggedCall } from "./call-log.ts";
import { createFakeClock, type FakeClock } from "./clock.ts";
import { createDeliveries, type Deliveries, type Delivery, type DeliverOptions } from "./deliveries.ts";
import { createFaults, type Faults } from "./faults.ts";
import { type Callback, createHooks } from "./hooks.ts";
import type { JsonObject } from "./json.ts";
import { renderPage } from "./page.ts";
import type { Webhook } from "./payloads.ts";
import { createScene, type Scene } from "./scene.ts";
import { createFakeServer } from "./server.ts";
import { createWorld, type Installation, type Permissions, type Token, userOf, type World } from "./world.ts";

export type FakeGithubOptions = AppOptions & {
  readonly webhookSecret?: string;
  /** Where deliveries go; can be set later. */
  readonly webhookUrl?: string;
  /** Opening, pushing and closing send their events by themselves. */
  readonly autoDeliver?: boolean;
  /** 0: any free port. */
  readonly port?: number;
  /** Where ids start; another start with the same ones would seem to be the same repositories. */
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
  /** What was asked or answered against GitHub's description. Tests assert that it is empty. */
  readonly violations: string[];
  readonly calls: readonly LoggedCall[];
  readonly tokens: readonly Token[];
  readonly world: World;
  setListLag(milliseconds: number): void;
  /** Runs when a request of this operation has come, before it is handled. The function takes it back. */
  onRequest(operation: string, callback: Callback): () => void;
  /** Runs when it has been handled and nothing has been answered yet. */
  onResponse(operation: string, callback: Callback): () => void;

  /** A personal token, which reaches everything and may write all but checks. */
  personalToken(login: string): string;
  createInstallation(account: string, permissions?: Permissions): Installation;
  suspend(installation: Installation): void;
  unsuspend(installation: Installation): void;
  uninstall(installation: Installation): void;
  readonly deliveries: Deliveries;
  setWebhookUrl(url: string): void;
  deliver(event: string, payload: JsonObject, options?: DeliverOptions): Promise<Delivery>;
  /** The same for what `events` makes. */
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
  const deliveries = createDeliveries(world, webhookSecret);
  if (options.webhookUrl !== undefined) deliveries.setUrl(options.webhookUrl);
  const log = createCallLog();
  const faults = createFaults();
  const violations: string[] = [];
  const hooks = createHooks();
  const server = createFakeServer({
    world,
    log,
    faults,
    violations,
    deliveries,
    reach: hooks.reach,
    page: (path) => renderPage(world, path),
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  // A server that listens on a port has an address of this kind.
  world.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const installation = createInstallation(world, app.owner.login, app.permissions);
  const scene = createScene(world, directory, ({ event, payload }) => {
    if (options.autoDeliver === true) deliveries.deliverInBackground(event, payload);
  });
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
    personalToken: (login) => createUserToken(world, userOf(world, login)),
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
