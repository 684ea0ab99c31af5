/**
 * Models that somebody can stop by hand without losing what they have recorded: their runs end at once, as outcomes, and the review goes
 * on to its end with what there is. A signal that is aborted means more: that nobody wants the review any more.
 */
import { type Model, type ModelTask, NO_TOKENS, type Outcome, type Tokens } from "../../model/model.ts";
import { addTokens } from "../../model/tokens.ts";
import type { Notebook } from "../../tools/notebook.ts";
import type { ModelAccess } from "./model-access.ts";

/** Somebody who may have waited long enough. */
export type ModelStop = {
  /** Aborted: the run that is under way ends, and every later one as soon as it begins. */
  readonly signal: AbortSignal;
  /** A model is going to read: from now on there is something to stop. `foundCount`: what models have recorded so far. */
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
    },
    async openNotebook(change) {
      notebook = await real.openNotebook(change);
      return notebook;
    },
  };
}

function stoppableModel(model: Model, stop: AbortSignal): Model {
  return {
    id: model.id,
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

/** Whoever is cut off says nothing of what it took; that is counted here. A call that was just made counts: it may cost something. */
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
