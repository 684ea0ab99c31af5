/** What is tried next when a model could not finish its part: another model, a lean prompt, the riskiest half, nothing. */
import type { Model, Outcome, PassStep } from "../../model/model.ts";
import type { ReviewPass } from "../../review/analysis/analysis.ts";

/** Time below which no model comes to anything. */
export const MIN_ATTEMPT_MS = 2_000;

/** Why a model may not be called where there is a ceiling. */
export const PRICE_UNKNOWN = "its price is not known";

export type Rung = { readonly model: Model; readonly step: "full" | "lean" | "reduced" };

/** Every model with the full prompt, then the first with a lean one. */
export function ladderOf(models: readonly Model[]): readonly Rung[] {
  const [first] = models;
  if (first === undefined) return [];
  return [...models.map((model) => ({ model, step: "full" }) as const), { model: first, step: "lean" }];
}

/** The rest of the ladder after an attempt; empty: the pass is over. */
export function rungsAfter(rung: Rung, outcome: Outcome, rest: readonly Rung[]): readonly Rung[] {
  switch (outcome.kind) {
    case "completed":
    case "stopped":
      return [];
    case "timed-out":
      // A provider that has fallen silent says nothing about another one; a deadline leaves no time for it.
      return outcome.stopReason === "stalled" ? rest.filter(({ model }) => model.id !== rung.model.id) : [];
    case "stopped-by-budget":
      // A shorter prompt has no price either; another model may.
      if (outcome.stopReason === PRICE_UNKNOWN) return rest.filter(({ model }) => model.id !== rung.model.id);
      // In mid-run the money is gone; before it, a lean prompt or a cheaper model may still be paid for.
      return outcome.turns > 0
        ? []
        : rest.toSorted((a, b) => Number(b.step === "lean") - Number(a.step === "lean"));
    case "overloaded":
    case "refused":
      return rest.filter(({ model }) => model.id !== rung.model.id);
    case "failed":
      return afterFailure(rung, outcome, rest);
  }
}

/** Rungs of providers that are worth asking: one that took a request and never answered any is not asked again in the same review. */
export function heardOf(rungs: readonly Rung[], outcomes: readonly Outcome[]): readonly Rung[] {
  return rungs.filter(({ model }) => !isMute(model.id, outcomes));
}

/** Silence was all that ever came from this model's provider. */
export function isMute(modelId: string, outcomes: readonly Outcome[]): boolean {
  const ofProvider = outcomes.filter(({ model }) => providerOf(model) === providerOf(modelId));
  const isSilent = ({ kind, stopReason }: Outcome): boolean =>
    kind === "timed-out" && stopReason === "stalled";
  return ofProvider.some(isSilent) && ofProvider.every(({ turns }) => turns === 0);
}

const providerOf = (modelId: string): string => modelId.slice(0, modelId.indexOf(":"));

/** What is left of the ladder after these attempts, in order. Those of models that are not on it any more change nothing. */
export function rungsLeft(
  ladder: readonly Rung[],
  attempts: readonly { readonly step: PassStep; readonly outcome: Outcome }[],
): readonly Rung[] {
  let rungs = ladder;
  for (const { step, outcome } of attempts) {
    const at = rungs.findIndex((rung) => rung.model.id === outcome.model && rung.step === step);
    const rung = rungs[at];
    if (rung !== undefined) rungs = rungsAfter(rung, outcome, rungs.slice(at + 1));
  }
  return rungs;
}

/** What is as wrong for a shorter prompt: a key, a name, an address, an account without credit, a model that does not finish. */
const HOPELESS = /^(?:HTTP 4\d\d|no connection|quota exceeded|not finished|repeated tool calls)$/;

function afterFailure(rung: Rung, outcome: Outcome, rest: readonly Rung[]): readonly Rung[] {
  if (outcome.stopReason === "turn limit") return [];
  if (outcome.stopReason === "context overflow")
    return rung.step === "lean"
      ? []
      : [{ model: rung.model, step: "lean" }, ...rest.filter(({ step }) => step !== "lean")];
  const isHopeless = HOPELESS.test(outcome.stopReason);
  return isHopeless ? rest.filter(({ model }) => model.id !== rung.model.id) : rest;
}

/** The riskiest half of what was not read, with half the time. */
export function reduce(
  pass: ReviewPass,
  readPaths: ReadonlySet<string>,
  riskOf: (path: string) => number,
): ReviewPass {
  const left = pass.paths.filter((path) => !readPaths.has(path)).toSorted((a, b) => riskOf(b) - riskOf(a));
  return { ...pass, paths: left.slice(0, Math.ceil(left.length / 2)), seconds: pass.seconds / 2 };
}
