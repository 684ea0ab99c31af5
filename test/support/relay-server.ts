/** A webhook relay like smee.io on loopback: it creates channels at `/new`, receives posts and streams them to its listeners. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { type Cleanup, startServer } from "./local-server.ts";

export type RelayServer = {
  /** Redirects to a new channel. */
  readonly newUrl: string;
  /** Of the only channel that tests use. */
  readonly channelUrl: string;
  /** How many listeners have connected so far. */
  connections(): number;
  /** Sends text to all listeners. */
  send(raw: string): void;
  /** Cuts all listeners off. */
  cut(): void;
};

export async function startRelayServer(
  t: Cleanup,
  { sendsRawBody = false }: { readonly sendsRawBody?: boolean } = {},
): Promise<RelayServer> {
  const listeners = new Set<ServerResponse>();
  let connections = 0;
  const send = (raw: string): void => {
    for (const listener of listeners) listener.write(raw);
  };
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const payload = {
      ...request.headers,
      body: JSON.parse(body) as unknown,
      ...(sendsRawBody ? { rawbody: body } : {}),
      query: {},
      timestamp: 1,
    };
    send(`id: 1\ndata: ${JSON.stringify(payload)}\n\n`);
    response.writeHead(200).end();
  };
  const { port } = await startServer(t, (request, response) => {
    if (request.url === "/new") return response.writeHead(307, { location: "/channel" }).end();
    if (request.method === "GET") {
      connections += 1;
      listeners.add(response);
      response.on("close", () => listeners.delete(response));
      response.writeHead(200, { "content-type": "text/event-stream" });
      return response.write("id: 0\nevent: ready\ndata: {}\n\n");
    }
    return void pass(request, response);
  });
  const origin = `http://127.0.0.1:${port}`;
  return {
    newUrl: `${origin}/new`,
    channelUrl: `${origin}/channel`,
    connections: () => connections,
    send,
    cut() {
      for (const listener of listeners) listener.destroy();
    },
  };
}
