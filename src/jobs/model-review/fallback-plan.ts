/** Decides the next attempt when a model couldn't finish its part: another model, a lean prompt, the riskiest half, or none. */
import type { Model, Outcome, PassStep } from "../../model/model.ts";
import type { ReviewPass } from "../../review/analysis/analysis.ts";

/** With less time, an attempt is pointless. */
export const MIN_ATTEMPT_MS = 2_000;

/** A model for a part of the change, and whether it gets the full prompt, a lean one, or the riskiest half of the files. */
export type ModelCandidate = { readonly model: Model; readonly step: "full" | "lean" | "reduced" };

/** Every model with the full prompt, then the first with a lean one. */
export function candidatesOf(models: readonly Model[]): readonly ModelCandidate[] {
  const [first] = models;
  if (first === undefined) return [];
  return [...models.map((model) => ({ model, step: "full" }) as const), { model: first, step: "lean" }];
}

/** The remaining candidates after an attempt; empty: the pass is over. */
export function candidatesAfter(
  candidate: ModelCandidate,
  outcome: Outcome,
  rest: readonly ModelCandidate[],
): readonly ModelCandidate[] {
  switch (outcome.kind) {
    case "completed":
    case "stopped":
      return [];
    case "timed-out":
      // After a stall another provider may answer; after a deadline there is no time for it.
      return outcome.stopReason.kind === "stalled" ? withoutModel(candidate, rest) : [];
    case "stopped-by-budget":
      // Another model may have a known price.
      if (outcome.stopReason.kind === "price-unknown") return withoutModel(candidate, rest);
      // After the first call the budget is spent. Before it, a lean prompt or a cheaper model may still fit.
      return outcome.turns > 0
        ? []
        : rest.toSorted((a, b) => Number(b.step === "lean") - Number(a.step === "lean"));
    case "overloaded":
    case "refused":
      return withoutModel(candidate, rest);
    case "failed":
      return afterFailure(candidate, outcome, rest);
  }
}

/** Drops the candidates of silent providers: they are not called again in the same review. */
export function withoutSilent(
  candidates: readonly ModelCandidate[],
  outcomes: readonly Outcome[],
): readonly ModelCandidate[] {
  return candidates.filter(({ model }) => !isSilent(model.id, outcomes));
}

/** True when this model's provider stalled and never answered. */
export function isSilent(modelId: string, outcomes: readonly Outcome[]): boolean {
  const ofProvider = outcomes.filter(({ model }) => providerOf(model) === providerOf(modelId));
  const isStalled = ({ kind, stopReason }: Outcome): boolean =>
    kind === "timed-out" && stopReason.kind === "stalled";
  return ofProvider.some(isStalled) && ofProvider.every(({ turns }) => turns === 0);
}

const providerOf = (modelId: string): string => modelId.slice(0, modelId.indexOf(":"));

/** The remaining candidates after these attempts, in order. Attempts of models that are no longer configured change nothing. */
export function candidatesLeft(
  all: readonly ModelCandidate[],
  attempts: readonly { readonly step: PassStep; readonly outcome: Outcome }[],
): readonly ModelCandidate[] {
  let candidates = all;
  for (const { step, outcome } of attempts) {
    const at = candidates.findIndex(
      (candidate) => candidate.model.id === outcome.model && candidate.step === step,
    );
    const candidate = candidates[at];
    if (candidate !== undefined) candidates = candidatesAfter(candidate, outcome, candidates.slice(at + 1));
  }
  return candidates;
}

function afterFailure(
  candidate: ModelCandidate,
  { stopReason }: Outcome,
  rest: readonly ModelCandidate[],
): readonly ModelCandidate[] {
  switch (stopReason.kind) {
    case "turn-limit":
      return [];
    case "context-overflow":
      return candidate.step === "lean"
        ? []
        : [{ model: candidate.model, step: "lean" }, ...rest.filter(({ step }) => step !== "lean")];
    // A shorter prompt wouldn't help: the key, the name, the address or the account is wrong, or the model doesn't finish.
    case "no-connection":
    case "quota-exceeded":
    case "not-finished":
    case "repeated-tool-calls":
      return withoutModel(candidate, rest);
    case "http-error":
      return stopReason.status < 500 ? withoutModel(candidate, rest) : rest;
    case "connection-lost":
    case "provider-error":
    case "overloaded":
    case "stalled":
    case "deadline":
    case "interrupted":
    case "refusal":
    case "process-exited":
    case "output-limit":
    case "empty-answer":
    case "no-tool-calls":
    case "malformed-tool-calls":
    case "too-many-tool-calls":
    case "budget-exhausted":
    case "budget-unavailable":
    case "price-unknown":
    case "over-budget":
    case "over-tokens":
    case "internal-error":
    case "not-recorded":
    case "finished":
    case "end-of-turn":
    case "other":
      return rest;
  }
}

function withoutModel(
  { model: failed }: ModelCandidate,
  rest: readonly ModelCandidate[],
): readonly ModelCandidate[] {
  return rest.filter(({ model }) => model.id !== failed.id);
}

/** The riskiest half of these files, with half the time. */
export function reduce(pass: ReviewPass, riskOf: (path: string) => number): ReviewPass {
  const paths = pass.paths.toSorted((a, b) => riskOf(b) - riskOf(a));
  return { ...pass, paths: paths.slice(0, Math.ceil(paths.length / 2)), seconds: pass.seconds / 2 };
}
