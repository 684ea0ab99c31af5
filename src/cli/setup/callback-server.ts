/**
 * The server that `kodiai setup` runs until the app exists: a page with the form, and the address that GitHub returns to. The path of
 * the page is secret, the answer needs the state, and other host names are refused, so that no website can use the server through a
 * person's browser.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { KodiaiError } from "../../base/errors.ts";
import type { NewAppForm, CreatedApp } from "./registrar.ts";
import { createSecretName, isSameSecret, type Registration } from "./registration.ts";
import {
  donePage,
  errorPage,
  resultPage,
  SETUP_PAGE_HEADERS,
  type SetupPage,
  startPage,
} from "./setup-pages.ts";

export type CallbackAddress = {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The address at which the person's browser reaches the server; null for loopback. */
  readonly publicUrl: string | null;
};

export type CallbackServer = {
  readonly port: number;
  /** The address of the page to open. */
  readonly startUrl: string;
  stop(): Promise<void>;
};

export type CallbackDeps = {
  readonly registration: Registration;
  readonly composeForm: (redirectUrl: string) => NewAppForm;
  readonly installUrlOf: (app: CreatedApp) => string;
};

const CALLBACK_PATH = "/callback";

/** A person's browser sends a few hundred bytes. */
const REQUEST_TIMEOUT_MS = 10_000;

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];

type Site = CallbackDeps & {
  readonly baseUrl: string;
  readonly startPath: string;
  readonly hosts: ReadonlySet<string>;
};

export async function startCallbackServer(
  { host, port: wantedPort, publicUrl }: CallbackAddress,
  deps: CallbackDeps,
): Promise<CallbackServer> {
  // Set below, before the first request can arrive.
  let site: Site | null = null;
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    (incoming, response) => {
      if (site !== null) void answer(incoming, response, site);
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenFailure(error, host, wantedPort)));
    server.listen(wantedPort, host, resolve);
  });
  // A server that listens on a port has this kind of address.
  const { port } = server.address() as AddressInfo;
  const baseUrl = publicUrl ?? `http://127.0.0.1:${port}`;
  const startPath = `${new URL(baseUrl).pathname.replace(/\/+$/, "")}/${createSecretName()}`;
  const hosts = new Set([...LOOPBACK_NAMES.map((name) => `${name}:${port}`), new URL(baseUrl).host]);
  site = { ...deps, baseUrl: baseUrl.replace(/\/+$/, ""), startPath, hosts };
  return {
    port,
    startUrl: new URL(startPath, baseUrl).href,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

/** Never rejects. */
async function answer(incoming: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  const { status, html } = await pageFor(incoming, site);
  response.writeHead(status, { ...SETUP_PAGE_HEADERS, connection: "close" });
  response.end(incoming.method === "HEAD" ? undefined : html);
}

async function pageFor({ method, url = "/", headers }: IncomingMessage, site: Site): Promise<SetupPage> {
  if (!site.hosts.has((headers.host ?? "").toLowerCase()))
    return errorPage(403, "This address isn't the one that kodiai setup printed.");
  if (method !== "GET" && method !== "HEAD") return errorPage(405, "This page can only be opened.");
  const asked = URL.parse(url, "http://callback");
  if (asked === null) return errorPage(400, "This address is malformed.");
  const { registration, installUrlOf } = site;
  const { pathname, searchParams } = asked;
  if (isSameSecret(pathname, site.startPath)) {
    const app = registration.app();
    if (app !== null) return donePage(app.slug, installUrlOf(app));
    return startPage(site.composeForm(`${site.baseUrl}${CALLBACK_PATH}`), registration.state());
  }
  // Browsers fetch some pages in advance with HEAD.
  const isCallback = pathname === `${new URL(site.baseUrl).pathname.replace(/\/+$/, "")}${CALLBACK_PATH}`;
  if (!isCallback || method === "HEAD") return errorPage(404, "There is nothing here.");
  const [code, state] = [searchParams.get("code") ?? "", searchParams.get("state") ?? ""];
  const result = code === "" ? ({ kind: "wrong-state" } as const) : await registration.receive(code, state);
  if (result.kind === "created") return donePage(result.app.slug, installUrlOf(result.app));
  return resultPage(result, new URL(site.startPath, site.baseUrl).href);
}

function listenFailure(error: Error, host: string, port: number): KodiaiError {
  return new KodiaiError("config", `setup can't listen on ${host}:${port}: ${error.message}`, {
    hint: "Choose another port with --port, or another address with --host.",
    cause: error,
  });
}
