/** A time limit for work that may ignore its signal. */
import { untilAborted } from "./until-aborted.ts";

export type TimeLimit = {
  readonly ms: number;
  /** Aborts the work earlier. */
  readonly signal: AbortSignal;
  /** Thrown when the time is up. */
  readonly late: () => Error;
};

/** Resolves or rejects as the work does, and without waiting for it once the time is up. */
export async function within<Value>(
  { ms, signal, late }: TimeLimit,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(late()), ms);
  const both = AbortSignal.any([signal, ended.signal]);
  try {
    return await untilAborted(work(both), both);
  } catch (error) {
    // An adapter may wrap the reason, or hide it behind its own.
    if (ended.signal.aborted && !signal.aborted) throw late();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
