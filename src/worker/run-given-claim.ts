/** The child's side of run-in-process.ts: runs the one job that the parent worker has claimed. */
import type { JobReport } from "../jobs/recipe.ts";
import type { Claim } from "../queue/queue.ts";
import type { JobProcessMessage } from "./run-in-process.ts";
import { HEARTBEATS_PER_LEASE, runClaim } from "./run-claim.ts";
import type { JobRunDeps } from "./run-claim.ts";
import { CLEANUP_MS } from "./worker.ts";

export type GivenClaim = {
  readonly claim: Claim;
  /** Resolves after sending the message, or at once if the parent has exited. */
  readonly send: (message: JobProcessMessage) => Promise<void>;
  /** Aborted when the parent stops the job or has exited. */
  readonly stop: AbortSignal;
};

export async function runGivenClaim({ claim, send, stop }: GivenClaim, deps: JobRunDeps): Promise<void> {
  const hardStop = new AbortController();
  const onStop = (): void => void setTimeout(() => hardStop.abort(), CLEANUP_MS).unref();
  stop.addEventListener("abort", onStop, { once: true });
  await send({ kind: "alive" });
  const alive = setInterval(
    () => void send({ kind: "alive" }),
    deps.queueOptions.leaseMs / HEARTBEATS_PER_LEASE,
  );
  let report: JobReport | null = null;
  const onReport = (made: JobReport): void => void (report = made);
  await runClaim(claim, { ...deps, onReport, releaseRequested: stop, hardStop: hardStop.signal });
  clearInterval(alive);
  // TypeScript can't infer that runClaim always reports exactly once.
  const { state, reason, keepDays, modelUses } = report as unknown as JobReport;
  await send({ kind: "finished", state, reason, keepDays, modelUses });
}
