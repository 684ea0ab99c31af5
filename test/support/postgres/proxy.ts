/**
 * A network between a program and its PostgreSQL that fails on demand: cut off, silent, or losing the answer to a commit.
 * It hands on bytes and understands nothing of them but the word that commits.
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export type Proxy = {
  /** On 127.0.0.1. */
  readonly port: number;
  /** Connections so far that got through to the server. */
  connectionCount(): number;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  /** Nothing comes through any more and nobody is told: connections stay open, new ones are accepted. */
  stall(): void;
  /** After a cut new connections get through; after a stall also the old ones, with all that was held back. */
  heal(): void;
  /** The next commit is done by the server; then its connection breaks before the answer gets through. */
  swallowNextCommitAnswer(): void;
  close(): Promise<void>;
};

/** As the driver sends it: a message of its own, ended by a zero. */
const COMMIT = Buffer.from("commit\0");

/** The two ends of one connection through here. */
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
      // The server answers when the commit is done.
      if (isAnswerLost) breakPair(pair);
      else client.write(bytes);
    });
    for (const end of [client, pair.server]) {
      end.setNoDelay(true);
      // Whatever went wrong at one end, the other sees a connection that is closed, unless nobody is to be told.
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
