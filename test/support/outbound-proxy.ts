/**
 * A network that only a proxy leads out of: hosts of one domain with certificates of an authority of their own, and a real proxy that
 * connects to them. Their names mean nothing without the proxy.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import type { Cleanup } from "./local-server.ts";
import { selfSigned } from "./self-signed.ts";

const DOMAIN = "proxied.test";

export type OutboundProxy = {
  /** `http://127.0.0.1:PORT`, without credentials. */
  readonly url: string;
  readonly host: string;
  /** A PEM file for NODE_EXTRA_CA_CERTS. */
  readonly authorityFile: string;
  /** Makes a server on loopback known as `https://NAME.proxied.test`, and returns that. */
  addHost(name: string, port: number): Promise<string>;
  /** The hosts that something connected to, in order of the first connection. */
  readonly connected: () => readonly string[];
  /** The status of every answer; null to connect. */
  refusal: number | null;
  /** `user:password` that a client must send; null for none. */
  credentials: string | null;
};

export async function startOutboundProxy(t: Cleanup): Promise<OutboundProxy> {
  const { key, cert } = selfSigned(`*.${DOMAIN}`);
  const folder = mkdtempSync(join(tmpdir(), "kodiai-proxy-"));
  const authorityFile = join(folder, "authority.pem");
  writeFileSync(authorityFile, cert);
  const ports = new Map<string, number>();
  const connected = new Set<string>();
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const listen = async (server: Server): Promise<number> => {
    servers.push(server.on("connection", (socket) => sockets.add(socket)));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    // A listening TCP server has an address with a port.
    return (server.address() as AddressInfo).port;
  };
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    const target = request.url ?? "";
    const given = /^Basic (.+)$/.exec(request.headers["proxy-authorization"] ?? "")?.[1] ?? "";
    const isKnown =
      proxy.credentials === null || Buffer.from(given, "base64").toString() === proxy.credentials;
    const port = ports.get(target);
    const status = isKnown ? (proxy.refusal ?? (port === undefined ? 403 : null)) : 407;
    if (status !== null || port === undefined) {
      const challenge = status === 407 ? 'proxy-authenticate: Basic realm="proxy"\r\n' : "";
      socket.end(`HTTP/1.1 ${status} No\r\n${challenge}connection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    connected.add(target.replace(/:443$/, ""));
    socket.write("HTTP/1.1 200 Connected\r\n\r\n");
    joinSockets(socket, connect(port, "127.0.0.1"));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    for (const each of servers) each.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const proxy: OutboundProxy = {
    url,
    host: new URL(url).host,
    authorityFile,
    async addHost(name, port) {
      const front = createTlsServer({ key, cert }, (socket) =>
        joinSockets(socket, connect(port, "127.0.0.1")),
      );
      ports.set(`${name}.${DOMAIN}:443`, await listen(front));
      return `https://${name}.${DOMAIN}`;
    },
    connected: () => [...connected],
    refusal: null,
    credentials: null,
  };
  return proxy;
}

/** Everything that one side sends goes to the other; both end together. */
function joinSockets(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
    from.pipe(to);
  }
}
