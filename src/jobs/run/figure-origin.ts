/** Which statistics a repository wants, and where they come from. */
import { DAY_MS } from "../../base/day-ms.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { RepositoryRef } from "../../forge/forge.ts";
import type { FigureOrigin } from "../../store/repositories/telemetry.ts";
import type { Job } from "../../queue/queue.ts";

/** How many days statistics are kept; 0 for none. */
export function statisticsDays({ enabled, retentionDays }: RepoConfig["telemetry"]): number {
  return enabled ? retentionDays : 0;
}

/** Null if the repository wants no statistics. */
export function figureOriginOf(
  { owner, name }: RepositoryRef,
  telemetry: RepoConfig["telemetry"],
  { job, at }: { readonly job: Pick<Job, "id">; readonly at: number },
): FigureOrigin | null {
  const days = statisticsDays(telemetry);
  if (days === 0) return null;
  return { jobId: job.id, repository: `${owner}/${name}`, at, expiresAt: at + days * DAY_MS };
}
