/** A server on loopback that records the requests it gets, for tests of the HTTP client and of everything that uses it. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

/** A test, or anything else that ends. */
export type Cleanup = { after(step: () => void): void };

export type LocalServer = {
  readonly port: number;
  readonly requests: readonly IncomingMessage[];
};

type ServerOptions = {
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly host?: string;
  readonly port?: number;
};

export async function startServer(
  t: Cleanup,
  answer: RequestListener,
  { tls, host = "127.0.0.1", port = 0 }: ServerOptions = {},
): Promise<LocalServer> {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    // The client may have gone away in the middle of an endless answer.
    response.on("error", () => undefined);
    answer(request, response);
  };
  const server: Server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => void server.listen(port, host, resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}
