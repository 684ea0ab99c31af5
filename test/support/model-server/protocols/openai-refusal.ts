/** OpenAI's refusal of a request, the same in both of its protocols. */
import type { Problem } from "../protocol.ts";

const CODES: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  401: ["invalid_request_error", "invalid_api_key"],
  404: ["invalid_request_error", "model_not_found"],
  429: ["requests", "rate_limit_exceeded"],
  503: ["server_error", "server_is_overloaded"],
};

export function openaiRefusal({ status, about, words }: Problem): unknown {
  if (about === "overflow")
    return {
      error: {
        message:
          "Your input exceeds the context window of this model. Please adjust your input and try again.",
        type: "invalid_request_error",
        param: "input",
        code: "context_length_exceeded",
      },
    };
  if (about === "no-credit")
    return {
      error: {
        message: "You exceeded your current quota, please check your plan and billing details.",
        type: "insufficient_quota",
        param: null,
        code: "insufficient_quota",
      },
    };
  const [type, code] = CODES[status] ?? ["server_error", null];
  return { error: { message: words ?? `scripted ${status}`, type, param: null, code } };
}
