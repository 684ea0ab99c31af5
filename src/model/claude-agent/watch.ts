/** The timers of one run: the deadline, the stall limit, and the overload limit. */
import type { ModelLimits } from "../model.ts";

export type AgentWatch = {
  /** Starts the stall timer: a call was sent, or something was received. */
  listen(): void;
  /** Stops the stall timer: no call is open. */
  rest(): void;
  /** The provider is overloaded, and the program retries after `delayMs`. False: the overload limit is reached. */
  refused(delayMs: number): boolean;
  /** A complete answer resets the overload limit. */
  answered(): void;
  stop(): void;
};

export type WatchEvents = { readonly onDeadline: () => void; readonly onSilence: () => void };

export function startWatch(limits: ModelLimits, { onDeadline, onSilence }: WatchEvents): AgentWatch {
  const deadline = setTimeout(onDeadline, limits.deadlineMs);
  let silence: NodeJS.Timeout | undefined;
  let refusedSince: number | null = null;
  const listenFor = (ms: number): void => {
    clearTimeout(silence);
    silence = setTimeout(onSilence, ms);
  };
  return {
    listen: () => listenFor(limits.stallMs),
    rest: () => clearTimeout(silence),
    refused(delayMs) {
      const now = performance.now();
      refusedSince ??= now;
      listenFor(delayMs + limits.stallMs);
      return now + delayMs <= refusedSince + limits.overloadMs;
    },
    answered() {
      refusedSince = null;
      clearTimeout(silence);
    },
    stop() {
      clearTimeout(deadline);
      clearTimeout(silence);
    },
  };
}
