/** Sums up the attempts of all reviewers: the reviewer's name, the usage, the conclusion, and notices for people. */
import { isReading } from "../../../model/is-reading.ts";
import { stopCode } from "../../../model/stop-code.ts";
import type { StopReason } from "../../../model/stop-reason.ts";
import { adviseFailure } from "./advise-failure.ts";
import { describeStopReason } from "./describe-stop-reason.ts";
import type { Conclusion, PassReport, ModelUsage } from "../publication.ts";
import { count } from "../../../base/count.ts";
import { joinWords } from "../words.ts";

export type PassSummary = {
  /** "floor" when no model took part. */
  readonly reviewer: string;
  readonly usage: ModelUsage | null;
  readonly conclusion: Conclusion;
  readonly notices: readonly string[];
  /** The notices that only the operator can act on. */
  readonly advice: readonly string[];
};

/** `cutOffUsd`: as in `Usage`. */
export function summarisePasses(passes: readonly PassReport[], cutOffUsd = 0): PassSummary {
  const calls = passes.filter(({ step }) => step !== "floor");
  // The triage only ranks: without it, everything is read closely. A second reading that failed leaves the review as it was found.
  const attempts = calls.filter(({ step }) => isReading(step));
  // A later round that didn't finish is a gap of the receipt. It takes nothing from the first one.
  const first = attempts.filter(({ round }) => round === undefined);
  const parts = [...Map.groupBy(first, ({ name }) => name).values()];
  const last = parts.flatMap((part) => part.slice(-1));
  return {
    reviewer: namesOf(attempts.filter(hasReviewed)),
    usage: sumUsage(calls, cutOffUsd),
    conclusion: conclude(last),
    ...composeNotices(parts),
  };
}

/** An answer that was cut off before the model recorded anything costs money, but isn't a review. */
function hasReviewed({ turns, outcome, findings }: PassReport): boolean {
  return turns > 0 && (findings > 0 || !["overloaded", "refused", "failed"].includes(outcome));
}

function namesOf(attempts: readonly PassReport[]): string {
  const models = new Set(attempts.map(({ model }) => model));
  return models.size === 0 ? "floor" : joinWords([...models]);
}

function sumUsage(all: readonly PassReport[], cutOffUsd: number): ModelUsage | null {
  const answered = all.filter(({ turns }) => turns > 0);
  if (answered.length === 0 && cutOffUsd === 0) return null;
  // An attempt whose process crashed left no report; the later attempts name its model.
  const attempts = answered.length === 0 ? all : answered;
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
    cutOffUsd,
  };
}

/**
 * The worst end of any part. An interruption comes first, because it explains everything after it; then time, because the user can
 * still request the rest.
 */
function conclude(last: readonly PassReport[]): Conclusion {
  const outcomes = new Set(last.map(({ outcome }) => outcome));
  if (outcomes.has("stopped")) return "stopped-partial";
  if (outcomes.has("timed-out") || last.some(({ step }) => step === "reduced")) return "timeout-partial";
  if (outcomes.has("stopped-by-budget")) return "budget-partial";
  return last.every(({ outcome }) => outcome === "completed") ? "complete" : "model-failed";
}

/** A sentence about an attempt, and what to do about it. */
type Notice = { readonly sentence: string; readonly advice: string | null };

/** Advice follows the first sentence it belongs to. No text appears twice. */
function composeNotices(parts: readonly (readonly PassReport[])[]): Pick<PassSummary, "notices" | "advice"> {
  const all = [...parts.flatMap(describeSwitches), ...describeEnds(parts)];
  const notices = all.flatMap(({ sentence, advice }) => (advice === null ? [sentence] : [sentence, advice]));
  const advice = all.flatMap((notice) => (notice.advice === null ? [] : [notice.advice]));
  return { notices: [...new Set(notices)], advice: [...new Set(advice)] };
}

/** The attempts at a part that another attempt followed. One that failed like the last is described together with it. */
function describeSwitches(part: readonly PassReport[]): readonly Notice[] {
  const last = part.at(-1);
  return part.flatMap((attempt, index) => {
    const next = part[index + 1];
    if (next === undefined || last === undefined || attempt.outcome === "completed") return [];
    if (failsAlike(attempt, last)) return [];
    const sentence = `${attempt.model} ${describeFailure(attempt)}${partOf([attempt.name])}${describeNext(attempt, next)}.`;
    return [{ sentence, advice: adviseFailure(attempt, last.outcome === "completed") }];
  });
}

