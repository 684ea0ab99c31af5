/** The other side of run-apart.ts: runs the one job that a worker has claimed, in this process and alone. */
import type { JobReport } from "../jobs/recipe.ts";
import type { Claim } from "../queue/queue.ts";
import type { JobProcessMessage } from "./run-in-process.ts";
import { HEARTBEATS_PER_LEASE, runClaim } from "./run-claim.ts";
import { LET_GO_WITHIN_MS, type JobRunDeps } from "./worker.ts";

export type GivenClaim = {
  readonly claim: Claim;
  /** Resolves when it was sent, or when there is nobody left to hear it. */
  readonly tell: (message: JobProcessMessage) => Promise<void>;
  /** Aborted when the worker wants the job back, or is gone. */
  readonly stop: AbortSignal;
};

export async function runGivenClaim({ claim, tell, stop }: GivenClaim, deps: JobRunDeps): Promise<void> {
  const abandon = new AbortController();
  const onStop = (): void => void setTimeout(() => abandon.abort(), LET_GO_WITHIN_MS).unref();
  stop.addEventListener("abort", onStop, { once: true });
  await tell({ kind: "alive" });
  const alive = setInterval(
    () => void tell({ kind: "alive" }),
    deps.queueOptions.leaseMs / HEARTBEATS_PER_LEASE,
  );
  let report: JobReport | null = null;
  const onReport = (made: JobReport): void => void (report = made);
  await runClaim(claim, { ...deps, onReport, giveBack: stop, abandon: abandon.signal });
  clearInterval(alive);
  // TypeScript does not see that runClaim reports once, always.
  const { state, reason, hasStatistics } = report as unknown as JobReport;
  await tell({ kind: "left", state, reason, hasStatistics });
}
