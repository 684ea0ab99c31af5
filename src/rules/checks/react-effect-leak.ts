/** A React effect that starts a timer or listens to an event and never stops it. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { callsIn } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Things that go on until they are stopped. */
const STARTS =
  /(?<![\w$])(?:(?:window|document|globalThis)\.addEventListener|setInterval|window\.setInterval)$/;

/** By the position of the function around them: nested effects would read the same nodes once for each level. */
type InFunctions = {
  /** Functions that return a value, such as one that cleans up. */
  readonly returning: ReadonlySet<number>;
  /** The first start in each function. */
  readonly starts: ReadonlyMap<number, SyntaxNode>;
};

function inFunctionsOf(root: SyntaxNode): InFunctions {
  const returning = new Set<number>();
  for (const statement of root.findAll({ rule: { kind: "return_statement" } })) {
    const around = functionAround(statement);
    if (around !== null && statement.namedChildren().length > 0) returning.add(around.range().start.index);
  }
  const starts = new Map<number, SyntaxNode>();
  for (const call of root.findAll({ rule: { kind: "call_expression" } })) {
    if (!STARTS.test(call.field("function")?.text() ?? "")) continue;
    // `{ once: true }` and a signal end a listener.
    if (/\bonce\s*:|\bsignal\b/.test(call.field("arguments")?.text().slice(-200) ?? "")) continue;
    const around = functionAround(call)?.range().start.index;
    if (around !== undefined && !starts.has(around)) starts.set(around, call);
  }
  return { returning, starts };
}

export const reactEffectLeak: TreeRule = {
  kind: "tree",
  id: "react-effect-leak",
  title: "Effect leak: the effect never stops what it starts",
  severity: "major",
  category: "reliability",
  why: "The effect runs again when its dependencies change, and the component can go away. Each time the old listener or timer stays and acts on old state.",
  fix: "Return a function that removes the listener or clears the timer.",
  languages: ["javascript", "typescript", "tsx"],
  trigger: /\buse(?:Layout)?Effect\b|addEventListener|setInterval/,
  *check(root, { language }): Iterable<RuleMatch> {
    let known: InFunctions | null = null;
    for (const { args } of callsIn(root, language, (name) => /^use(?:Layout)?Effect$/.test(name))) {
      const [callback] = args;
      if (callback === undefined || !/^(?:arrow_function|function_expression)$/.test(callback.kind()))
        continue;
      if (callback.field("body")?.kind() !== "statement_block") continue;
      known ??= inFunctionsOf(root);
      const at = callback.range().start.index;
      // A nested function may run later, so only the effect's own statements count.
      const start = known.returning.has(at) ? undefined : known.starts.get(at);
      if (start === undefined || /\b(?:clearInterval|removeEventListener)\b/.test(callback.text())) continue;
      yield {
        line: linesOf(start).line,
        title: `Effect leak: every run adds another ${nameOr(/\w+$/.exec(start.field("function")?.text() ?? "")?.[0] ?? "", "timer")}`,
      };
    }
  },
};
