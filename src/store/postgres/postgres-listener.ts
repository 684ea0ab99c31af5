/**
 * Receives notifications on a dedicated connection and reconnects when it is lost. A dead connection can look like an idle
 * one, so the listener pings the server regularly.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";

export type Listening = { stop(): Promise<void> };

const RECONNECT_DELAY_MS = 2_000;

// Without notifications, workers still find jobs by polling, only later.
const PING_INTERVAL_MS = 10_000;
const PING_TIMEOUT_MS = 5_000;

/** Calls back for every notification until it is stopped, and when notifications may have been missed. Never throws. */
export function startListening(
  createClient: () => Client,
  channel: string,
  onNotification: () => void,
): Listening {
  const stopped = new AbortController();

  async function keepListening(): Promise<void> {
    while (!stopped.signal.aborted) {
      await listenOnce(createClient(), stopped.signal);
      await pause(RECONNECT_DELAY_MS, stopped.signal);
    }
  }

  /** Listens until the connection is lost or the caller stops it. */
  async function listenOnce(client: Client, stop: AbortSignal): Promise<void> {
    const lost = new AbortController();
    const over = AbortSignal.any([stop, lost.signal]);
    client.on("error", () => lost.abort());
    client.on("end", () => lost.abort());
    client.on("notification", onNotification);
    try {
      await client.connect();
      await send(client, `listen ${channel}`);
      // Notifications may have been missed before the connection was made.
      onNotification();
      while (!over.aborted) {
        await pause(PING_INTERVAL_MS, over);
        if (!over.aborted) await send(client, "select 1");
      }
    } catch {
      // The listener reconnects. Other callers report the error.
    }
    client.off("notification", onNotification);
    // Not awaited, because an unreachable server never answers.
    void client.end().catch(() => {});
  }

  const listening = keepListening();
  return {
    stop() {
      stopped.abort();
      return listening;
    },
  };
}

async function send(client: Client, text: string): Promise<void> {
  // The driver supports the timeout, but its types don't include it.
  const query: { readonly text: string; readonly query_timeout: number } = {
    text,
    query_timeout: PING_TIMEOUT_MS,
  };
  await client.query(query);
}

/** Returns early, without an error, when the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, null, { signal }).catch(() => {});
}
