/**
 * The connection pool of one process: opens connections on demand, hands them out for a statement or a transaction, and
 * closes them in the end even if the server doesn't respond.
 */
import { Socket } from "node:net";
import { Client, type ClientConfig, Pool, type PoolClient } from "pg";

export type Connections = {
  /** Returns a connection of the pool. The caller returns it with `release`. */
  acquire(): Promise<PoolClient>;
  /** Creates a connection outside the pool, which the caller keeps. */
  readonly createClient: () => Client;
  /** Closes idle connections in an orderly way. */
  end(): Promise<void>;
  /** Destroys all open sockets, so that none of them keeps the process from exiting. */
  destroy(): void;
};

export const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 30_000;

// A new connection has to prepare and plan every statement again, which the first webhooks after a pause would wait for.
const MIN_CONNECTIONS = 1;

// The operating system's default would probe a silent server only after two hours.
const KEEP_ALIVE_DELAY_MS = 10_000;

export function connectionSettings(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: "kodiai",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  };
}

export function openConnections(settings: ClientConfig, count: number): Connections {
  const sockets = new Set<Socket>();
  const tracked: ClientConfig = {
    ...settings,
    stream() {
      const socket = new Socket();
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      return socket;
    },
  };
  // A statement is sent at once, even if the answers to earlier ones are still to come.
  const pool = new Pool({
    ...tracked,
    pipeline: true,
    min: MIN_CONNECTIONS,
    max: count,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
  });
  // The pool replaces a lost idle connection on demand.
  pool.on("error", () => {});
  // A connection lost inside a transaction makes its next statement fail, which reports the error.
  pool.on("connect", (client) => void client.on("error", () => {}));
  return {
    acquire: () => pool.connect(),
    createClient: () => new Client(tracked),
    async end() {
      await pool.end();
      // The pool doesn't wait until its connections are closed.
      await Promise.all([...sockets].map(closed));
    },
    destroy() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.once("close", () => resolve()));
}
