/**
 * Hears notifications on a connection of its own, and makes another when it is lost. A connection that is dead without
 * having said so looks like one on which nothing happens: it is asked now and then.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";

export type Listening = { stop(): Promise<void> };

const LISTEN_AGAIN_MS = 2_000;

// Whoever waits for work looks for it by itself in the meantime, only less often.
const ASK_EVERY_MS = 10_000;
const ANSWER_WITHIN_MS = 5_000;

/** Calls back for every notification until it is stopped, and whenever some may have been missed. Never throws. */
export function startListening(
  makeClient: () => Client,
  channel: string,
  onNotification: () => void,
): Listening {
  const stopped = new AbortController();

  async function listenOn(): Promise<void> {
    while (!stopped.signal.aborted) {
      await listenOnce(makeClient(), stopped.signal);
      await pause(LISTEN_AGAIN_MS, stopped.signal);
    }
  }

  /** Until the connection is lost or nobody wants to hear any more. */
  async function listenOnce(client: Client, stop: AbortSignal): Promise<void> {
    const lost = new AbortController();
    const over = AbortSignal.any([stop, lost.signal]);
    client.on("error", () => lost.abort());
    client.on("end", () => lost.abort());
    client.on("notification", onNotification);
    try {
      await client.connect();
      await ask(client, `listen ${channel}`);
      // Something may have happened while nobody listened.
      onNotification();
      while (!over.aborted) {
        await pause(ASK_EVERY_MS, over);
        if (!over.aborted) await ask(client, "select 1");
      }
    } catch {
      // It is tried again. Whoever asks the database for something hears what is wrong with it.
    }
    client.off("notification", onNotification);
    // Not waited for: a server that is away says no good-bye.
    void client.end().catch(() => {});
  }

  const listening = listenOn();
  return {
    stop() {
      stopped.abort();
      return listening;
    },
  };
}

async function ask(client: Client, text: string): Promise<void> {
  // The driver knows the limit; its types do not.
  const question: { readonly text: string; readonly query_timeout: number } = {
    text,
    query_timeout: ANSWER_WITHIN_MS,
  };
  await client.query(question);
}

/** Ends early, without an error, when the signal comes. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, null, { signal }).catch(() => {});
}
