/** The fake's HTTP server: the API as on GitHub Enterprise, git, and pages for people, each with its own endpoint. */
import { createServer, type Server } from "node:http";
import { serveAppPage } from "./app-pages.ts";
import { serveApi } from "./api-endpoint.ts";
import { serveGraphql } from "./graphql-endpoint.ts";
import { serveLog } from "./log-storage.ts";
import { PAGE_POLICY } from "./page/html.ts";
import { parseGitRequest, serveGit } from "./git-endpoint.ts";
import { serveSignIn } from "./sign-in.ts";
import type { Exchange, ServerParts } from "./server-parts.ts";

const API_ROOT = "/api/v3";
const GRAPHQL_PATH = "/api/graphql";

async function servePage(parts: ServerParts, { response }: Exchange, path: string): Promise<void> {
  const page = await parts.page(path);
  response.writeHead(page === null ? 404 : 200, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": PAGE_POLICY,
  });
  response.end(page ?? "<!doctype html><title>Nothing here</title><p>There is nothing here.");
}

async function serve(parts: ServerParts, exchange: Exchange): Promise<void> {
  const url = new URL(exchange.incoming.url ?? "/", "http://fake");
  if (url.pathname.startsWith(`${API_ROOT}/`)) {
    const path = url.pathname.slice(API_ROOT.length);
    return serveApi(parts, exchange, { path, search: url.search });
  }
  if (url.pathname === GRAPHQL_PATH) return serveGraphql(parts, exchange, GRAPHQL_PATH);
  if (serveLog(parts, exchange, url)) return;
  if (await serveAppPage(parts, exchange, url)) return;
  if (await serveSignIn(parts, exchange, url)) return;
  const git = parseGitRequest(url);
  return git === null ? servePage(parts, exchange, url.pathname) : serveGit(parts, exchange, git);
}

// Longer than any test, because a server that closes idle connections sometimes cuts an arriving request.
const KEEP_ALIVE_MS = 10 * 60_000;

export function createFakeServer(parts: ServerParts): Server {
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, response) => {
    serve(parts, { incoming, response }).catch((error: unknown) => {
      // A client that disconnects isn't an error.
      if (!incoming.socket.destroyed) parts.violations.push(`the fake failed: ${String(error)}`);
      response.destroy();
    });
  });
}
