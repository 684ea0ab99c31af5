/**
 * The connections of one process to PostgreSQL: lent for a statement or a transaction, made when they are needed, and in
 * the end closed whether the server hears it or not.
 */
import { Socket } from "node:net";
import { Client, type ClientConfig, Pool, type PoolClient } from "pg";

export type Connections = {
  /** To be given back with `release`. */
  lend(): Promise<PoolClient>;
  /** One that is never lent, for whoever keeps it. */
  readonly makeClient: () => Client;
  /** Says good-bye on those that nobody uses. */
  end(): Promise<void>;
  /** Whatever is still open: nothing of it keeps the process from ending. */
  destroy(): void;
};

export const CONNECT_WITHIN_MS = 5_000;
const IDLE_CONNECTION_MS = 30_000;

// The operating system would ask after two hours whether a silent server is still there. Some seconds later it gives up.
const ASK_WHEN_SILENT_MS = 10_000;

export function connectionSettings(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: "kodiai",
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: ASK_WHEN_SILENT_MS,
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
  const pool = new Pool({ ...tracked, max: count, idleTimeoutMillis: IDLE_CONNECTION_MS });
  // A connection that is lost while nobody uses it is replaced when one is needed,
  pool.on("error", () => {});
  // and one that is lost between two statements of a transaction makes the next of them fail: nothing else is to be told.
  pool.on("connect", (client) => void client.on("error", () => {}));
  return {
    lend: () => pool.connect(),
    makeClient: () => new Client(tracked),
    async end() {
      await pool.end();
      // The pool does not wait for its good-byes to be sent.
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
