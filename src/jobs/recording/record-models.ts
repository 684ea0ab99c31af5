/** Models, spending and notebook that record every question with its answer, in order. */
import type { Meter, Model, ModelTask, ModelTool } from "../../model/model.ts";
import type { Refusal, Reservation, Spending } from "../../model/spending.ts";
import type { Finding } from "../../review/findings/finding.ts";
import { foundIn, type Notebook } from "../../tools/notebook.ts";
import type { ModelAccess } from "../model-review/model-access.ts";
import type { RecordedModels, RecordedRun, RunStep, SpendingAnswer } from "./recording.ts";

export type WatchedModels = {
  readonly access: ModelAccess;
  /** Without the checks, which a host knows. */
  readonly recorded: () => Omit<RecordedModels, "checks">;
  /** The findings in the notebook now. */
  readonly found: () => readonly Finding[];
};

export function recordModels(real: ModelAccess, now: () => number): WatchedModels {
  const log: Omit<RecordedModels, "checks"> = {
    ids: [],
    noModel: null,
    problems: [],
    word: null,
    startedAtMs: now(),
    isLimited: false,
    reviewLimitUsd: null,
    spending: [],
    notebook: [],
    operatorPrices: real.money.operatorPrices,
    mayRetry: [],
    runs: [],
  };
  /** In the order they started; null for one without an outcome yet. */
  const runs: (RecordedRun | null)[] = [];
  let notebook: Notebook | null = null;
  const access: ModelAccess = {
    choice: {
      async choose(config) {
        const chosen = await real.choice.choose(config);
        const { models, noModel, problems } = chosen;
        const { operatorPrices } = real.money;
        Object.assign(log, { ids: models.map(({ id }) => id), noModel, problems, operatorPrices });
        return { ...chosen, models: models.map((model) => recordModel(model, runs, now)) };
      },
      async loadNamed(name, style) {
        const named = await real.choice.loadNamed(name, style);
        const problem = named.kind === "loaded" ? null : named.problem;
        log.named = [...(log.named ?? []), { name, problem }];
        return named.kind === "loaded" ? { ...named, model: recordModel(named.model, runs, now) } : named;
      },
      async mayRetry() {
        const answer = await real.choice.mayRetry();
        log.mayRetry.push(answer);
        return answer;
      },
    },
    money: {
      // Read when needed: where models load late, it isn't known before they are chosen.
      get operatorPrices() {
        return real.money.operatorPrices;
      },
      openSpending(config) {
        const spending = real.money.openSpending(config);
        log.isLimited = spending.isLimited;
        log.reviewLimitUsd = spending.reviewLimitUsd;
        log.startedAtMs = now();
        return recordSpending(spending, (call, refusal) => {
          log.spending.push({ call, refusal, atMs: now() });
        });
      },
    },
    async openNotebook(change) {
      notebook = await real.openNotebook(change);
      log.notebook = [...notebook.entries()];
      return notebook;
    },
    // Read when needed, like the prices.
    get concurrency() {
      return real.concurrency;
    },
    randomWord() {
      log.word = real.randomWord();
      return log.word;
    },
  };
  return {
    access,
    // A run without an outcome was cut off together with the review.
    recorded: () => ({ ...log, runs: runs.filter((run) => run !== null) }),
    found: () => (notebook === null ? [] : foundIn(notebook)),
  };
}

function recordModel(model: Model, runs: (RecordedRun | null)[], now: () => number): Model {
  return {
    ...model,
    async run(task, signal) {
      const { system, user } = task.prompt;
      const run = {
        model: model.id,
        prompt: { system, user },
        tools: task.tools.map(({ name }) => name),
        startedAtMs: now(),
        steps: [],
        said: [],
      };
      const at = runs.push(null) - 1;
      const outcome = await model.run(recordTask(task, run, now), signal);
      runs[at] = { ...run, outcome, endedAtMs: now() };
      return outcome;
    },
  };
}

function recordTask(
  task: ModelTask,
  { steps, said }: Pick<RecordedRun, "steps" | "said">,
  now: () => number,
): ModelTask {
  let turn = 0;
  return {
    ...task,
    tools: task.tools.map((tool) => recordTool(tool, steps, now)),
    meter: recordMeter(task.meter, steps),
    onEvent(event) {
      if (event.kind === "turn") ({ turn } = event);
      if (event.kind === "said") said.push({ turn, text: event.text, thinking: event.thinking });
      else steps.push({ kind: "event", event });
      task.onEvent(event);
    },
  };
}

function recordMeter(meter: Meter, steps: RunStep[]): Meter {
  return {
    async admit(atMost) {
      const allowed = await meter.admit(atMost);
      steps.push({ kind: "admit", atMost, isAdmitted: allowed > 0 });
      return allowed;
    },
    add(tokens) {
      steps.push({ kind: "add", tokens });
      meter.add(tokens);
    },
  };
}

function recordTool(tool: ModelTool, steps: RunStep[], now: () => number): ModelTool {
  return {
    ...tool,
    async call(args) {
      // JSON has no `undefined`.
      const step = { kind: "tool", atMs: now(), tool: tool.name, args: args ?? null } as const;
      const at = steps.push({ ...step, answer: null }) - 1;
      const answer = await tool.call(args);
      steps[at] = { ...step, answer };
      return answer;
    },
  };
}

function recordSpending(
  spending: Spending,
  keep: (call: SpendingAnswer["call"], refusal: Refusal | null) => void,
): Spending {
  return {
    ...spending,
    async reserve(usd, model, withinUsd) {
      const answer = await spending.reserve(usd, model, withinUsd);
      keep("reserve", answer.kind === "refused" ? answer : null);
      if (answer.kind === "refused") return answer;
      return {
        kind: "reserved",
        async extend(more) {
          const refusal = await answer.extend(more);
          keep("extend", refusal);
          return refusal;
        },
        async settle(spent) {
          await answer.settle(spent);
          keep("settle", null);
        },
      } satisfies Reservation;
    },
  };
}
