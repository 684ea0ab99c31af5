/** Models, money and notebook that keep all that was asked of them and answered, in order. */
import { messageOf } from "../../base/errors.ts";
import type { Meter, Model, ModelTask, ModelTool, Outcome } from "../../model/model.ts";
import type { Refusal, Reservation, Spending } from "../../model/spending.ts";
import { foundIn, type Notebook } from "../../tools/notebook.ts";
import type { ShownCheck } from "../../tools/tool.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { ModelAccess } from "../model-review/model-access.ts";
import type { RecordedAnswer, RecordedModels, RecordedRun, RunStep, SpendingAnswer } from "./recording.ts";

export type WatchedModels = {
  readonly access: ModelAccess;
  readonly recorded: () => RecordedModels;
  /** What stands in the notebook now. */
  readonly found: () => readonly Finding[];
};

type Growing<Log> = {
  -readonly [Key in keyof Log]: Log[Key] extends readonly (infer Item)[] ? Item[] : Log[Key];
};

type ModelsLog = Omit<Growing<RecordedModels>, "checks" | "runs"> & {
  checks: RecordedAnswer<readonly ShownCheck[]>[] | null;
  runs: RunLog[];
};

type RunLog = Omit<Growing<RecordedRun>, "prompt" | "outcome"> & {
  prompt: RecordedRun["prompt"];
  /** Null while it runs. */
  outcome: Outcome | null;
};

export function recordModels(real: ModelAccess, now: () => number): WatchedModels {
  const log: ModelsLog = {
    ids: [],
    note: null,
    problems: [],
    isWithheld: false,
    word: null,
    startedAtMs: now(),
    isLimited: false,
    spending: [],
    notebook: [],
    openFindings: [...real.openFindings],
    operatorPrices: real.operatorPrices,
    mayRetry: [],
    checks: real.readChecks === null ? null : [],
    runs: [],
  };
  let notebook: Notebook | null = null;
  const access: ModelAccess = {
    openFindings: real.openFindings,
    // Asked for when it is wanted: where models are loaded late, nobody knows it before they are chosen.
    get operatorPrices() {
      return real.operatorPrices;
    },
    async choose(config) {
      const chosen = await real.choose(config);
      log.operatorPrices = real.operatorPrices;
      log.ids = chosen.models.map(({ id }) => id);
      log.note = chosen.note;
      log.problems = [...chosen.problems];
      log.isWithheld = chosen.isWithheld === true;
      return { ...chosen, models: chosen.models.map((model) => recordModel(model, log, now)) };
    },
    openSpending(config) {
      const spending = real.openSpending(config);
      log.isLimited = spending.isLimited;
      log.startedAtMs = now();
      return recordSpending(spending, (answer) => void log.spending.push({ ...answer, atMs: now() }));
    },
    async openNotebook(change) {
      notebook = await real.openNotebook(change);
      log.notebook = [...notebook.entries()];
      return notebook;
    },
    readChecks: real.readChecks === null ? null : () => recordChecks(real, log),
    async mayRetry() {
      const answer = await real.mayRetry();
      log.mayRetry.push(answer);
      return answer;
    },
    randomWord() {
      log.word = real.randomWord();
      return log.word;
    },
  };
  return {
    access,
    recorded: () => ({ ...log, runs: log.runs.flatMap(finishedRun) }),
    found: () => (notebook === null ? [] : foundIn(notebook)),
  };
}

/** A run without an outcome was cut off together with the review. */
function finishedRun({ outcome, ...run }: RunLog): readonly RecordedRun[] {
  return outcome === null ? [] : [{ ...run, outcome }];
}

function recordModel(model: Model, log: ModelsLog, now: () => number): Model {
  return {
    id: model.id,
    async run(task, signal) {
      const { system, user } = task.prompt;
      const run: RunLog = {
        model: model.id,
        prompt: { system, user },
        tools: task.tools.map(({ name }) => name),
        startedAtMs: now(),
        steps: [],
        said: [],
        outcome: null,
        endedAtMs: 0,
      };
      log.runs.push(run);
      run.outcome = await model.run(recordTask(task, run, now), signal);
      run.endedAtMs = now();
      return run.outcome;
    },
  };
}

function recordTask(
  task: ModelTask,
  { steps, said }: Pick<RunLog, "steps" | "said">,
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
      // Nothing at all is not JSON.
      const asked = { kind: "tool", atMs: now(), tool: tool.name, args: args ?? null } as const;
      const at = steps.push({ ...asked, answer: null }) - 1;
      const answer = await tool.call(args);
      steps[at] = { ...asked, answer };
      return answer;
    },
  };
}

type Answered = Omit<SpendingAnswer, "atMs">;

function recordSpending(spending: Spending, keep: (answer: Answered) => void): Spending {
  const keepRefusal = (call: Answered["call"], refusal: Refusal | null): void => keep({ call, refusal });
  return {
    isLimited: spending.isLimited,
    async reserve(usd, model) {
      const answer = await spending.reserve(usd, model);
      keepRefusal("reserve", answer.kind === "refused" ? answer : null);
      if (answer.kind === "refused") return answer;
      return {
        kind: "reserved",
        async extend(more) {
          const refusal = await answer.extend(more);
          keepRefusal("extend", refusal);
          return refusal;
        },
        async settle(spent) {
          await answer.settle(spent);
          keepRefusal("settle", null);
        },
      } satisfies Reservation;
    },
    spentUsd: () => spending.spentUsd(),
  };
}

async function recordChecks({ readChecks }: ModelAccess, log: ModelsLog): Promise<readonly ShownCheck[]> {
  if (readChecks === null) return [];
  try {
    const value = await readChecks();
    log.checks?.push({ kind: "answer", value, times: 1 });
    return value;
  } catch (error) {
    log.checks?.push({ kind: "failure", message: messageOf(error), times: 1 });
    throw error;
  }
}
