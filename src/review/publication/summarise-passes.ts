/** What the attempts of all reviewers come to: who reviewed, what it used, how it ended, and what people should know of it. */
import type { Conclusion, PassReport, Usage } from "./publication.ts";
import { count, joinWords } from "./words.ts";

export type PassSummary = {
  /** "floor" when no model took part. */
  readonly reviewer: string;
  readonly usage: Usage | null;
  readonly conclusion: Conclusion;
  readonly notices: readonly string[];
};

export function summarisePasses(passes: readonly PassReport[]): PassSummary {
  const attempts = passes.filter(({ step }) => step !== "floor");
  const last = lastAttempts(attempts);
  return {
    reviewer: namesOf(attempts.filter(hasReviewed)),
    usage: sumUsage(attempts.filter(({ turns }) => turns > 0)),
    conclusion: conclude(last),
    notices: [
      ...new Set([
        ...attempts.flatMap((attempt) => describeSwitch(attempt, last)),
        ...last.flatMap((pass) => describeEnd(pass, attempts)),
      ]),
    ],
  };
}

/** Each part of the change by the attempt that had the last word about it. */
function lastAttempts(attempts: readonly PassReport[]): readonly PassReport[] {
  return [...new Map(attempts.map((attempt) => [attempt.name, attempt])).values()];
}

/** An answer that broke off before anything came of it is paid for, and is no review. */
function hasReviewed({ turns, outcome, findings }: PassReport): boolean {
  return turns > 0 && (findings > 0 || !["overloaded", "refused", "failed"].includes(outcome));
}

function namesOf(attempts: readonly PassReport[]): string {
  const models = new Set(attempts.map(({ model }) => model));
  return models.size === 0 ? "floor" : joinWords([...models]);
}

function sumUsage(attempts: readonly PassReport[]): Usage | null {
  if (attempts.length === 0) return null;
  const sum = (of: (attempt: PassReport) => number): number =>
    attempts.reduce((total, attempt) => total + of(attempt), 0);
  const isPriced = attempts.every(({ costUsd }) => costUsd !== null);
  return {
    model: namesOf(attempts),
    turns: sum(({ turns }) => turns),
    inputTokens: sum(({ tokens }) => tokens.input),
    cachedInputTokens: sum(({ tokens }) => tokens.cachedInput),
    outputTokens: sum(({ tokens }) => tokens.output),
    costUsd: isPriced ? sum(({ costUsd }) => costUsd ?? 0) : null,
  };
}

/** The worst end of a part: time comes first, because it says that the rest can still be asked for. */
function conclude(last: readonly PassReport[]): Conclusion {
  const outcomes = new Set(last.map(({ outcome }) => outcome));
  if (outcomes.has("timed-out") || last.some(({ step }) => step === "reduced")) return "timeout-partial";
  if (outcomes.has("stopped-by-budget")) return "budget-partial";
  return last.every(({ outcome }) => outcome === "completed") ? "complete" : "model-failed";
}

/** An attempt after which another one was made. */
function describeSwitch(attempt: PassReport, last: readonly PassReport[]): readonly string[] {
  const successor = last.find(({ name }) => name === attempt.name);
  if (successor === undefined || successor === attempt || attempt.outcome === "completed") return [];
  const next =
    successor.step === "reduced"
      ? "the riskiest half was tried again"
      : successor.model === attempt.model
        ? "it was asked again with a shorter prompt"
        : `${successor.model} was asked instead`;
  return [`${attempt.model} ${describeFailure(attempt)}${partOf(attempt)}; ${next}.`];
}

function describeEnd(pass: PassReport, attempts: readonly PassReport[]): readonly string[] {
  if (pass.outcome === "completed") return [];
  return [`${pass.model} ${describeFailure(pass)}${partOf(pass)}: ${describeKept(pass, attempts)}.`];
}

function describeKept({ name, findings }: PassReport, attempts: readonly PassReport[]): string {
  const all = attempts.reduce((sum, attempt) => sum + (attempt.name === name ? attempt.findings : 0), 0);
  const what = name === "review" ? "the change" : "that part";
  if (all === 0)
    return `it had recorded nothing, so what is told of ${what} comes from the deterministic rules`;
  const who = all === findings ? "it had recorded until then" : "had been recorded until then";
  return `${count(all, "finding")} that ${who} ${all === 1 ? "is" : "are"} kept`;
}

/** After the name of the model. */
function describeFailure({ outcome, stopReason, turns, ms }: PassReport): string {
  switch (outcome) {
    case "completed":
      return "finished";
    case "timed-out":
      return stopReason === "stalled"
        ? "stopped answering"
        : `ran out of time after ${count(Math.round(ms / 1_000), "second")}`;
    case "stopped-by-budget":
      return turns === 0
        ? `could not be asked within the budget (${stopReason})`
        : `was stopped by the budget (${stopReason})`;
    case "overloaded":
      return "was overloaded";
    case "refused":
      return "refused to review";
    case "failed":
      return `failed (${stopReason})`;
  }
}

function partOf({ name }: PassReport): string {
  return name === "review" ? "" : ` in ${name}`;
}
