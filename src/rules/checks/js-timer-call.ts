/** `setTimeout(save(), 100)`: the function runs at once, and its result is scheduled. */
import { callsIn } from "../syntax/calls.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Calls that give a function to run later. */
const GIVES_FUNCTION =
  /(?:bind|debounce|throttle|partial|curry|memoize|callback|handler|wrap|create|make|factory|once|after|before|resolver|thunk|mock|fn|act|done)/i;

export const jsTimerCall: TreeRule = {
  kind: "tree",
  id: "js-timer-call",
  title: "Function called at once: the timer gets its result",
  severity: "must-fix",
  category: "correctness",
  why: "The parentheses call the function before the timer starts, and the timer gets whatever it returns.",
  fix: "Pass a function: `setTimeout(() => save(), 100)`.",
  confidence: 0.9,
  languages: ["javascript", "typescript", "tsx"],
  inTests: false,
  trigger: /\bset(?:Timeout|Interval|Immediate)\s*\(/,
  *check(root, { language }): Iterable<RuleMatch> {
    // Its timers take the delay first.
    if (/["'](?:node:)?timers\/promises["']/.test(root.text())) return;
    for (const { node, name, receiver, args } of callsIn(root, language, (called) =>
      /^set(?:Timeout|Interval|Immediate)$/.test(called),
    )) {
      const [callback] = args;
      if (node.parent()?.kind() === "await_expression") continue;
      if (callback?.kind() !== "call_expression" || !/^(?:window|globalThis|self|global)?$/.test(receiver))
        continue;
      const called = callback.field("function")?.text() ?? "";
      if (!/^[\w$.]{1,80}$/.test(called) || GIVES_FUNCTION.test(called)) continue;
      // A function of the file that returns a function is a factory.
      const own = called.replace(/^.*\./, "");
      if (
        new RegExp(
          `\\b${own.replaceAll("$", "\\$")}\\b[^\\n]{0,80}=>\\s*(?:async\\s*)?(?:\\(|function\\b|\\w+\\s*=>)|return\\s+(?:async\\s*)?(?:\\(\\)\\s*=>|function\\b)`,
        ).test(root.text())
      )
        continue;
      yield {
        line: linesOf(node).line,
        title: `Function called at once: \`${name}\` gets the result of ${nameOr(called, "the function")}`,
      };
    }
  },
  examples: {
    bad: [
      bad("a.js", 2, "export function later() {\n  setTimeout(save(), 1000);\n}\n"),
      bad("b.ts", 2, "export function poll() {\n  window.setInterval(this.refresh(), 5000);\n}\n"),
    ],
    good: [
      good(
        "a.js",
        "export function later() {\n  setTimeout(() => save(), 1000);\n  setTimeout(save, 1000);\n}\n",
      ),
      good(
        "b.js",
        "export function later() {\n  setTimeout(save.bind(this), 1000);\n  setTimeout(createTask(1), 0);\n}\n",
      ),
      good("d.ts", "export async function later() {\n  await setTimeout(delayOf());\n}\n"),
      good(
        "e.ts",
        'import { setTimeout } from "node:timers/promises";\n\nexport const later = () => setTimeout(delayOf());\n',
      ),
      good("c.js", "const step = (n) => () => run(n);\nsetTimeout(step(1), 10);\n"),
    ],
  },
};
