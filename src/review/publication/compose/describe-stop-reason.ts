/**
 * The words for a stop reason: in notices, details, JSON output, logs and on the command line. They never repeat a provider's message
 * and never contain the value of a setting, because pull requests can be public.
 */
import { grouped } from "../../../base/count.ts";
import type { BudgetName } from "../../../model/budget-names.ts";
import type { OverBudget, PlainStopReason, StopReason } from "../../../model/stop-reason.ts";
import { describeUsd } from "../words.ts";

const WORDS: Readonly<Record<PlainStopReason, string>> = {
  finished: "finished",
  "end-of-turn": "ended its turn",
  deadline: "hit the time limit",
  stalled: "the provider stopped responding",
  interrupted: "interrupted by the user",
  "budget-exhausted": "the budget is used up",
  "budget-unavailable": "couldn't check the budget",
  "price-unknown": "its price is unknown",
  overloaded: "provider overloaded",
  "no-connection": "no connection to the provider",
  "connection-lost": "connection lost",
  "quota-exceeded": "the account has no credit left",
  "provider-error": "the provider returned an error",
  "process-exited": "the Claude Agent SDK process exited",
  refusal: "declined to answer",
  "turn-limit": "hit the turn limit",
  "output-limit": "hit the output limit",
  "context-overflow": "the prompt exceeds its context window",
  "empty-answer": "the answer was empty",
  "no-tool-calls": "called no tool",
  "not-finished": "didn't finish the review, even after a reminder",
  "malformed-tool-calls": "its tool calls were invalid",
  "repeated-tool-calls": "made the same tool call three times in a row",
  "too-many-tool-calls": "made too many tool calls",
  "internal-error": "Kodiai hit an internal error",
  "not-recorded": "not in the recording",
};

export function describeStopReason(reason: StopReason): string {
  switch (reason.kind) {
    case "http-error":
      return `HTTP ${reason.status}: ${describeStatus(reason.status)}`;
    case "over-budget":
      return describeOverBudget(reason);
    case "over-tokens":
      return `a model without a known price may use ${grouped(reason.maxTokens)} tokens`;
    case "other":
      return reason.text;
    default:
      return WORDS[reason.kind];
  }
}

/** For pull requests. Amounts are the operator's; logs and the command line have them. */
export function describeStopInPublic(reason: StopReason): string {
  return describeStopReason(publicStopReason(reason));
}

export function publicStopReason(reason: StopReason): StopReason {
  switch (reason.kind) {
    case "over-budget":
    case "over-tokens":
      return { kind: "budget-exhausted" };
    default:
      return reason;
  }
}

function describeStatus(status: number): string {
  if (status === 401 || status === 403) return "authentication failed";
  if (status === 404) return "model not found";
  if (status === 429 || status === 503 || status === 529) return "provider overloaded";
  return status >= 500 ? "provider error" : "request rejected";
}

/** "the next call needs about USD 0.12; budget.perReviewUsd is USD 0.05, USD 0.00 spent or reserved". */
function describeOverBudget({ budget, limitUsd, spentUsd, neededUsd }: OverBudget): string {
  return [
    `the next call needs about ${describeUsd(neededUsd)}`,
    `${nameOfBudget(budget)} is ${describeUsd(limitUsd)}, ${describeUsd(spentUsd)} spent or reserved`,
  ].join("; ");
}

/** As operators and authors write it. */
export function nameOfBudget(budget: BudgetName): string {
  return budget === "--budget-usd" ? budget : `budget.${budget}`;
}
