/**
 * Models that the user can interrupt without losing findings: their runs end at once with an outcome, and the review finishes with what was
 * recorded. An aborted run signal, in contrast, ends the whole review.
 */
import { type Model, type ModelTask, NO_TOKENS, type Outcome, type Tokens } from "../../model/model.ts";
import { addTokens } from "../../model/tokens.ts";
import type { Notebook } from "../../tools/notebook.ts";
import type { ModelAccess } from "./model-access.ts";

/** How the user interrupts the models. */
export type ModelStop = {
  /** Aborted: the current run ends, and every later one as soon as it starts. */
  readonly signal: AbortSignal;
  /** Called when a model was chosen, so that there is something to interrupt. `foundCount`: findings so far. */
  readonly onChosen: (foundCount: () => number) => void;
};

export function stoppableModels(real: ModelAccess, stop: ModelStop): ModelAccess {
  let notebook: Notebook | null = null;
  const foundCount = (): number =>
    (notebook?.entries() ?? []).filter((entry) => entry.kind === "finding" && entry.replaces === null).length;
  return {
    ...real,
    choice: {
      ...real.choice,
      async choose(config) {
        const chosen = await real.choice.choose(config);
        if (chosen.models.length > 0) stop.onChosen(foundCount);
        return { ...chosen, models: chosen.models.map((model) => stoppableModel(model, stop.signal)) };
      },
      async loadNamed(name, style) {
        const named = await real.choice.loadNamed(name, style);
        return named.kind === "loaded"
          ? { ...named, model: stoppableModel(named.model, stop.signal) }
          : named;
      },
    },
    async openNotebook(change) {
      notebook = await real.openNotebook(change);
      return notebook;
    },
  };
}

function stoppableModel(model: Model, stop: AbortSignal): Model {
  return {
    ...model,
    async run(task, signal) {
      const startedAt = performance.now();
      const watched = watchTask(task);
      try {
        return await model.run(watched.task, AbortSignal.any([signal, stop]));
      } catch (error) {
        if (signal.aborted || !stop.aborted) throw error;
        const ms = Math.round(performance.now() - startedAt);
        return {
          kind: "stopped",
          stopReason: { kind: "interrupted" },
          model: model.id,
          ...watched.taken(),
          ms,
        };
      }
    },
  };
}

type WatchedTask = { readonly task: ModelTask; taken(): Pick<Outcome, "turns" | "tokens"> };

/** Counts turns and tokens, because an interrupted run reports none. A call that was just made counts: it may cost something. */
function watchTask(task: ModelTask): WatchedTask {
  let turns = 0;
  let tokens: Tokens = NO_TOKENS;
  return {
    task: {
      ...task,
      meter: {
        admit: (atMost) => task.meter.admit(atMost),
        add(more) {
          tokens = addTokens(tokens, more);
          task.meter.add(more);
        },
      },
      onEvent(event) {
        if (event.kind === "turn") ({ turn: turns } = event);
        task.onEvent(event);
      },
    },
    taken: () => ({ turns, tokens }),
  };
}
