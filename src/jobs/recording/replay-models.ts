/** Models, spending and notebook that answer from a recording. Nothing is called or spent. */
import { type Model, NO_TOKENS } from "../../model/model.ts";
import type { Reservation, Spending } from "../../model/spending.ts";
import { createMemoryNotebook } from "../../tools/notebook.ts";
import type { ModelAccess } from "../model-review/model-access.ts";
import { type PlayDeps, playRun } from "./play-run.ts";
import type { RecordedModels, RecordedRun, SpendingAnswer } from "./recording.ts";

export type ReplayedModels = {
  readonly access: ModelAccess;
  /** Recorded runs that the review hasn't requested. */
  readonly unplayed: () => readonly RecordedRun[];
};

export function replayModels(recorded: RecordedModels, deps: PlayDeps): ReplayedModels {
  const runs = [...recorded.runs];
  const mayRetry = [...recorded.mayRetry];
  const access: ModelAccess = {
    choice: {
      choose: async () => ({
        models: recorded.ids.map((id) => replayModel(id, runs, deps)),
        noModel: recorded.noModel,
        problems: recorded.problems,
      }),
      async loadNamed(name) {
        const named = recorded.named?.find((each) => each.name === name);
        if (named?.problem === null) return { kind: "loaded", model: replayModel(name, runs, deps) };
        return { kind: "unavailable", problem: named?.problem ?? `${name} isn't in the recording` };
      },
      mayRetry: async () => mayRetry.shift() ?? true,
    },
    money: {
      openSpending() {
        deps.setClock(recorded.startedAtMs);
        return replaySpending(recorded, deps);
      },
      operatorPrices: recorded.operatorPrices,
    },
    openNotebook: async () => createMemoryNotebook(recorded.notebook),
    // One after the other: the clock is that of the run that plays.
    concurrency: 1,
    // A recording without a word has no prompt that needs one.
    randomWord: () => recorded.word ?? "none",
  };
  return { access, unplayed: () => runs };
}

/** Takes the next run of this model from the list. */
function replayModel(id: string, runs: RecordedRun[], deps: PlayDeps): Model {
  return {
    id,
    async run(task, signal) {
      const at = runs.findIndex(({ model }) => model === id);
      const [run] = at === -1 ? [] : runs.splice(at, 1);
      if (run !== undefined) return playRun(run, task, signal, deps);
      deps.remark(`${id} is called once more than before`);
      const stopReason = { kind: "not-recorded" } as const;
      return { kind: "failed", stopReason, model: id, turns: 0, tokens: NO_TOKENS, ms: 0 };
    },
  };
}

/** Recorded refusals are repeated; every other request is allowed. */
function replaySpending(
  { isLimited, reviewLimitUsd, spending }: RecordedModels,
  { setClock }: PlayDeps,
): Spending {
  const left = [...spending];
  const next = (call: SpendingAnswer["call"]) => {
    const at = left.findIndex((answer) => answer.call === call);
    const [answer] = at === -1 ? [] : left.splice(at, 1);
    if (answer !== undefined) setClock(answer.atMs);
    return answer?.refusal ?? null;
  };
  const reservation: Reservation = {
    kind: "reserved",
    extend: async () => next("extend"),
    settle: async () => void next("settle"),
  };
  return {
    isLimited,
    reviewLimitUsd,
    reserve: async () => next("reserve") ?? reservation,
    spentUsd: async () => 0,
  };
}
