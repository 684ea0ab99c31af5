/** Work on one notebook in turn: what looks at its entries and then appends must not be overtaken in between. */
import type { Notebook } from "./notebook.ts";

const lastOf = new WeakMap<Notebook, Promise<unknown>>();

export function serialize<Value>(notebook: Notebook, work: () => Promise<Value>): Promise<Value> {
  const before = lastOf.get(notebook) ?? Promise.resolve();
  // Whether the one before has failed is its own caller's business.
  const mine = before.then(work, work);
  lastOf.set(notebook, mine);
  return mine;
}
