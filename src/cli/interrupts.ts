/**
 * Ctrl-C and SIGTERM. The first interrupt calls the listener that shuts down gracefully, or aborts if there is none. The next one always
 * aborts. One more exits the process at once.
 */

/**
 * Signals within this time count as one. With Ctrl-C, a terminal signals every foreground process, and npx forwards its signal, so one
 * press arrives twice. A user who really presses twice that fast can press again.
 */
export const SAME_PRESS_MS = 300;

export type Interrupts = {
  /** Aborted when all work should stop. */
  readonly signal: AbortSignal;
  /** Handler for signals of the process. */
  readonly onSignal: () => void;
  /** From now on the first signal calls the listener, unless one was already handled. */
  readonly onFirst: (listener: () => void) => void;
  /** Aborts what still runs after the command has finished. */
  readonly abort: () => void;
};

export type InterruptOptions = {
  /** Milliseconds; only differences count. */
  readonly now: () => number;
  /** Exits the process. */
  readonly exit: () => void;
};

export function createInterrupts({ now, exit }: InterruptOptions): Interrupts {
  const controller = new AbortController();
  let listener: (() => void) | null = null;
  let isHandled = false;
  let signalledAt = -Infinity;
  return {
    signal: controller.signal,
    onSignal() {
      if (now() - signalledAt < SAME_PRESS_MS) return;
      signalledAt = now();
      if (controller.signal.aborted) return exit();
      if (listener === null || isHandled) return controller.abort();
      isHandled = true;
      listener();
    },
    onFirst: (first) => void (listener = first),
    abort: () => controller.abort(),
  };
}
