/**
 * What is asked of an answer besides the prompt: room, and how hard the model thinks. Each is put in the words of the provider, and
 * given up when the provider refuses it.
 */
import type { Effort } from "../../config/effort.ts";
import { takesThinkingBudget, thinkingBudget } from "../thinking-budget.ts";
import type { Failure } from "./classify-failure.ts";
import type { AiSdkProvider } from "./connect-provider.ts";
import type { CallOptions } from "./language-model.ts";

export type Demands = {
  /** Thinking included. */
  readonly maxOutputTokens: number;
  /** Null: as the provider likes. */
  readonly effort: Effort | null;
};

/** Most answers of models that allow less than usual, by the beginning of their names; known models are those of `prices.ts` and these. */
const SMALL_ROOMS: readonly (readonly [names: RegExp, tokens: number])[] = [
  [/^(?:chatgpt-4o|gpt-4o|gpt-5-chat)/, 16_384],
  [/^(?:gpt-4-turbo|gpt-3\.5)/, 4_096],
  [/^gemini-(?:1\.5|2\.0)/, 8_192],
  [/^claude-3-5-/, 8_192],
  [/^claude-3-(?:opus|sonnet|haiku)/, 4_096],
];

/** No more than the model allows. */
export function roomOf(name: string, maxOutputTokens: number): number {
  const [, allowed = maxOutputTokens] = SMALL_ROOMS.find(([names]) => names.test(name)) ?? [];
  return Math.min(allowed, maxOutputTokens);
}

/** For a model that has told us to ask for less: what a server of one's own has beside a prompt, and enough to go on. */
const LESS_ROOM_TOKENS = 8_000;

/** What is asked for after a refusal; null when nothing is left to give up. */
export function giveUp(demands: Demands, refused: Failure["retry"]): Demands | null {
  if (refused === "effort" && demands.effort !== null) return { ...demands, effort: null };
  if (refused === "room" && demands.maxOutputTokens > LESS_ROOM_TOKENS)
    return { ...demands, maxOutputTokens: LESS_ROOM_TOKENS };
  return null;
}

type DemandOptions = Pick<CallOptions, "maxOutputTokens" | "reasoning" | "providerOptions">;

/** The three words that every server understands which understands any. */
const COMPATIBLE_EFFORTS: Readonly<Record<Effort, Effort>> = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

/** In the words of the provider. The SDK knows which of them OpenAI's, newer Claude and newer Gemini models take. */
export function composeDemands(
  { provider, name }: { readonly provider: AiSdkProvider; readonly name: string },
  { maxOutputTokens, effort }: Demands,
): DemandOptions {
  const plain = { maxOutputTokens };
  if (effort === null) return plain;
  switch (provider) {
    case "openai":
      return { ...plain, reasoning: effort };
    case "anthropic":
      return takesThinkingBudget(name)
        ? anthropicBudget(maxOutputTokens, effort)
        : /^claude-(?!3)/.test(name)
          ? { ...plain, reasoning: effort }
          : plain;
    case "google":
      if (/^gemini-(?:1\.5|2\.0)|^gemma/.test(name)) return plain;
      return name.startsWith("gemini-2.5")
        ? googleBudget(maxOutputTokens, effort)
        : { ...plain, reasoning: effort };
    case "compatible":
      return { ...plain, reasoning: COMPATIBLE_EFFORTS[effort] };
  }
}

/** The SDK adds the budget to the room that it is given. */
function anthropicBudget(maxOutputTokens: number, effort: Effort): DemandOptions {
  const budgetTokens = thinkingBudget(effort, maxOutputTokens);
  if (budgetTokens === null) return { maxOutputTokens };
  return {
    maxOutputTokens: maxOutputTokens - budgetTokens,
    providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens } } },
  };
}

function googleBudget(maxOutputTokens: number, effort: Effort): DemandOptions {
  const budget = thinkingBudget(effort, maxOutputTokens);
  if (budget === null) return { maxOutputTokens };
  return { maxOutputTokens, providerOptions: { google: { thinkingConfig: { thinkingBudget: budget } } } };
}
