/** Serializes work on one notebook: no other append may happen between reading its entries and appending. */
import type { Notebook } from "./notebook.ts";

const lastOf = new WeakMap<Notebook, Promise<unknown>>();

export function serialize<Value>(notebook: Notebook, work: () => Promise<Value>): Promise<Value> {
  const before = lastOf.get(notebook) ?? Promise.resolve();
  // A failure of the previous work is handled by its own caller.
  const mine = before.then(work, work);
  lastOf.set(notebook, mine);
  return mine;
}
