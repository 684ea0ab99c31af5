/** The error of a command that needs a model, where there is none. */
import { KodiaiError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import type { AvailableModels } from "../jobs/model-review/model-access.ts";

/** `what`: "a deep review". `instead`: a sentence about a way without a model; "" for none. */
export function noModel(
  what: string,
  { noModel: reason, problems }: Pick<AvailableModels, "noModel" | "problems">,
  instead: string,
): KodiaiError {
  const why =
    reason === "switched-off" || reason === "floor-option"
      ? `${what} needs a model, and models are switched off`
      : problems.length > 0
        ? `${what} needs a model: ${problems.map(printable).join("; ")}`
        : `${what} needs a model, and none is configured`;
  const hint =
    "Set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or KODIAI_COMPATIBLE_URL, and choose a model with --model or KODIAI_MODEL if you like.";
  return new KodiaiError("config", why, { hint: `${hint} ${instead}`.trim() });
}
