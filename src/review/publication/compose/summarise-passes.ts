/** What the attempts of all reviewers come to: who reviewed, what it used, how it ended, and what people should know of it. */
import { adviseFailure, describeReason } from "./advise-failure.ts";
import type { Conclusion, PassReport, ModelUsage } from "../publication.ts";
import { count } from "../../../base/count.ts";
import { joinWords } from "../words.ts";

export type PassSummary = {
  /** "floor" when no model took part. */
  readonly reviewer: string;
  readonly usage: ModelUsage | null;
  readonly conclusion: Conclusion;
  readonly notices: readonly string[];
};

/** `cutOffUsd`: as in `Usage`. */
export function summarisePasses(passes: readonly PassReport[], cutOffUsd = 0): PassSummary {
  const attempts = passes.filter(({ step }) => step !== "floor");
  const parts = [...Map.groupBy(attempts, ({ name }) => name).values()];
  const last = parts.flatMap((part) => part.slice(-1));
  return {
    reviewer: namesOf(attempts.filter(hasReviewed)),
    usage: sumUsage(attempts, cutOffUsd),
    conclusion: conclude(last),
    notices: composeNotices(parts),
  };
}

/** An answer that broke off before anything came of it is paid for, and is no review. */
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
  // Who was asked by an attempt that died is among those who were asked after it.
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
 * The worst end of a part. Being stopped comes first, because whatever else went wrong nobody let it go on; then time, because it
 * says that the rest can still be asked for.
 */
function conclude(last: readonly PassReport[]): Conclusion {
  const outcomes = new Set(last.map(({ outcome }) => outcome));
  if (outcomes.has("stopped")) return "stopped-partial";
  if (outcomes.has("timed-out") || last.some(({ step }) => step === "reduced")) return "timeout-partial";
  if (outcomes.has("stopped-by-budget")) return "budget-partial";
  return last.every(({ outcome }) => outcome === "completed") ? "complete" : "model-failed";
}

/** What is told of an attempt, and what to do about it. */
type Told = { readonly sentence: string; readonly advice: string | null };

/** Each thing once: what is to be done comes after the first sentence that it belongs to, as one of its own. */
function composeNotices(parts: readonly (readonly PassReport[])[]): readonly string[] {
  const told = [...parts.flatMap(describeSwitches), ...describeEnds(parts)];
  return [
    ...new Set(told.flatMap(({ sentence, advice }) => (advice === null ? [sentence] : [sentence, advice]))),
  ];
}

/** The attempts of a part after which another one was made. One that failed like the last is told with it. */
function describeSwitches(part: readonly PassReport[]): readonly Told[] {
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
    withoutNeed(attempt.stopReason) === withoutNeed(last.stopReason) &&
    last.step === "lean"
  );
}

/** A shorter prompt needs a little less; where both are too dear that makes no difference. */
function withoutNeed(stopReason: string): string {
  return stopReason.replace(/needs about USD [\d.]+/, "needs too much");
}

/** Who was asked next; nothing for one that was too dear to be asked. */
function describeNext(attempt: PassReport, next: PassReport): string {
  if (wasNotAsked(next)) return "";
  if (next.step === "reduced") return "; the riskiest half was tried again";
  const shorter = next.step === "lean" ? " with a shorter prompt" : "";
  return next.model === attempt.model
    ? `; it was asked again${shorter}`
    : `; ${next.model} was asked instead${shorter}`;
}

function wasNotAsked({ outcome, turns }: PassReport): boolean {
  return outcome === "stopped-by-budget" && turns === 0;
}

/** How the parts ended that did not come to their end. Those that ended alike with nothing to show are told together. */
function describeEnds(parts: readonly (readonly PassReport[])[]): readonly Told[] {
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
    const kept = found === 0 ? describeNothing(names) : describeKept(last, found);
    return [{ sentence: `${failure}${partOf(names)}: ${kept}.`, advice: adviseFailure(last, false) }];
  });
}

/** How much it was given, where that was less than all. */
function describeStep(part: readonly PassReport[], last: PassReport): string {
  if (last.step === "reduced") return " with the riskiest half";
  if (last.step !== "lean") return "";
  if (!part.some((attempt) => attempt !== last && failsAlike(attempt, last))) return " with a shorter prompt";
  return wasNotAsked(last) ? ", nor with a shorter prompt" : ", also with a shorter prompt";
}

function describeNothing(names: readonly string[]): string {
  const what = names.length > 1 ? "those parts" : names[0] === "review" ? "the change" : "that part";
  return `it had recorded nothing, so what is told of ${what} comes from the deterministic rules`;
}

/** `found`: by all attempts at the part. */
function describeKept({ findings }: PassReport, found: number): string {
  const who = found === findings ? "it had recorded until then" : "had been recorded until then";
  return `${count(found, "finding")} that ${who} ${found === 1 ? "is" : "are"} kept`;
}

/** After the name of the model. */
function describeFailure(attempt: PassReport): string {
  const { outcome, stopReason, ms } = attempt;
  switch (outcome) {
    case "completed":
      return "finished";
    case "timed-out":
      return stopReason === "stalled"
        ? "stopped answering"
        : `ran out of time after ${count(Math.round(ms / 1_000), "second")}`;
    case "stopped-by-budget":
      return wasNotAsked(attempt)
        ? `could not be asked within the budget (${stopReason})`
        : `was stopped by the budget (${stopReason})`;
    case "overloaded":
      return "was overloaded";
    case "refused":
      return "refused to review";
    case "failed":
      return `failed (${describeReason(attempt)})`;
    case "stopped":
      return `was stopped by hand after ${count(Math.round(ms / 1_000), "second")}`;
  }
}

function partOf(names: readonly string[]): string {
  return names[0] === "review" ? "" : ` in ${joinWords(names)}`;
}
