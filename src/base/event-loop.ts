/** Lets pending events run, such as messages from other processes, and lets memory be freed. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
