/** The cancel function of a context is discarded. */
import { bad, good, type PatternRule } from "../rule.ts";

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
  examples: {
    bad: [
      bad(
        "src/fetch.go",
        4,
        "package a\n\nfunc fetch(ctx context.Context) {\n\tctx, _ = context.WithTimeout(ctx, time.Second)\n\tget(ctx)\n}\n",
      ),
      bad(
        "src/run.go",
        4,
        "package a\n\nfunc run(parent context.Context) {\n\tctx, _ := context.WithCancel(parent)\n\tget(ctx)\n}\n",
      ),
    ],
    good: [
      good(
        "src/fetch.go",
        "package a\n\nfunc fetch(ctx context.Context) {\n\tctx, cancel := context.WithTimeout(ctx, time.Second)\n\tdefer cancel()\n\tget(ctx)\n}\n",
      ),
      good(
        "src/value.go",
        "package a\n\nfunc fetch(ctx context.Context) {\n\tctx = context.WithValue(ctx, key, 1)\n\tvalue, _ := get(ctx)\n\tuse(value)\n}\n",
      ),
      good(
        "src/main.go",
        "package main\n\nfunc main() {\n\tctx, stop := signal.NotifyContext(context.Background())\n\tdefer stop()\n\trun(ctx)\n}\n",
      ),
    ],
  },
};
