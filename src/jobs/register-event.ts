/** Exchanges the numbers that a host gave its repositories for our ids, before anything is planned. */
import type { ForgeEvent, HostedRef, RegisteredEvent, RepositoryRef } from "../forge/forge.ts";
import type { RepositoryIds } from "../store/repositories/repository-ids.ts";

export async function registerEvent(event: ForgeEvent, ids: RepositoryIds): Promise<RegisteredEvent> {
  if (event.kind === "ignored" || event.kind === "installation") return event;
  if (event.kind !== "uninstalled")
    return { ...event, repositoryRef: await toRepositoryRef(event.repositoryRef, ids) };
  const { repositories } = event;
  return {
    ...event,
    repositories:
      repositories === null ? null : await Promise.all(repositories.map((each) => ids.idOf(each))),
  };
}

export async function toRepositoryRef(ref: HostedRef, ids: RepositoryIds): Promise<RepositoryRef> {
  return { ...ref, repositoryId: await ids.idOf(ref) };
}
