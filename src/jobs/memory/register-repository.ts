/** Keeps what decides who may see a repository's memories: its owner, its visibility, and whether it shares. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { PullRequest } from "../../forge/forge.ts";
import type { Sql } from "../../store/database.ts";
import { readMemoryRepository, writeMemoryRepository } from "../../store/repositories/memory-repositories.ts";

export async function registerRepository(
  { repositoryRef, isPrivate }: Pick<PullRequest, "repositoryRef" | "isPrivate">,
  { enabled, shareWithOwner, embeddings }: RepoConfig["memory"],
  at: number,
  sql: Sql,
): Promise<void> {
  const { repositoryId, owner, name } = repositoryRef;
  // Without memory nothing is stored, but a repository that has stored something stops sharing it.
  if (!enabled && (await readMemoryRepository(repositoryId, sql)) === null) return;
  const isSharing = enabled && shareWithOwner;
  await writeMemoryRepository(
    { repositoryId, owner, name, isPrivate, isSharing, embeddings: embeddings ?? "" },
    at,
    sql,
  );
}
