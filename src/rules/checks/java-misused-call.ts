/** Calls of Java's library that compile but don't do what they look like: `thread.run()`, `array.equals`, `new BigDecimal(0.1)`, … */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { type Call, callsIn } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const NAMES: ReadonlySet<string> = new Set([
  "run",
  "equals",
  "toString",
  "hashCode",
  "BigDecimal",
  "abs",
  "asList",
  "split",
  "replaceAll",
  "replaceFirst",
]);

type Problem = Pick<RuleMatch, "title" | "detail" | "severity">;

function isDeclared(call: Call, name: string, type: string): boolean {
  const scope = functionAround(call.node)?.text() ?? "";
  return new RegExp(`\\b${type}\\s+${escapePattern(name)}\\s*[=;,):]`).test(scope);
}

function problemOf(call: Call): Problem | null {
  const { name, receiver, args } = call;
  const [first] = args;
  const isName = /^[a-z]\w*$/.test(receiver);
  if (name === "run" && args.length === 0) {
    const isThread = (isName && isDeclared(call, receiver, "Thread")) || receiver.startsWith("new Thread(");
    if (isThread)
      return {
        title: "No new thread: `run` executes on the current one",
        detail: "`start` creates the new thread.",
      };
  }
  const isArray =
    isName &&
    isDeclared(
      call,
      receiver,
      "(?:int|long|byte|char|double|float|short|boolean|String|Object)\\s*\\[\\s*\\]",
    );
  if (isArray && name === "equals" && args.length === 1)
    return {
      title: `Arrays compared by reference: \`equals\` of ${nameOr(receiver, "an array")} ignores the contents`,
      detail: "Use `Arrays.equals`.",
    };
  if (isArray && name === "toString" && args.length === 0)
    return {
      title: `Array shown as an address: \`toString\` of ${nameOr(receiver, "an array")} ignores the contents`,
      detail: "Use `Arrays.toString`.",
    };
  if (isArray && name === "hashCode" && args.length === 0)
    return {
      title: `Array hashed by address: \`hashCode\` of ${nameOr(receiver, "an array")} ignores the contents`,
      detail: "Use `Arrays.hashCode`.",
    };
  if (
    name === "BigDecimal" &&
    args.length === 1 &&
    first?.kind() === "decimal_floating_point_literal" &&
    !/^\d+\.0*$|\.(?:5|25|75)0*$/.test(first.text())
  )
    return {
      title: `Inexact number: \`new BigDecimal(${first.text()})\` isn't exactly ${first.text()}`,
      detail: 'Use `new BigDecimal("…")` or `BigDecimal.valueOf`.',
      severity: "major",
    };
  if (
    name === "abs" &&
    receiver === "Math" &&
    /\.(?:hashCode|nextInt|nextLong)\(\)$/.test(first?.text() ?? "")
  )
    return {
      title: "Negative result: `Math.abs` of the smallest number is negative",
      detail: "Use `Math.floorMod`, or `nextInt` with a bound.",
      severity: "medium",
    };
  if (/^(?:split|replaceAll|replaceFirst)$/.test(name) && /^"[.|]"$/.test(first?.text() ?? ""))
    return {
      title: `Unescaped pattern: \`${name}(${first?.text() ?? ""})\` takes a pattern, which matches everywhere`,
      detail: "Escape it with `\\\\`, or use `Pattern.quote` or `replace`.",
    };
  if (
    name === "asList" &&
    receiver === "Arrays" &&
    args.length === 1 &&
    /^\w+$/.test(first?.text() ?? "") &&
    isDeclared(call, first?.text() ?? "", "(?:int|long|byte|char|double|float|short|boolean)\\s*\\[\\s*\\]")
  )
    return {
      title: "Wrong list: `Arrays.asList` of a primitive array has one element, the array",
      detail: "Use a stream, or an array of boxed values.",
    };
  return null;
}

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  for (const call of callsIn(root, "java", (name) => NAMES.has(name))) {
    const problem = problemOf(call);
    if (problem !== null) yield { line: linesOf(call.node).line, ...problem };
  }
}

export const javaMisusedCall: TreeRule = {
  kind: "tree",
  id: "java-misused-call",
  title: "Misused library call: it doesn't do what it looks like",
  severity: "must-fix",
  category: "correctness",
  why: "The code compiles and runs, but the result is wrong.",
  fix: "Use the call that does what is meant.",
  languages: ["java"],
  inTests: false,
  trigger:
    /\.run\(\)|\.(?:equals|toString|hashCode)\(|new BigDecimal\(|Math\.abs\(|\.(?:split|replaceAll|replaceFirst)\("[.|]"|Arrays\.asList\(/,
  check,
  examples: {
    bad: [
      bad(
        "src/Parts.java",
        3,
        'class Parts {\n  String[] f(String host) {\n    return host.split(".");\n  }\n}\n',
      ),
      bad(
        "src/Run.java",
        4,
        "class Run {\n  void f(Runnable work) {\n    Thread thread = new Thread(work);\n    thread.run();\n  }\n}\n",
      ),
      bad(
        "src/Same.java",
        3,
        "class Same {\n  boolean f(int[] a, int[] b) {\n    return a.equals(b);\n  }\n}\n",
      ),
      bad("src/Price.java", 2, "class Price {\n  BigDecimal rate = new BigDecimal(0.1);\n}\n"),
      bad(
        "src/Slot.java",
        3,
        "class Slot {\n  int f(Object key, int n) {\n    return Math.abs(key.hashCode()) % n;\n  }\n}\n",
      ),
    ],
    good: [
      good(
        "src/Run.java",
        "class Run {\n  void f(Runnable work, Task task) {\n    new Thread(work).start();\n    work.run();\n    task.run();\n  }\n}\n",
      ),
      good(
        "src/Same.java",
        "class Same {\n  boolean f(int[] a, int[] b, String c) {\n    return Arrays.equals(a, b) && c.equals(c.toString());\n  }\n}\n",
      ),
      good(
        "src/Price.java",
        'class Price {\n  BigDecimal rate = new BigDecimal("0.1");\n  BigDecimal half = new BigDecimal(0.5);\n  int n = Math.abs(-3);\n}\n',
      ),
    ],
  },
};
