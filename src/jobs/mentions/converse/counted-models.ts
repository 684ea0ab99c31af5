/** Models that count their runs for the statistics, whichever command uses them. */
import type { RepoConfig } from "../../../config/repo-config/schema.ts";
import type { RepositoryRef } from "../../../forge/forge.ts";
import type { Model, ModelTask } from "../../../model/model.ts";
import { costUsd, type Price, priceOf } from "../../../model/prices.ts";
import type { PromptSection } from "../../../review/prompt/prompt.ts";
import type { Degradation } from "../../../review/publication/publication.ts";
import {
  recordDegradations,
  recordModelRuns,
  recordPromptSections,
} from "../../../store/repositories/telemetry.ts";
import type { JobStore } from "../../job-store.ts";
import type { ModelAccess } from "../../model-review/model-access.ts";
import type { JobContext } from "../../recipe.ts";
import { figureOriginOf } from "../../run/figure-origin.ts";
import { figuresOfRun, type ModelRunFigures, useOfRun } from "../../run/model-run-figures.ts";

export type CountedModels = {
  readonly models: ModelAccess;
  /** The name of the command. */
  readonly pass: string;
  /** The runs that have ended. */
  readonly runs: () => readonly ModelRunFigures[];
};

export function countedModels(real: ModelAccess, pass: string): CountedModels {
  const runs: ModelRunFigures[] = [];
  const counted = (model: Model, { prices }: RepoConfig): Model => ({
    id: model.id,
    async run(task, signal) {
      const price = priceOf(model.id, prices, real.money.operatorPrices);
      const watched = watchCost(task, price);
      const outcome = await model.run(watched.task, signal);
      const spentUsd = price === null ? null : watched.spentUsd();
      runs.push(figuresOfRun({ ...outcome, costUsd: spentUsd, pass, step: "full", outcome: outcome.kind }));
      return outcome;
    },
  });
  return {
    pass,
    runs: () => runs,
    models: {
      ...real,
      choice: {
        ...real.choice,
        async choose(config) {
          const chosen = await real.choice.choose(config);
          return { ...chosen, models: chosen.models.map((model) => counted(model, config)) };
        },
      },
    },
  };
}

/** Per call, because the price of a token depends on the size of its call. */
function watchCost(task: ModelTask, price: Price | null): { readonly task: ModelTask; spentUsd(): number } {
  let spent = 0;
  const add: ModelTask["meter"]["add"] = (tokens) => {
    if (price !== null) spent += costUsd(tokens, price);
    task.meter.add(tokens);
  };
  return { task: { ...task, meter: { ...task.meter, add } }, spentUsd: () => spent };
}

type KeptFigures = {
  readonly counted: CountedModels;
  readonly sections?: readonly PromptSection[];
  readonly degradations?: readonly Degradation[];
};

/** Runs in the background; a failure is logged and doesn't affect the answer. */
export function keepModelFigures(
  { counted: { runs, pass }, sections = [], degradations = [] }: KeptFigures,
  { repositoryRef, context }: { readonly repositoryRef: RepositoryRef; readonly context: JobContext },
  { telemetry: settings }: Pick<RepoConfig, "telemetry">,
  { telemetry, now }: Pick<JobStore, "telemetry" | "now">,
): void {
  context.countModelUse(runs().map(useOfRun));
  const origin = figureOriginOf(repositoryRef, settings, { job: context.job, at: now() });
  if (origin === null || runs().length === 0) return;
  const withOrigin = <Row extends object>(row: Row) => ({ ...row, ...origin });
  const rows = sections.map(({ name: section, chars, cutChars }) => ({ pass, section, chars, cutChars }));
  for (const writing of [
    recordModelRuns(runs().map(withOrigin), telemetry),
    recordPromptSections(rows.map(withOrigin), telemetry),
    recordDegradations(degradations.map(withOrigin), telemetry),
  ])
    writing.catch((error: unknown) => context.log.warn("telemetry failed", { error: String(error) }));
}
