/**
 * Why an attempt of a model failed, and what to do about it, in words of ours: nothing of what a provider says is repeated. Pull requests
 * are read by everybody, so that settings are named and never what is in them; the address of a model is told elsewhere.
 */
import type { ModelProvider } from "../../../config/model-settings.ts";
import { DEFAULT_BUDGETS } from "../../../config/default-budgets.ts";
import { BUDGET_VARIABLES, KEY_VARIABLES, URL_VARIABLES } from "../../../config/model-variables.ts";
import type { Conclusion, PassReport } from "../publication.ts";

/** As `jobs/model-review/ladder.ts` has it. */
const PRICE_UNKNOWN = "its price is not known";

const SAY_PRICE =
  "Say what it costs under prices in .kodiai.yml, or in KODIAI_PRICES where Kodiai runs, which alone counts where the operator has set ceilings.";

const GIVE_PRICE =
  "Say what it costs under prices in .kodiai.yml, or in KODIAI_PRICES where Kodiai runs, with 0 for a server of your own: then budgets in US dollars hold instead.";

const OTHER_MODEL = "name another model in fallbackModels of .kodiai.yml";
const LATER = `Try again later, or ${OTHER_MODEL}.`;
const SMALLER = "review the change in smaller parts";
const NEEDS_TOOLS =
  "Findings are recorded by tools: use a model that can call them, on a server that lets it.";

type Meaning = {
  /** After "failed": what happened. */
  readonly what: string;
  /** What to do. */
  readonly advice: string;
  /** It would be the same the next time: whoever runs Kodiai should hear of it although another model was there. */
  readonly stays?: true;
};

/** By stop reason. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  "connection lost": {
    what: "the connection was lost",
    advice: "Try again; if it stays so, look at what is in between: a proxy or gateway may end long answers.",
  },
  "quota exceeded": {
    what: "its account has no credit left",
    advice: `Top up the account with the provider or raise its limit, or ${OTHER_MODEL}.`,
    stays: true,
  },
  "context overflow": {
    what: "the prompt is longer than its window",
    advice: `Use a model with a larger window, or ${SMALLER}.`,
  },
  "output limit": {
    what: "its answer was longer than one may be",
    advice: `Use another model, or ${SMALLER}.`,
  },
  "turn limit": {
    what: "it came to no end",
    advice: `Use another model, or ${SMALLER}.`,
  },
  "empty answer": { what: "its answer was empty", advice: NEEDS_TOOLS },
  "not finished": {
    what: "it ended without finishing the review, although it was reminded",
    advice: `Use another model, or ${SMALLER}.`,
  },
  "repeated tool calls": {
    what: "it made the same tool call three times in a row",
    advice: `Use another model, or ${SMALLER}.`,
  },
  "no tool was used": { what: "it used no tool", advice: NEEDS_TOOLS },
  "malformed tool calls": { what: "its tool calls could not be read", advice: NEEDS_TOOLS },
  "provider error": { what: "its provider sent an error", advice: LATER },
  "program ended": {
    what: "the program of the Claude Agent SDK ended by itself",
    advice: "Install @anthropic-ai/claude-agent-sdk again, or name the model anthropic: instead of claude:.",
    stays: true,
  },
  "budget not known": {
    what: "nobody could say what may be spent",
    advice: "Try again when the database of Kodiai can be reached.",
  },
  defect: {
    what: "a defect of Kodiai",
    advice: "Please report it, with what the details say under the name of the model.",
  },
};

type Failed = Pick<PassReport, "model" | "outcome" | "stopReason">;

/** After "failed": what happened, in words. */
export function describeReason(failed: Failed): string {
  return meaningOf(failed)?.what ?? failed.stopReason;
}

