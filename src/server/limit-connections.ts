/**
 * Limits the number of connections without a complete request. One more closes the connection that has been waiting
 * longest. Rejecting new connections instead would let an attacker with many idle ones block the endpoint.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";

export type ConnectionLimit = {
  readonly maxWaiting: number;
  /** Called for each connection that was closed to make room. */
  readonly onClosed: () => void;
};

export function limitConnections(server: Server, { maxWaiting, onClosed }: ConnectionLimit): void {
  /** Longest waiting first. */
  const waiting = new Set<Socket>();
  const wait = (socket: Socket): void => {
    if (socket.destroyed) return;
    waiting.delete(socket);
    waiting.add(socket);
    const [oldest] = waiting;
    if (waiting.size <= maxWaiting || oldest === undefined) return;
    waiting.delete(oldest);
    oldest.destroy();
    onClosed();
  };
  server.on("connection", (socket) => {
    socket.on("close", () => waiting.delete(socket));
    wait(socket);
  });
  server.on("request", (incoming, response) => {
    const { socket } = incoming;
    incoming.on("end", () => waiting.delete(socket));
    // The connection may carry another request, so it waits again.
    response.on("close", () => wait(socket));
  });
}
