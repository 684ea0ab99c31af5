/** Downloads what is remembered about a repository, as `kodiai memory export` writes it. */
import { exportMemory } from "../../jobs/memory/export-memory.ts";
import type { DashboardAction } from "./action.ts";
import { findRepositoryOfForm } from "./find-repository.ts";

export const downloadMemory: DashboardAction = {
  name: "export-memory",
  needs: "write",
  findTarget: findRepositoryOfForm,
  async perform(_, { repositoryId }, { database, now }) {
    const id = repositoryId ?? 0;
    return {
      kind: "download",
      fileName: `kodiai-memory-${id}.jsonl`,
      contentType: "application/x-ndjson; charset=utf-8",
      texts: exportMemory([id], { at: now(), sql: database }),
    };
  },
};
