/** An `if … else` whose branches are all the same, or a conditional expression with two equal results. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { ifChainsIn } from "../syntax/if-chains.ts";
import { isSameCode } from "../syntax/operands.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const CONDITIONALS: Readonly<Record<string, string>> = {
  c: "conditional_expression",
  cpp: "conditional_expression",
  java: "ternary_expression",
  csharp: "conditional_expression",
  ruby: "conditional",
  php: "conditional_expression",
};

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  for (const chain of ifChainsIn(root, language)) {
    const [first] = chain;
    if (first === undefined || first.condition === null || chain.at(-1)?.condition !== null) continue;
    if (!chain.every(({ body }) => sameBranch(body, first.body))) continue;
    const lines = chain.map(({ body }) => linesOf(body));
    const also = lines.flatMap(({ line, endLine }) => [line, line + 1, endLine - 1, endLine]);
    yield { line: first.condition.range().start.line + 1, also };
  }
  const kind = CONDITIONALS[language];
  if (kind === undefined) return;
  for (const node of root.findAll({ rule: { kind } })) {
    const [, first, second, ...rest] = node.namedChildren();
    if (first === undefined || second === undefined || rest.length > 0 || !isSameCode(first, second))
      continue;
    yield {
      line: node.range().start.line + 1,
      title: "Identical results in a conditional expression",
    };
  }
}

/** Compares the statements; a branch without any, or with a comment, was written on purpose. */
function sameBranch(one: SyntaxNode, other: SyntaxNode): boolean {
  const [a, b] = [codeOf(one), codeOf(other)];
  return a !== "" && a === b && !/\/\/|\/\*|#/.test(one.text() + other.text());
}

/** A longer branch isn't compared. */
const MAX_BRANCH_CHARS = 2_000;

function codeOf(body: SyntaxNode): string {
  const { start, end } = body.range();
  if (end.index - start.index > MAX_BRANCH_CHARS) return "";
  return body
    .text()
    .replace(/^(?:else|then)\b/, "")
    .replace(/^\s*\{|\}\s*$/g, "")
    .replaceAll(/\n\s*/g, "\n")
    .trim();
}

export const identicalBranches: TreeRule = {
  kind: "tree",
  id: "identical-branches",
  title: "Identical branches: all of them do the same",
  severity: "major",
  category: "correctness",
  why: "The condition has no effect. One branch was probably copied and never edited.",
  fix: "Write the intended code in one of the branches, or remove the condition.",
  languages: ["go", "rust", "c", "cpp", "java", "csharp", "ruby", "php"],
  inTests: false,
  trigger: /\belse\b|\?/,
  check: (root, { language }) => check(root, language),
  examples: {
    bad: [
      bad(
        "src/price.go",
        4,
        "package a\n\nfunc price(member bool, base int) int {\n\tif member {\n\t\treturn base\n\t} else {\n\t\treturn base\n\t}\n}\n",
      ),
      bad(
        "src/price.rs",
        2,
        "fn price(member: bool, base: u32) -> u32 {\n    if member { base * 2 } else { base * 2 }\n}\n",
      ),
      bad("src/price.c", 2, "int price(int member, int base) {\n  return member ? base : base;\n}\n"),
      bad(
        "src/Price.java",
        3,
        "class Price {\n  void f(boolean member) {\n    if (member) {\n      apply(1);\n    } else {\n      apply(1);\n    }\n  }\n}\n",
      ),
      bad(
        "lib/price.rb",
        2,
        "def price(member, base)\n  if member\n    base\n  else\n    base\n  end\nend\n",
      ),
      bad(
        "src/price.php",
        3,
        "<?php\nfunction price($member) {\n  if ($member) { apply(1); } else { apply(1); }\n}\n",
      ),
    ],
    good: [
      good(
        "src/price.go",
        "package a\n\nfunc price(member bool, base int) int {\n\tif member {\n\t\treturn base\n\t} else if base > 1 {\n\t\treturn base\n\t} else {\n\t\treturn 2\n\t}\n}\n",
      ),
      good(
        "src/price.c",
        "int price(int member, int base) {\n  if (member) { /* same for now */ f(); } else { f(); }\n  return member ? base : -base;\n}\n",
      ),
      good(
        "src/Price.java",
        "class Price {\n  void f(boolean member) {\n    if (member) {\n    } else {\n    }\n  }\n}\n",
      ),
      good("lib/price.rb", "def price(member, base)\n  if member\n    base\n  end\nend\n"),
    ],
  },
};
