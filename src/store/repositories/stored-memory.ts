/** Deletes everything that a repository remembers. Its runs, findings and publications stay. */
import { yieldToEventLoop } from "../../base/event-loop.ts";
import type { Database } from "../database.ts";
import { removeScope } from "../vectors/remove-vectors.ts";
import { deleteMemories, memoryScope } from "./memories.ts";
import { lockMemories } from "./memory-repositories.ts";

/** Keeps a transaction to a few milliseconds, because each memory has many rows in the full-text index. */
const MEMORIES_PER_TRANSACTION = 10;

/** The row that decides who may see the repository's memories comes last. */
const DELETE_MEMORY = [
  "delete from memories where repository_id = $1",
  "delete from memory_terms where repository_id = $1",
  "delete from memory_term_counts where repository_id = $1",
  "delete from feedback where repository_id = $1",
  "delete from feedback_polls where repository_id = $1",
  "delete from reply_readings where repository_id = $1",
  "delete from suppressions where repository_id = $1",
  "delete from learnings where repository_id = $1",
  "delete from forgotten where repository_id = $1",
  "delete from finding_events where repository_id = $1 and reason like 'feedback:%'",
  "delete from memory_repositories where repository_id = $1",
];

/** Takes several transactions. After a crash, the next call continues. */
export async function deleteMemoryOf(repositoryId: number, database: Database): Promise<void> {
  for (;;) {
    const rows = await database.query<{ id: number }>(
      "select id from memories where repository_id = $1 order by id limit $2",
      [repositoryId, MEMORIES_PER_TRANSACTION],
    );
    if (rows.length === 0) break;
    await database.transaction((sql) =>
      deleteMemories(
        rows.map(({ id }) => id),
        sql,
      ),
    );
    await yieldToEventLoop();
  }
  await database.transaction(async (sql) => {
    // Waits for a review that is adding memories.
    await lockMemories(repositoryId, sql);
    await removeScope(memoryScope(repositoryId), sql);
    for (const statement of DELETE_MEMORY) await sql.query(statement, [repositoryId]);
  });
}
