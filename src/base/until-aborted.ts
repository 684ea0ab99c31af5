/** For work that doesn't support a signal: the caller stops waiting as soon as the signal is aborted. */

/** Resolves to `value`, or rejects with the signal's reason if it's aborted first. */
export async function untilAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  // The signal may have been aborted before the listener was added.
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([value, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
