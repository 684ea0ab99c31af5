/** Lets a model work on a task with tools, within the budgets and a time limit. If it fails without an answer, the next model tries. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import { type Model, type ModelEvent, type ModelPrompt, NO_TOKENS, type Outcome } from "../../model/model.ts";
import type { NoModelReason } from "../../model/no-model-reason.ts";
import { addTokens } from "../../model/tokens.ts";
import type { ReadContext, Tool } from "../../tools/tool.ts";
import { createToolbox, type ToolboxWords } from "../../tools/toolbox.ts";
import {
  withoutSilent,
  MIN_ATTEMPT_MS,
  type ModelCandidate,
  candidatesAfter,
} from "../model-review/fallback-plan.ts";
import type { ModelAccess } from "../model-review/model-access.ts";
import { type PaidModelRun, runPaidModel } from "../model-run/run-paid-model.ts";
import { WIND_DOWN_AT, workingLimits } from "../model-run/working-limits.ts";
import { createListener } from "./create-listener.ts";

/** A task and its tools. `open` is called for each attempt, so that a second model starts from nothing. */
export type Talk<Context extends ReadContext> = {
  readonly prompt: ModelPrompt;
  readonly tools: readonly Tool<Context>[];
  readonly open: (model: string) => Context;
  readonly config: RepoConfig;
  /** For all attempts together. */
  readonly timeoutMs: number;
  /** For one attempt. */
  readonly maxTurns: number;
  /** For one answer; left out: as much as a review may use. */
  readonly maxOutputTokens?: number;
  /** Asked once per attempt, when a model stops without a final call: a reminder, or null if that is fine. */
  readonly remind: (context: Context) => string | null;
  /** Sentences of the toolbox for a model that should finish, or repeats itself. */
  readonly words: ToolboxWords;
};

export type TalkDeps = {
  readonly models: Pick<ModelAccess, "choice" | "money">;
  /** Milliseconds; only differences count. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: ModelEvent, at: TalkState) => void;
};

export type TalkState = {
  readonly model: string;
  /** Of this attempt so far; null if the price is unknown. */
  readonly spentUsd: number | null;
};

export type TalkEnd<Context extends ReadContext> =
  | { readonly kind: "no-model"; readonly reason: NoModelReason | null; readonly problems: readonly string[] }
  | {
      readonly kind: "ended";
      /** Of the attempt that counts, the last one. Its tokens are those of all attempts. */
      readonly outcome: Outcome;
      /** Of all attempts. Null if the price of a model is unknown. */
      readonly costUsd: number | null;
      /** The last text of the model, outside of its calls; "" for none. */
      readonly said: string;
      /** The context of the attempt that counts. */
      readonly context: Context;
    };

type Ended<Context extends ReadContext> = Extract<TalkEnd<Context>, { kind: "ended" }>;

/** Rejects if `signal` is aborted, or if the spending can't be recorded. */
export async function talkToModel<Context extends ReadContext>(
  talk: Talk<Context>,
  deps: TalkDeps,
): Promise<TalkEnd<Context>> {
  const { choice, money } = deps.models;
  const { models, noModel, problems } = await choice.choose(talk.config);
  const [first, ...others] = models;
  if (first === undefined) return { kind: "no-model", reason: noModel, problems };
  const spending = money.openSpending(talk.config);
  return talkWith(talk, [first, ...others], { ...deps, spending, operatorPrices: money.operatorPrices });
}

export type TalkWithDeps = Pick<TalkDeps, "now" | "signal" | "onEvent"> &
  Pick<PaidModelRun, "spending" | "operatorPrices">;

/** The same with these models, in their order. */
export async function talkWith<Context extends ReadContext>(
  talk: Talk<Context>,
  models: readonly [Model, ...Model[]],
  deps: TalkWithDeps,
): Promise<Ended<Context>> {
  const endsAt = deps.now() + talk.timeoutMs;
  let candidates: readonly ModelCandidate[] = models.map((model) => ({ model, step: "full" }));
  let last = await tryModel(models[0], talk.timeoutMs, talk, deps);
  const ended = [last];
  for (;;) {
    const [tried, ...rest] = candidates;
    if (tried === undefined) break;
    const outcomes = ended.map((each) => each.outcome);
    // There is one prompt, so a shorter one isn't tried.
    candidates = withoutSilent(candidatesAfter(tried, last.outcome, rest), outcomes).filter(
      ({ step }) => step === "full",
    );
    const [next] = candidates;
    const deadlineMs = endsAt - deps.now();
    if (next === undefined || deadlineMs < MIN_ATTEMPT_MS) break;
    last = await tryModel(next.model, deadlineMs, talk, deps);
    ended.push(last);
  }
  return withSums(last, ended);
}

async function tryModel<Context extends ReadContext>(
  model: Model,
  deadlineMs: number,
  talk: Talk<Context>,
  { now, signal, onEvent, spending, operatorPrices }: TalkWithDeps,
): Promise<Ended<Context>> {
  const { prompt, config, maxTurns, words, maxOutputTokens } = talk;
  const limits = workingLimits({ deadlineMs, maxTurns, isDeep: false });
  const context = talk.open(model.id);
  const listener = createListener();
  const windDownAtMs = now() + deadlineMs * WIND_DOWN_AT;
  const { tools, strayCalls } = createToolbox(talk.tools, context, { now, windDownAtMs, words });
  let isReminded = false;
  const { outcome, costUsd } = await runPaidModel(
    {
      model,
      task: {
        prompt,
        tools,
        strayCalls,
        limits: { ...limits, maxOutputTokens: maxOutputTokens ?? limits.maxOutputTokens },
        onEvent(event, spentUsd) {
          listener.hear(event);
          onEvent(event, { model: model.id, spentUsd });
        },
        remind() {
          const text = isReminded ? null : talk.remind(context);
          isReminded = true;
          return text;
        },
      },
      spending,
      prices: config.prices,
      operatorPrices,
    },
    { now, signal },
  );
  return { kind: "ended", outcome, costUsd, said: listener.said(), context };
}

function withSums<Context extends ReadContext>(
  last: Ended<Context>,
  all: readonly Ended<Context>[],
): Ended<Context> {
  const tokens = all.reduce((sum, { outcome }) => addTokens(sum, outcome.tokens), NO_TOKENS);
  const costUsd = all.reduce<number | null>(
    (sum, each) => (sum === null || each.costUsd === null ? null : sum + each.costUsd),
    0,
  );
  return { ...last, outcome: { ...last.outcome, tokens }, costUsd };
}
