/** Lets callers that want the same at the same time share the work, as the look-ups of one package do. */
import { untilAborted } from "../base/until-aborted.ts";

type SharedWork<Value> = {
  readonly value: Promise<Value>;
  /** Aborted when no caller waits any more. */
  readonly controller: AbortController;
  callers: number;
};

/** Resolves to null if the caller's signal is aborted first. The work itself must not reject. */
export type ShareWork<Value> = (
  key: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
) => Promise<Value | null>;

export function createWorkSharing<Value>(): ShareWork<Value> {
  const underWay = new Map<string, SharedWork<Value>>();

  function start(work: (signal: AbortSignal) => Promise<Value>): SharedWork<Value> {
    const controller = new AbortController();
    return { value: work(controller.signal), controller, callers: 0 };
  }

  return async (key, signal, work) => {
    if (signal.aborted) return null;
    const shared = underWay.get(key) ?? start(work);
    underWay.set(key, shared);
    shared.callers += 1;
    try {
      return await untilAborted(shared.value, signal);
    } catch {
      return null;
    } finally {
      shared.callers -= 1;
      if (shared.callers === 0) {
        underWay.delete(key);
        shared.controller.abort();
      }
    }
  };
}
