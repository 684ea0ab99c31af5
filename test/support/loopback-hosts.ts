/**
 * The public hosts that Kodiai asks about packages, on loopback. A module that Node loads before the program sends every request for a
 * public host to a server here, so that a test sees what would have left the machine. Nothing of the program is replaced.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Cleanup, startServer } from "./local-server.ts";

export type SentRequest = {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type LoopbackHosts = {
  readonly env: Readonly<Record<string, string>>;
  /** Every request that arrived, with what it said, as one text. */
  readonly sent: () => string;
  readonly requests: readonly SentRequest[];
  /** The content of every file in the cache, as one text. */
  readonly cached: () => string;
};

/** An address that is allowed. Nothing connects to it. */
const PUBLIC_ADDRESS = "140.82.121.3";

export async function startLoopbackHosts(
  t: Cleanup,
  answer: (request: SentRequest, response: ServerResponse) => void,
): Promise<LoopbackHosts> {
  const requests: SentRequest[] = [];
  const { port } = await startServer(t, (request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const host = String(request.headers["x-public-host"]);
      const { method = "", url: path = "", headers } = request;
      const sent = { host, method, path, headers, body };
      requests.push(sent);
      answer(sent, response);
    });
  });
  const folder = mkdtempSync(join(tmpdir(), "kodiai-hosts-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const preload = join(folder, "preload.mjs");
  writeFileSync(preload, preloadFor(port));
  return {
    env: {
      KODIAI_OFFLINE: "off",
      NODE_OPTIONS: `--import=${pathToFileURL(preload).href}`,
      XDG_CACHE_HOME: join(folder, "cache"),
    },
    requests,
    sent: () =>
      requests
        .map(
          ({ host, method, path, headers, body }) =>
            `${method} ${host}${decodeURIComponent(path)} ${headers.authorization ?? "anonymous"} ${body}`,
        )
        .join("\n"),
    cached: () =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((name) => join(folder, name))
        .filter((path) => path !== preload && statSync(path).isFile())
        .map((path) => `${path}\n${readFileSync(path, "latin1")}`)
        .join("\n"),
  };
}

/** Requests of `https` to a name go to the server; those to other addresses, such as a model's, stay as they are. */
const preloadFor = (port: number): string => `
import dns from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";

dns.lookup = async () => [{ address: ${JSON.stringify(PUBLIC_ADDRESS)}, family: 4 }];
https.request = (url, { agent, lookup, ...options }) =>
  http.request({
    ...options,
    host: "127.0.0.1",
    port: ${port},
    path: url.pathname + url.search,
    headers: { ...options.headers, "x-public-host": url.host },
  });
syncBuiltinESMExports();
`;
