/** Memories and repositories for tests of the store. */
import type { Database } from "../../../src/store/database.ts";
import { type NewMemory, putMemories } from "../../../src/store/repositories/memories.ts";
import {
  type MemoryRepository,
  writeMemoryRepository,
} from "../../../src/store/repositories/memory-repositories.ts";

export function sampleRepository(given: Partial<MemoryRepository> = {}): MemoryRepository {
  const { repositoryId = 1 } = given;
  return {
    repositoryId,
    owner: "acme",
    name: `r${repositoryId}`,
    isPrivate: false,
    isSharing: false,
    embeddings: "local",
    ...given,
  };
}

/** The words of the title are its terms. */
export function sampleMemory(given: Partial<NewMemory> = {}): NewMemory {
  const { title = "a finding", identity = title } = given;
  return {
    repositoryId: 1,
    pullRequest: 1,
    identity,
    pattern: "rule:x",
    title,
    body: "Because.",
    path: "src/a.ts",
    language: "TypeScript",
    category: "correctness",
    severity: "major",
    rule: null,
    url: null,
    terms: countWords(title),
    at: 1,
    ...given,
  };
}

export function countWords(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Writes the repositories, then the memories. */
export async function fillMemory(
  database: Database,
  repositories: readonly MemoryRepository[],
  memories: readonly NewMemory[],
): Promise<void> {
  await database.transaction(async (sql) => {
    for (const repository of repositories) await writeMemoryRepository(repository, 1, sql);
    await putMemories(memories, sql);
  });
}
