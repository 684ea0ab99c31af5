/** The clocks of one run: how long it may take, how long the provider may be silent, how long it may have no room. */
import type { ModelLimits } from "../model.ts";

export type AgentWatch = {
  /** The provider was asked, or has said something: from now on silence counts. */
  listen(): void;
  /** Nothing is expected of the provider. */
  rest(): void;
  /** The provider has refused for now and is asked again after `delayMs`. False: it was given time enough. */
  refused(delayMs: number): boolean;
  /** The provider has answered in full; being refused counts from the beginning again. */
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
