/**
 * The default models: the newest mid-size model of each provider with a known price, because it reads code well and a review costs cents.
 * The first provider with a key wins. A self-hosted server has no default.
 */
import type { ModelProvider } from "../config/provider-access.ts";

export const DEFAULT_MODELS: readonly { readonly provider: ModelProvider; readonly name: string }[] = [
  { provider: "anthropic", name: "claude-sonnet-5-5" },
  // For a subscription without a key: the same model through the Claude Agent SDK.
  { provider: "claude", name: "claude-sonnet-5-5" },
  { provider: "openai", name: "gpt-6.1-sol" },
  { provider: "google", name: "gemini-3.8-flash" },
];
