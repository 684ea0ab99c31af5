/** The cancel function of a context is discarded. */
import type { PatternRule } from "../rule.ts";

export const goDiscardedCancel: PatternRule = {
  kind: "pattern",
  id: "go-discarded-cancel",
  title: "Context leak: the cancel function is discarded",
  severity: "major",
  category: "reliability",
  why: "Without a call to cancel, the context and its timer stay in memory until the parent ends or the timeout passes.",
  fix: "Keep the function and `defer cancel()`.",
  languages: ["go"],
  trigger: /context\.With(?:Cancel|Timeout|Deadline)/,
  patterns: [
    {
      rule: { any: [{ pattern: "$_, _ := $MAKE($$$)" }, { pattern: "$_, _ = $MAKE($$$)" }] },
      constraints: { MAKE: { regex: "^context\\.With(?:Cancel|Timeout|Deadline)(?:Cause)?$" } },
    },
  ],
};
