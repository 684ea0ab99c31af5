/**
 * The settings of a call other than its prompt: output tokens, thinking effort, and how the answer is written. Each is translated for the provider, and dropped if
 * the provider rejects it.
 */
import type { ReasoningSummary, Verbosity } from "../../config/answer-style.ts";
import type { Effort } from "../../config/effort.ts";
import { takesThinkingBudget, thinkingBudget } from "../thinking-budget.ts";
import type { Failure } from "./classify-failure.ts";
import type { AiSdkProvider } from "./connect-provider.ts";
import type { CallOptions, ProviderOptions } from "./language-model.ts";

export type Demands = {
  /** Thinking included. */
  readonly maxOutputTokens: number;
  /** Null: the default of the provider. */
  readonly effort: Effort | null;
  /** Left out, or dropped after a rejection: the provider's default. */
  readonly verbosity?: Verbosity;
  readonly summary?: ReasoningSummary;
};

/** Output limits of models that allow less than usual, by the start of their names. `prices.ts` lists the other known models. */
const SMALL_ROOMS: readonly (readonly [names: RegExp, tokens: number])[] = [
  [/^(?:chatgpt-4o|gpt-4o|gpt-5-chat)/, 16_384],
  [/^(?:gpt-4-turbo|gpt-3\.5)/, 4_096],
  [/^gemini-(?:1\.5|2\.0)/, 8_192],
  [/^claude-3-5-/, 8_192],
  [/^claude-3-(?:opus|sonnet|haiku)/, 4_096],
];

/** The output tokens to request: not more than the model allows. */
export function roomOf(name: string, maxOutputTokens: number): number {
  const [, allowed = maxOutputTokens] = SMALL_ROOMS.find(([names]) => names.test(name)) ?? [];
  return Math.min(allowed, maxOutputTokens);
}

/** After a rejection: enough for an answer, and little enough that a self-hosted server has room for it next to the prompt. */
const LESS_ROOM_TOKENS = 8_000;

/** The demands after a rejection; null when nothing is left to drop. */
export function giveUp(demands: Demands, refused: Failure["retry"]): Demands | null {
  const { verbosity, summary, ...others } = demands;
  if (refused === "summary" && summary !== undefined)
    return { ...others, ...(verbosity !== undefined && { verbosity }) };
  if (refused === "verbosity" && verbosity !== undefined)
    return { ...others, ...(summary !== undefined && { summary }) };
  if (refused === "effort" && demands.effort !== null) return { ...demands, effort: null };
  if (refused === "room" && demands.maxOutputTokens > LESS_ROOM_TOKENS)
    return { ...demands, maxOutputTokens: LESS_ROOM_TOKENS };
  return null;
}

type DemandOptions = Pick<CallOptions, "maxOutputTokens" | "reasoning" | "providerOptions">;

/** The three values that every server with effort settings understands. */
const COMPATIBLE_EFFORTS: Readonly<Record<Effort, Effort>> = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

/** Translates demands for the provider. The SDK knows the effort values of OpenAI, newer Claude and newer Gemini models. */
export function composeDemands(
  { provider, name }: { readonly provider: AiSdkProvider; readonly name: string },
  demands: Demands,
): DemandOptions {
  const { maxOutputTokens, effort } = demands;
  const plain = { maxOutputTokens };
  const withEffort = effort === null ? plain : { ...plain, reasoning: effort };
  switch (provider) {
    case "openai":
      return { ...withEffort, providerOptions: { openai: openaiStyle(demands) } };
    case "anthropic":
      if (effort === null) return plain;
      return takesThinkingBudget(name)
        ? anthropicBudget(maxOutputTokens, effort)
        : /^claude-(?!3)/.test(name)
          ? withEffort
          : plain;
    case "google": {
      if (/^gemini-(?:1\.5|2\.0)|^gemma/.test(name)) return plain;
      const isBudget = name.startsWith("gemini-2.5");
      const thinkingConfig = googleThinking(demands, isBudget);
      return {
        ...(isBudget ? plain : withEffort),
        ...(thinkingConfig !== null && { providerOptions: { google: { thinkingConfig } } }),
      };
    }
    case "compatible":
      return effort === null ? plain : { ...plain, reasoning: COMPATIBLE_EFFORTS[effort] };
  }
}

const isShown = ({ summary = "none" }: Demands): boolean => summary !== "none";

/** The other providers have no setting for the length of an answer. */
function openaiStyle(demands: Demands): ProviderOptions[string] {
  const { verbosity, summary } = demands;
  return {
    ...(verbosity !== undefined && { textVerbosity: verbosity }),
    ...(summary !== undefined && isShown(demands) && { reasoningSummary: summary }),
  };
}

/** The SDK adds the thinking budget to `maxOutputTokens`. Claude shows its thinking anyway. */
function anthropicBudget(maxOutputTokens: number, effort: Effort): DemandOptions {
  const budgetTokens = thinkingBudget(effort, maxOutputTokens);
  if (budgetTokens === null) return { maxOutputTokens };
  return {
    maxOutputTokens: maxOutputTokens - budgetTokens,
    providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens } } },
  };
}

function googleThinking(demands: Demands, isBudget: boolean) {
  const { effort, maxOutputTokens } = demands;
  const budget = isBudget && effort !== null ? thinkingBudget(effort, maxOutputTokens) : null;
  if (budget === null && !isShown(demands)) return null;
  return {
    ...(budget !== null && { thinkingBudget: budget }),
    ...(isShown(demands) && { includeThoughts: true }),
  };
}
