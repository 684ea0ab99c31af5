/**
 * A network between a program and its PostgreSQL that fails on demand: cut off, silent, or losing the response to a commit. It forwards
 * bytes and recognises only the commit command.
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export type Proxy = {
  /** On 127.0.0.1. */
  readonly port: number;
  /** The number of connections that reached the server. */
  connectionCount(): number;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  /** Silently forwards nothing: connections stay open, and new ones are accepted. */
  stall(): void;
  /** After a cut, new connections work again; after a stall, the old ones too, with all delayed data. */
  heal(): void;
  /** The server executes the next commit; then the connection breaks before the response arrives. */
  swallowNextCommitAnswer(): void;
  close(): Promise<void>;
};

/** The driver's commit message, ended by a zero. */
const COMMIT = Buffer.from("commit\0");

/** Both ends of one proxied connection. */
type Pair = { readonly client: Socket; readonly server: Socket };

export async function startProxy(targetPort: number): Promise<Proxy> {
  const pairs = new Set<Pair>();
  let state: "open" | "cut" | "stalled" = "open";
  let connections = 0;
  let isCommitAwaited = false;

  const breakPair = (pair: Pair): void => {
    pairs.delete(pair);
    pair.client.destroy();
    pair.server.destroy();
  };

  const listener = createServer((client) => {
    if (state === "cut") {
      client.destroy();
      return;
    }
    connections++;
    const pair = { client, server: connect(targetPort, "127.0.0.1") };
    pairs.add(pair);
    let isAnswerLost = false;
    client.on("data", (bytes) => {
      if (isCommitAwaited && bytes.includes(COMMIT)) {
        isCommitAwaited = false;
        isAnswerLost = true;
      }
      pair.server.write(bytes);
    });
    pair.server.on("data", (bytes) => {
      // The server responds when the commit is done.
      if (isAnswerLost) breakPair(pair);
      else client.write(bytes);
    });
    for (const end of [client, pair.server]) {
      end.setNoDelay(true);
      // If one end fails, the other end's connection closes, unless the proxy is silent.
      end.on("error", () => {});
      end.on("close", () => {
        if (state !== "stalled") breakPair(pair);
      });
      if (state === "stalled") end.pause();
    }
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");

  return {
    port: address.port,
    connectionCount: () => connections,
    cut() {
      state = "cut";
      for (const pair of pairs) breakPair(pair);
    },
    stall() {
      state = "stalled";
      for (const { client, server } of pairs) {
        client.pause();
        server.pause();
      }
    },
    heal() {
      state = "open";
      for (const pair of pairs) {
        if (pair.client.closed || pair.server.closed) breakPair(pair);
        pair.client.resume();
        pair.server.resume();
      }
    },
    swallowNextCommitAnswer() {
      isCommitAwaited = true;
    },
    async close() {
      state = "cut";
      for (const pair of pairs) breakPair(pair);
      listener.close();
      await once(listener, "close");
    },
  };
}
