/** A plain number as a duration, which counts nanoseconds. */
import { callsIn } from "../syntax/calls.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Functions and the position of their duration. */
const DURATIONS: Readonly<Record<string, number>> = {
  "time.Sleep": 0,
  "time.After": 0,
  "time.AfterFunc": 0,
  "time.NewTimer": 0,
  "time.NewTicker": 0,
  "time.Tick": 0,
  "context.WithTimeout": 1,
};

const NAMES: ReadonlySet<string> = new Set(Object.keys(DURATIONS).map((name) => name.replace(/^\w+\./, "")));

export const goBareDuration: TreeRule = {
  kind: "tree",
  id: "go-bare-duration",
  title: "Duration without a unit: it counts nanoseconds",
  severity: "must-fix",
  category: "correctness",
  why: "The number is taken as nanoseconds, so the wait is over almost at once.",
  fix: "Multiply by a unit: `10 * time.Second`.",
  languages: ["go"],
  inTests: true,
  trigger: /\b(?:time\.(?:Sleep|After|AfterFunc|NewTimer|NewTicker|Tick)|context\.WithTimeout)\(/,
  *check(root): Iterable<RuleMatch> {
    for (const { node, receiver, name, args } of callsIn(root, "go", (called) => NAMES.has(called))) {
      const written = `${receiver}.${name}`;
      const duration = args[DURATIONS[written] ?? -1];
      if (duration === undefined || duration.kind() !== "int_literal") continue;
      // 0 and 1 mean "at once" and "as short as possible"; large numbers are meant as nanoseconds.
      const value = Number(duration.text().replaceAll("_", ""));
      if (!(value > 1 && value <= 100_000)) continue;
      yield {
        line: linesOf(node).line,
        title: `Duration without a unit: ${nameOr(written, "it")} gets ${value} nanoseconds`,
      };
    }
  },
  examples: {
    bad: [
      bad("src/wait.go", 4, "package a\n\nfunc wait() {\n\ttime.Sleep(500)\n}\n"),
      bad(
        "src/fetch.go",
        4,
        "package a\n\nfunc fetch(ctx context.Context) {\n\tctx, cancel := context.WithTimeout(ctx, 30)\n\tdefer cancel()\n\tget(ctx)\n}\n",
      ),
    ],
    good: [
      good(
        "src/wait.go",
        "package a\n\nfunc wait(n time.Duration) {\n\ttime.Sleep(500 * time.Millisecond)\n\ttime.Sleep(n)\n}\n",
      ),
      good("src/zero.go", "package a\n\nfunc wait() {\n\ttime.Sleep(0)\n\ttime.Sleep(1)\n}\n"),
      good("src/nano.go", "package a\n\nfunc wait() {\n\t<-time.After(1_000_000_000)\n}\n"),
    ],
  },
};
