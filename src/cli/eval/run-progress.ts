/** The progress of an evaluation: one line that is redrawn on a terminal, and elsewhere one line for each tenth of the reviews. */
import { describeUsd } from "../../review/publication/words.ts";
import type { EvaluationProgress } from "../../evaluation/run/run-evaluation.ts";
import type { CliDeps } from "../command.ts";
import { createProgress, type Progress } from "../progress.ts";

/** A log of a long run stays readable. */
const LINES_OF_LOG = 10;

const MINUTE_MS = 60_000;

export type RunProgress = Omit<Progress, "update"> & { update(progress: EvaluationProgress): void };

export function createRunProgress(deps: Pick<CliDeps, "stderr" | "settings" | "now">): RunProgress {
  const line = createProgress(deps);
  const isLive = deps.stderr.isTerminal && !deps.settings.isCi;
  let written = 0;
  return {
    ...line,
    update(progress) {
      line.update(describeRun(progress));
      const { done, failed, wanted } = progress;
      const step = Math.floor(((done + failed) * LINES_OF_LOG) / Math.max(1, wanted));
      if (isLive || step <= written) return;
      written = step;
      deps.stderr.write(`kodiai: ${describeRun(progress)}\n`);
    },
  };
}

function describeRun({ done, failed, wanted, costUsd, leftMs }: EvaluationProgress): string {
  return [
    `${done} of ${wanted} reviews`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(costUsd === 0 ? [] : [describeUsd(costUsd)]),
    ...(leftMs === null || done + failed === wanted ? [] : [`about ${describeMs(leftMs)} left`]),
  ].join(", ");
}

function describeMs(ms: number): string {
  return ms < MINUTE_MS ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / MINUTE_MS)} min`;
}
