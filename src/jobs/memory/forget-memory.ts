/** Forgets single items of memory. All of them are forgotten, or none. */
import type { Database } from "../../store/database.ts";
import { markForgotten } from "../../store/repositories/forgotten.ts";
import { deleteLearning, readLearning, type StoredLearning } from "../../store/repositories/learnings.ts";
import { deleteMemories, readMemory } from "../../store/repositories/memories.ts";
import { undoSuppression } from "../../store/repositories/suppressions.ts";

export type ItemToForget = {
  readonly kind: "memory" | "learning" | "suppression";
  readonly id: number;
};

/**
 * Deletes memories with their vectors and words, deletes learnings, and undoes suppressions: feedback from before then doesn't count any
 * more. Reviews don't learn a deleted memory or learning again. Returns the first item that doesn't exist, and then changes nothing.
 */
export async function forgetItems<Item extends ItemToForget>(
  items: readonly Item[],
  { by, at, database }: { readonly by: string; readonly at: number; readonly database: Database },
): Promise<Item | null> {
  try {
    await database.transaction(async (sql) => {
      for (const item of items) {
        const isForgotten =
          item.kind === "suppression"
            ? await undoSuppression(item.id, by, at, sql)
            : await (item.kind === "memory" ? forgetMemory : forgetLearning)(item.id, at, sql);
        if (!isForgotten) throw new MissingItem(item);
      }
    });
    return null;
  } catch (error) {
    // The transaction is rolled back by throwing.
    const missing = error instanceof MissingItem ? items.find((item) => item === error.item) : undefined;
    if (missing === undefined) throw error;
    return missing;
  }
}

class MissingItem extends Error {
  readonly item: ItemToForget;
  constructor(item: ItemToForget) {
    super("There is no such item.");
    this.item = item;
  }
}

async function forgetMemory(id: number, at: number, sql: Parameters<typeof readMemory>[1]): Promise<boolean> {
  const memory = await readMemory(id, sql);
  if (memory === null) return false;
  await deleteMemories([id], sql);
  await markForgotten(memory.repositoryId, [{ ...memory, kind: "memory" }], { at, sql });
  return true;
}

async function forgetLearning(
  id: number,
  at: number,
  sql: Parameters<typeof readLearning>[1],
): Promise<boolean> {
  const learning = await readLearning(id, sql);
  if (learning === null) return false;
  await deleteStoredLearning(learning, at, sql);
  return true;
}

/** Reviews don't learn it again. */
export async function deleteStoredLearning(
  learning: Pick<StoredLearning, "id" | "repositoryId" | "source" | "name">,
  at: number,
  sql: Parameters<typeof readLearning>[1],
): Promise<void> {
  await deleteLearning(learning.id, sql);
  // Only a person can bring back a learning of a person.
  if (learning.source !== "person")
    await markForgotten(learning.repositoryId, [{ ...learning, kind: "learning" }], { at, sql });
}
