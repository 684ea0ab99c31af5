/**
 * Advice for a failed attempt of a model. Pull requests can be public, so that advice names settings but never their values; the
 * address of a model appears only in logs and on the command line.
 */
import type { ModelProvider } from "../../../config/provider-access.ts";
import { DEFAULT_BUDGETS } from "../../../config/default-budgets.ts";
import { BUDGET_VARIABLES, KEY_VARIABLES, URL_VARIABLES } from "../../../config/model-variables.ts";
import type { BudgetKey } from "../../../model/budget-names.ts";
import type { BudgetName } from "../../../model/budget-names.ts";
import type { StopReason } from "../../../model/stop-reason.ts";
import type { Conclusion, PassReport } from "../publication.ts";
import { nameOfBudget } from "./describe-stop-reason.ts";

type Advice = {
  /** One or more sentences. */
  readonly text: string;
  /** The next review would fail the same way, so that the operator needs the advice even if another model took over. */
  readonly persists: boolean;
};

const passing = (text: string): Advice => ({ text, persists: false });
const persistent = (text: string): Advice => ({ text, persists: true });

const ADD_FALLBACK = "add another model to fallbackModels in .kodiai.yml";
const LATER = passing(`Try again later, or ${ADD_FALLBACK}.`);
const SMALLER = "review the change in smaller parts";
const OTHER_MODEL = passing(`Use another model, or ${SMALLER}.`);
const NEEDS_TOOLS = passing(
  "Models record findings with tool calls: use a model that supports them, on a server that allows them.",
);
const CHEAPER = "or use a cheaper model";

/** A sentence or two about what to do; null if there is nothing to do. `isRecovered`: a later attempt completed the part. */
export function adviseFailure(
  { model, stopReason }: Pick<PassReport, "model" | "stopReason">,
  isRecovered: boolean,
): string | null {
  const advice = adviceFor(stopReason, providerOf(model));
  return advice === null || (isRecovered && !advice.persists) ? null : advice.text;
}

/** Advice on the command line for a review that ran out of time. */
export function adviseRest(conclusion: Conclusion): string | null {
  return conclusion === "timeout-partial"
    ? "for the rest, raise timeoutSeconds in .kodiai.yml, let review.chunked split a change of many files, or review a part of it: --range, --commit, --staged"
    : null;
}

function adviceFor(reason: StopReason, provider: ModelProvider | null): Advice | null {
  switch (reason.kind) {
    case "finished":
    case "end-of-turn":
    case "deadline":
    case "interrupted":
    case "not-recorded":
    case "other":
      return null;
    case "http-error":
      return adviseStatus(reason.status, provider);
    case "overloaded":
    case "stalled":
    case "provider-error":
      return LATER;
    case "no-connection":
      return persistent(adviseUnreached(provider));
    case "connection-lost":
      return passing("Try again. If it keeps failing, check for a proxy or gateway that cuts long answers.");
    case "quota-exceeded":
      return persistent(`Add credit to the account or raise its limit, or ${ADD_FALLBACK}.`);
    case "process-exited":
      return persistent(
        "Reinstall @anthropic-ai/claude-agent-sdk, or use the prefix anthropic: instead of claude:.",
      );
    case "refusal":
      return passing(`For code that this model declines to review, ${ADD_FALLBACK}.`);
    case "context-overflow":
      return passing(`Use a model with a larger context window, or ${SMALLER}.`);
    case "turn-limit":
    case "output-limit":
    case "not-finished":
    case "repeated-tool-calls":
    case "too-many-tool-calls":
      return OTHER_MODEL;
    case "empty-answer":
    case "no-tool-calls":
    case "malformed-tool-calls":
      return NEEDS_TOOLS;
    case "price-unknown":
      return persistent(
        "Set its price under prices in .kodiai.yml, or in KODIAI_PRICES where Kodiai runs. If the operator has set budgets, only KODIAI_PRICES counts.",
      );
    case "over-tokens":
      return passing(
        "Set its price under prices in .kodiai.yml, or in KODIAI_PRICES where Kodiai runs (0 for your own server). Then budgets in US dollars apply instead.",
      );
    case "over-budget":
      return passing(adviseBudget(reason.budget));
    case "budget-exhausted":
      return passing(`Raise the budget, ${CHEAPER}.`);
    case "budget-unavailable":
      return passing("Try again when Kodiai can reach its database.");
    case "internal-error":
      return passing("Please report it, with the details listed under the model's name.");
  }
}

function adviseStatus(status: number, provider: ModelProvider | null): Advice {
  if (status === 401 || status === 403) {
    const key = provider === null ? "the model's key" : KEY_VARIABLES[provider];
    return persistent(`Check ${key} where Kodiai runs: it must be valid and allowed to use this model.`);
  }
  if (status === 404) {
    const end = provider === "compatible" ? "; most servers need /v1 at the end" : ", if set";
    return persistent(`Check the model's name, and ${urlOf(provider)} where Kodiai runs${end}.`);
  }
  if (status === 429 || status >= 500) return LATER;
  return persistent("Check that the model's name is right and that the model supports tool calls.");
}

function adviseUnreached(provider: ModelProvider | null): string {
  return provider === "compatible"
    ? `Check that its server is running and reachable at ${urlOf(provider)} from where Kodiai runs.`
    : `Check the network where Kodiai runs, and ${urlOf(provider)}, if set.`;
}

function urlOf(provider: ModelProvider | null): string {
  return provider === null ? "the model's address" : URL_VARIABLES[provider];
}

/** Null for a model without a known provider, as in tests and old recordings. */
function providerOf(model: string): ModelProvider | null {
  const prefix = model.slice(0, Math.max(0, model.indexOf(":")));
  // A key of the table is a provider.
  return Object.hasOwn(KEY_VARIABLES, prefix) ? (prefix as ModelProvider) : null;
}

/** Budgets for a period: time alone makes room. */
const PERIODIC: ReadonlySet<BudgetKey> = new Set([
  "perAuthorHourUsd",
  "perOutsidersDayUsd",
  "perRepositoryDayUsd",
  "perInstallationMonthUsd",
]);

function adviseBudget(budget: BudgetName): string {
  if (budget === "--budget-usd") return `Raise --budget-usd, ${CHEAPER}.`;
  const raise = PERIODIC.has(budget) ? "Try again later, or raise" : "Raise";
  const defaults: Partial<Record<BudgetKey, number>> = DEFAULT_BUDGETS;
  const usd = defaults[budget];
  const unset = usd === undefined ? "" : ` (USD ${usd} if unset)`;
  return `${raise} ${BUDGET_VARIABLES[budget]} where Kodiai runs${unset} or ${nameOfBudget(budget)} in .kodiai.yml, whichever is lower, ${CHEAPER}.`;
}