/** A sentence that says what to do; null where nothing is to be done. `isMended`: another attempt came to its end. */
export function adviseFailure(failed: Failed, isMended: boolean): string | null {
  if (failed.stopReason === PRICE_UNKNOWN) return SAY_PRICE;
  if (failed.outcome === "stopped-by-budget") return isMended ? null : adviseBudget(failed.stopReason);
  if (failed.outcome === "failed") {
    const meaning = meaningOf(failed);
    return meaning === null || (isMended && meaning.stays !== true) ? null : meaning.advice;
  }
  if (isMended) return null;
  if (failed.outcome === "refused") return `For what this one will not read, ${OTHER_MODEL}.`;
  return failed.outcome === "overloaded" || failed.stopReason === "stalled" ? LATER : null;
}

/** On a command line, how to have what there was no time for. */
export function adviseRest(conclusion: Conclusion): string | null {
  return conclusion === "timeout-partial"
    ? "for the rest, raise timeoutSeconds in .kodiai.yml, let review.chunked split a change of many files, or review a part of it: --range, --commit, --staged"
    : null;
}

function meaningOf({ model, stopReason }: Failed): Meaning | null {
  const provider = providerOf(model);
  const status = Number(/^HTTP (\d{3})$/.exec(stopReason)?.[1] ?? 0);
  if (stopReason === "no connection") return unreached(provider);
  if (status === 0) return Object.hasOwn(MEANINGS, stopReason) ? (MEANINGS[stopReason] ?? null) : null;
  if (status === 401 || status === 403) return wrongKey(provider, stopReason);
  if (status === 404) return unknownModel(provider, stopReason);
  if (status >= 500) return { what: `its provider failed, ${stopReason}`, advice: LATER };
  return {
    what: `its provider does not take such requests, ${stopReason}`,
    advice: "Check that the name of the model is right and that it can call tools.",
    stays: true,
  };
}

/** Null for a model that no provider of ours has, as in tests and old recordings. */
function providerOf(model: string): ModelProvider | null {
  const prefix = model.slice(0, Math.max(0, model.indexOf(":")));
  // A name of the table is a provider.
  return Object.hasOwn(KEY_VARIABLES, prefix) ? (prefix as ModelProvider) : null;
}

function wrongKey(provider: ModelProvider | null, stopReason: string): Meaning {
  const key = provider === null ? "the key of the model" : KEY_VARIABLES[provider];
  return {
    what: `its provider does not accept the key, ${stopReason}`,
    advice: `Check ${key} where Kodiai runs: it must be valid, and allowed to use this model.`,
    stays: true,
  };
}

function unknownModel(provider: ModelProvider | null, stopReason: string): Meaning {
  const url = provider === null ? "the address of the model" : URL_VARIABLES[provider];
  const end = provider === "compatible" ? "; most servers want /v1 at its end" : ", if it is set";
  return {
    what: `there is no such model where it was asked, ${stopReason}`,
    advice: `Check the name of the model, and ${url} where Kodiai runs${end}.`,
    stays: true,
  };
}

function unreached(provider: ModelProvider | null): Meaning {
  const url = provider === null ? "the address of the model" : URL_VARIABLES[provider];
  const advice =
    provider === "compatible"
      ? `Check that its server runs, and that ${url} leads to it from where Kodiai runs.`
      : `Check the network where Kodiai runs, and ${url}, if it is set.`;
  return { what: "it could not be reached", advice, stays: true };
}

function adviseBudget(stopReason: string): string {
  const ceiling = /(?:^|; )(\S+) is /.exec(stopReason)?.[1];
  if (ceiling === undefined) return GIVE_PRICE;
  const cheaper = "or use a model that costs less";
  const key = ceiling.replace("budget.", "");
  const variable = new Map<string, string>(Object.entries(BUDGET_VARIABLES)).get(key);
  if (variable === undefined) return `Raise ${ceiling}, ${cheaper}.`;
  const later = /(?:Hour|Day|Month)Usd$/.test(ceiling) ? "Ask again later, or raise" : "Raise";
  const usd = new Map<string, number>(Object.entries(DEFAULT_BUDGETS)).get(key);
  const unset = usd === undefined ? "" : ` (USD ${usd} if unset)`;
  return `${later} ${variable} where Kodiai runs${unset} or ${ceiling} in .kodiai.yml, whichever is lower, ${cheaper}.`;
}
