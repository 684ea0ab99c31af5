/** Lets pending events run, such as messages from other processes, and lets memory be freed. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Returns a function that yields to the event loop if this much time has passed since it last did. */
export function createPause(everyMs: number): () => Promise<void> {
  let yieldedAt = performance.now();
  return async () => {
    if (performance.now() - yieldedAt < everyMs) return;
    await yieldToEventLoop();
    yieldedAt = performance.now();
  };
}
