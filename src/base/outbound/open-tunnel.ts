/**
 * Opens a connection to a host through a proxy, by CONNECT: the proxy sees the host's name and no content. Errors name the proxy and say
 * what to do, and never contain its credentials.
 */
import * as http from "node:http";
import * as https from "node:https";
import { isIP, type Socket } from "node:net";
import { connect } from "node:tls";
import { KodiaiError } from "../errors.ts";
import type { Proxy } from "./proxy.ts";

/** As long as Node's fetch waits for a direct connection. */
const CONNECT_TIMEOUT_MS = 10_000;

export type TunnelTarget = {
  readonly hostname: string;
  readonly port: number;
  readonly isTls: boolean;
};

/** The socket is ready for a request. Certificates are checked as for a direct connection. */
export async function openTunnel(proxy: Proxy, target: TunnelTarget): Promise<Socket> {
  const hostname = target.hostname.replace(/^\[(.*)\]$/, "$1");
  const socket = await connectThrough(
    proxy,
    `${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${target.port}`,
  );
  if (!target.isTls) return socket;
  const secure = connect({
    socket,
    ...(isIP(hostname) === 0 ? { servername: hostname } : { host: hostname }),
    ALPNProtocols: ["http/1.1"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const limit = setTimeout(
    () => secure.destroy(new Error("the TLS handshake took too long")),
    CONNECT_TIMEOUT_MS,
  );
  secure.once("secureConnect", () => resolve(secure)).once("error", reject);
  return promise.finally(() => clearTimeout(limit));
}

function connectThrough(proxy: Proxy, authority: string): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const request = (proxy.url.protocol === "https:" ? https : http).request({
    method: "CONNECT",
    host: proxy.url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: portOf(proxy.url),
    path: authority,
    agent: false,
    headers: {
      host: authority,
      ...(proxy.authorization === null ? {} : { "proxy-authorization": proxy.authorization }),
    },
    signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS),
  });
  request.once("connect", ({ statusCode: status = 0 }, socket: Socket, head) => {
    if (status >= 200 && status < 300 && head.length === 0) return resolve(socket);
    socket.destroy();
    reject(refused(proxy, authority, status));
  });
  request.once("error", (error) => reject(unreachable(proxy, error)));
  request.end();
  return promise;
}

/** A URL leaves out the usual port. */
export function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function refused({ url: { host } }: Proxy, authority: string, status: number): KodiaiError {
  return new KodiaiError(
    "network",
    `the proxy ${host} refused a connection to ${authority} (status ${status})`,
    {
      hint:
        status === 407
          ? "The proxy requires authentication. Set a valid user and password in HTTPS_PROXY, as in http://USER:PASSWORD@HOST:PORT."
          : "Allow CONNECT to that host on the proxy, or list the host in NO_PROXY if it can be reached without it.",
      retryable: status >= 500,
    },
  );
}

function unreachable({ url: { host } }: Proxy, error: Error): KodiaiError {
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return new KodiaiError("network", `the proxy ${host} can't be reached (${code})`, {
    hint: "Check HTTPS_PROXY and HTTP_PROXY, and that the proxy is up.",
    retryable: true,
  });
}
