/**
 * Ctrl-C and SIGTERM. The first one is told to whoever can end in order, and aborts where there is nobody; the next one aborts in any
 * case; one more ends the process where it stands.
 */

/**
 * Signals within this time are one: with Ctrl-C a terminal reaches every process in front, and npx passes on what it got, so that one
 * press comes twice. Whoever does press twice so fast presses once more.
 */
export const SAME_PRESS_MS = 300;

export type Interrupts = {
  /** Whatever is done is not wanted any more. */
  readonly signal: AbortSignal;
  /** Of the process. */
  readonly onSignal: () => void;
  /** From now on the first signal is told here, unless one was told already. */
  readonly onFirst: (listener: () => void) => void;
  /** Everything is done: what still runs is left over. */
  readonly abort: () => void;
};

export type InterruptOptions = {
  /** Milliseconds; only differences count. */
  readonly now: () => number;
  /** Ends the process. */
  readonly end: () => void;
};

export function createInterrupts({ now, end }: InterruptOptions): Interrupts {
  const controller = new AbortController();
  let listener: (() => void) | null = null;
  let isTold = false;
  let stoppedAt = -Infinity;
  return {
    signal: controller.signal,
    onSignal() {
      if (now() - stoppedAt < SAME_PRESS_MS) return;
      stoppedAt = now();
      if (controller.signal.aborted) return end();
      if (listener === null || isTold) return controller.abort();
      isTold = true;
      listener();
    },
    onFirst: (first) => void (listener = first),
    abort: () => controller.abort(),
  };
}
