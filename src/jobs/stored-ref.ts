/** The repository in the payload of a job. */
import type { RepositoryRef } from "../forge/forge.ts";

/** Versions that knew one host wrote neither its name nor its number, which was the repository's id. */
export type StoredRef = Omit<RepositoryRef, "host" | "forgeId"> &
  Partial<Pick<RepositoryRef, "host" | "forgeId">>;

export function parseStoredRef(stored: StoredRef): RepositoryRef {
  return { host: "", forgeId: stored.repositoryId, ...stored };
}
