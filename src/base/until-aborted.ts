/** For work that does not listen to a signal itself: whoever waits for it is free as soon as the signal is aborted. */

/** What `value` comes to; rejects with the signal's reason when that is aborted first. */
export async function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  // It may have been aborted before anybody listened.
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([value, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
