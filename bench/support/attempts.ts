/**
 * Databases that all attempts of one bench use. A bench with a figure over its limit runs again, and filling a database takes many times
 * as long as measuring it.
 */
import type { Figure } from "../measure.ts";

/** The figures that are still over their limits. Null in the first attempt. */
let open: readonly Figure[] | null = null;

export function nextAttempt(over: readonly Figure[] | null): void {
  open = over;
}

/** False if another attempt isn't needed for any figure whose subject begins with this. */
export function isOpen(subject: string): boolean {
  return open === null || open.some(({ of }) => of.startsWith(subject));
}

const removals: (() => Promise<void>)[] = [];

/** Makes something in the first attempt, for all attempts of a bench. */
export function filledOnce<Value>(
  make: () => Promise<Value>,
  remove: (value: Value) => Promise<void>,
): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    if (made !== null) return made;
    const making = make();
    made = making;
    removals.push(async () => {
      made = null;
      // A failed `make` has removed its own files.
      const value = await making.catch(() => null);
      if (value !== null) await remove(value);
    });
    return making;
  };
}

export async function removeFilled(): Promise<void> {
  for (const remove of removals.splice(0)) await remove();
}
