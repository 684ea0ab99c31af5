/** `defer resp.Body.Close()` right after the call, before its error is checked. */
import type { PatternRule } from "../rule.ts";

export const goResponseBeforeError: PatternRule = {
  kind: "pattern",
  id: "go-response-before-error",
  title: "Late error check: the response is used before it",
  severity: "major",
  category: "correctness",
  why: "If the request fails, the response is nil, and accessing its `Body` panics instead of returning the error.",
  fix: "Check the error first, then `defer` the close.",
  languages: ["go"],
  trigger: /\bdefer\b.{0,200}\.Body\.Close\(\)/,
  patterns: [
    {
      rule: {
        pattern: "defer $RESPONSE.Body.Close()",
        follows: {
          any: [{ pattern: "$RESPONSE, $ERROR := $_" }, { pattern: "$RESPONSE, $ERROR = $_" }],
          stopBy: { not: { kind: "comment" } },
        },
      },
      constraints: { RESPONSE: { kind: "identifier" }, ERROR: { regex: "^[a-zA-Z]" } },
    },
  ],
};
