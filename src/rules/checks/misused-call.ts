/**
 * Calls whose arguments can't mean what they look like: a duration without a unit, a set of characters that looks like a prefix, a
 * default that is computed once.
 */
import { CALL_MISUSES } from "../syntax/call-misuses.ts";
import { callsIn } from "../syntax/calls.ts";
import type { RuleMatch, TreeRule } from "../rule.ts";

const NAMES = new Set(CALL_MISUSES.flatMap(({ names }) => names));

export const misusedCall: TreeRule = {
  kind: "tree",
  id: "misused-call",
  title: "Misused call: it doesn't do what its arguments look like",
  severity: "medium",
  category: "correctness",
  why: "The call compiles and runs, but never does what its author meant.",
  fix: "Use the call that does.",
  confidence: 0.9,
  languages: ["javascript", "typescript", "tsx", "python", "go", "java", "csharp", "ruby", "php"],
  trigger: new RegExp(`\\b(?:${[...NAMES].join("|")})\\b`),
  *check(root, { language }): Iterable<RuleMatch> {
    const own = CALL_MISUSES.filter(({ languages }) => languages.includes(language));
    const wanted = new Set(own.flatMap(({ names }) => names));
    for (const call of callsIn(root, language, (name) => wanted.has(name))) {
      const misuse = own.find(({ names, is }) => names.includes(call.name) && is(call));
      if (misuse === undefined) continue;
      const { problem, detail, fix } = misuse;
      yield { line: call.node.range().end.line + 1, title: problem, detail, fix };
    }
  },
};
