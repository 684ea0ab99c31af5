/** Loops whose counter moves away from the bound, or whose unsigned counter never gets below zero. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** `for (init; i < bound; i++)`, with or without parentheses. */
const HEAD =
  /^for\s*\(?\s*([^;{]{0,120}?)(?<![\w$])(\$?\w{1,40})\s*:?=\s*([^;{]{1,80});\s*([^;{]{1,120});\s*([^;{]{1,80}?)\s*\)?\s*(?:\{|$)/;

const UNSIGNED =
  "(?:size_t|std::size_t|unsigned(?:\\s+(?:int|long|char|short))*|uint(?:8|16|32|64)?(?:_t)?|usize|ulong|ushort)";

/** A longer head isn't a plain counting loop. */
const MAX_HEAD_CHARS = 300;

type Loop = {
  readonly node: SyntaxNode;
  readonly type: string;
  readonly name: string;
  readonly start: string;
  readonly test: string;
  readonly step: string;
};

function readLoop(node: SyntaxNode): Loop | null {
  const body = node.field("body");
  const end = body === null ? MAX_HEAD_CHARS : body.range().start.index - node.range().start.index;
  const found = HEAD.exec(node.text().slice(0, Math.min(end, MAX_HEAD_CHARS)).trim());
  if (found === null) return null;
  const [, type = "", name = "", start = "", test = "", step = ""] = found;
  return { node, type: type.trim(), name, start: start.trim(), test: test.trim(), step: step.trim() };
}

function directionOf({ name, step }: Loop): 1 | -1 | null {
  const own = name.replace("$", "\\$");
  if (new RegExp(`^(?:\\+\\+\\s*${own}|${own}\\s*(?:\\+\\+|\\+=\\s*\\d+))$`).test(step)) return 1;
  if (new RegExp(`^(?:--\\s*${own}|${own}\\s*(?:--|-=\\s*\\d+))$`).test(step)) return -1;
  return null;
}

function problemOf(loop: Loop): string | null {
  const { name, start, test, node } = loop;
  const compared = new RegExp(`^${name.replace("$", "\\$")}\\s*(<=?|>=?)\\s*([^&|<>=]+)$`).exec(test);
  const direction = directionOf(loop);
  if (compared === null || direction === null) return null;
  const [, operator = "", bound = ""] = compared;
  // `for (i = n - 1; i < n; i--)` ends when an unsigned counter wraps around.
  if (direction === -1 && operator.startsWith("<"))
    return /^\d+$/.test(start) ? "counts down, away from its upper bound" : null;
  if (direction === 1)
    return operator.startsWith(">") && /^-?\d+$/.test(bound.trim())
      ? "counts up, away from its lower bound"
      : null;
  if (operator !== ">=" || bound.trim() !== "0") return null;
  return isUnsigned(loop, node) ? "is unsigned and always at least 0" : null;
}

function isUnsigned({ type, name, start }: Loop, node: SyntaxNode): boolean {
  if (new RegExp(`^(?:const\\s+)?${UNSIGNED}$`).test(type)) return true;
  if (type === "" && new RegExp(`^${UNSIGNED}\\(`).test(start)) return true;
  if (type === "auto") return /^[\w.>-]+(?:\.|->)(?:size|length)\(\)\s*-\s*1$/.test(start);
  if (type !== "") return false;
  return new RegExp(`^\\s*${UNSIGNED}\\s+${name}\\b`, "m").test(functionAround(node)?.text() ?? "");
}

export const counterDirection: TreeRule = {
  kind: "tree",
  id: "counter-direction",
  title: "Endless loop: the counter never reaches its bound",
  severity: "must-fix",
  category: "correctness",
  why: "The condition stays true, so the loop runs until the counter wraps around or an index is out of range.",
  fix: "Turn the step or the comparison around. For an unsigned counter, test before you decrement: `while (i-- > 0)`.",
  languages: ["go", "c", "cpp", "java", "csharp", "php"],
  inTests: false,
  trigger: /\bfor\b/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "for_statement" } })) {
      const loop = readLoop(node);
      const problem = loop === null ? null : problemOf(loop);
      if (loop === null || problem === null) continue;
      yield {
        line: node.range().start.line + 1,
        title: `Endless loop: ${nameOr(loop.name, "the counter")} ${problem}`,
      };
    }
  },
  examples: {
    bad: [
      bad("src/sum.c", 2, "void sum(int n) {\n  for (int i = 0; i < n; i--) add(i);\n}\n"),
      bad(
        "src/sum.go",
        4,
        "package a\n\nfunc sum(n int) {\n\tfor i := n; i >= 0; i++ {\n\t\tadd(i)\n\t}\n}\n",
      ),
      bad(
        "src/sum.cpp",
        2,
        "void sum(std::vector<int> &all) {\n  for (size_t i = all.size() - 1; i >= 0; --i) { add(all[i]); }\n}\n",
      ),
      bad(
        "src/Sum.java",
        3,
        "class Sum {\n  void f(int n) {\n    for (int i = 0; i < n; i--) { add(i); }\n  }\n}\n",
      ),
      bad("src/sum.php", 3, "<?php\nfunction sum($n) {\n  for ($i = 0; $i < $n; $i--) { add($i); }\n}\n"),
      bad(
        "src/old.c",
        3,
        "void sum(unsigned n) {\n  unsigned int i;\n  for (i = n; i >= 0; i--) add(i);\n}\n",
      ),
    ],
    good: [
      good(
        "src/sum.c",
        "void sum(int n) {\n  for (int i = 0; i < n; i++) add(i);\n  for (int i = n - 1; i >= 0; i--) add(i);\n  for (size_t i = n - 1; i < n; i--) add(i);\n  for (size_t i = n; i > 0; i--) add(i);\n}\n",
      ),
      good(
        "src/sum.go",
        "package a\n\nfunc sum(n int, all []int) {\n\tfor i := n - 1; i >= 0; i-- {\n\t\tadd(i)\n\t}\n\tfor i, j := 0, n; i < j; i, j = i+1, j-1 {\n\t\tadd(i)\n\t}\n\tfor _, one := range all {\n\t\tadd(one)\n\t}\n}\n",
      ),
      good(
        "src/Sum.java",
        "class Sum {\n  void f(int n) {\n    for (int i = n; i > 0; i -= 2) { add(i); }\n    for (;;) { stop(); }\n  }\n}\n",
      ),
    ],
  },
};