function failsAlike(attempt: PassReport, last: PassReport): boolean {
  return (
    attempt.model === last.model &&
    attempt.outcome === last.outcome &&
    isSameCause(attempt.stopReason, last.stopReason) &&
    last.step === "lean"
  );
}

/** A shorter prompt needs a little less money. Where neither fits into the budget, that makes no difference. */
function isSameCause(one: StopReason, other: StopReason): boolean {
  if (one.kind === "over-budget" && other.kind === "over-budget") return one.budget === other.budget;
  return stopCode(one) === stopCode(other);
}

/** The next attempt; nothing if the budget didn't allow it. */
function describeNext(attempt: PassReport, next: PassReport): string {
  if (wasNotCalled(next)) return "";
  if (next.step === "reduced") return "; Kodiai retried with the riskiest half";
  const shorter = next.step === "lean" ? " with a shorter prompt" : "";
  return next.model === attempt.model
    ? `; Kodiai retried it${shorter}`
    : `; Kodiai used ${next.model} instead${shorter}`;
}

function wasNotCalled({ outcome, turns }: PassReport): boolean {
  return outcome === "stopped-by-budget" && turns === 0;
}

/** How the incomplete parts ended. Parts that failed alike and recorded nothing share a sentence. */
function describeEnds(parts: readonly (readonly PassReport[])[]): readonly Notice[] {
  const ends = parts.flatMap((part) => {
    const last = part.at(-1);
    if (last === undefined || last.outcome === "completed") return [];
    const found = part.reduce((sum, { findings }) => sum + findings, 0);
    const failure = `${last.model} ${describeFailure(last)}${describeStep(part, last)}`;
    return [{ last, failure, found, key: `${failure}\n${found === 0 ? "" : last.name}` }];
  });
  return [...Map.groupBy(ends, ({ key }) => key).values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    const { last, failure, found } = first;
    const names = alike.map((end) => end.last.name);
    const kept = found === 0 ? describeNothing(names) : describeKept(found);
    return [{ sentence: `${failure}${partOf(names)}: ${kept}.`, advice: adviseFailure(last, false) }];
  });
}

/** The step, unless it was the full one. */
function describeStep(part: readonly PassReport[], last: PassReport): string {
  if (last.step === "reduced") return " with the riskiest half";
  if (last.step !== "lean") return "";
  if (!part.some((attempt) => attempt !== last && failsAlike(attempt, last))) return " with a shorter prompt";
  return ", even with a shorter prompt";
}

function describeNothing(names: readonly string[]): string {
  const what = names.length > 1 ? "those parts" : names[0] === "review" ? "the change" : "that part";
  return `it recorded nothing, so only the built-in rules reviewed ${what}`;
}

/** `found`: by all attempts at the part. */
function describeKept(found: number): string {
  return `${count(found, "finding")} recorded until then ${found === 1 ? "is" : "are"} kept`;
}

/** After the name of the model. */
function describeFailure(attempt: PassReport): string {
  const { outcome, stopReason, ms } = attempt;
  const reason = describeStopReason(stopReason);
  // The outcome says the same.
  const why = stopReason.kind === "budget-exhausted" ? "" : ` (${reason})`;
  const seconds = count(Math.round(ms / 1_000), "second");
  switch (outcome) {
    case "completed":
      return "finished";
    case "timed-out":
      return stopReason.kind === "stalled" ? "stopped responding" : `ran out of time after ${seconds}`;
    case "stopped-by-budget":
      return wasNotCalled(attempt)
        ? `wasn't called because of the budget${why}`
        : `was stopped by the budget${why}`;
    case "overloaded":
      return "was overloaded";
    case "refused":
      return "declined to review";
    case "failed":
      return `failed (${reason})`;
    case "stopped":
      return `was interrupted after ${seconds}`;
  }
}

function partOf(names: readonly string[]): string {
  return names[0] === "review" ? "" : ` in ${joinWords(names)}`;
}
