/** Checks of `$#` that reject the right number of arguments, or accept fewer than the usage text requires. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, type FileView, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";
import { isCondition } from "../syntax/shell-statements.ts";

const COUNT =
  /^(?:\[\[?\s+["']?\$#["']?\s+(-\w\w|==?|!=)\s+["']?(\d)["']?\s+\]\]?|\(\(\s*\$#\s*([<>=!]=?)\s*(\d)\s*\)\))$/;
const USAGE =
  /usage\b:?\s*["']?\s*(?:\$0|\$\{0[^}]*\}|\$\(basename[^)]*\)|`basename[^`]*`|[\w./-]+\.sh)["']?([^\n"']*)/i;

/** The number of arguments that a usage text requires: words in capitals or angle brackets, outside of square brackets. */
function requiredIn(text: string): number {
  const plain = text
    .replaceAll(/\[[^\]]*\]/g, " ")
    .replaceAll(/\s--?\w[\w-]*(?:[= ](?:[A-Z_]+|<[^>]*>))?/g, " ");
  return plain.match(/<[^<>]{1,40}>|(?<=\s)[A-Z][A-Z_-]{2,30}(?=\s|$)/g)?.length ?? 0;
}

/** The least number of arguments that pass; null when the condition isn't about too few. */
function leastThatPass(operator: string, number: number): number | null {
  if (operator === "-lt" || operator === "<") return number;
  if (operator === "-le" || operator === "<=") return number + 1;
  if (/^(?:-eq|==?)$/.test(operator)) return number === 0 ? 1 : null;
  return /^(?:-ne|!=)$/.test(operator) && number > 0 ? number : null;
}

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  if (lines === null) return;
  for (const node of root.findAll({
    rule: { kind: "if_statement", regex: "^if\\s+[\\[(]+\\s*[\"']?\\$#" },
  })) {
    const found = COUNT.exec(node.namedChildren().find(isCondition)?.text() ?? "");
    const operator = found?.[1] ?? found?.[3] ?? "";
    const number = Number(found?.[2] ?? found?.[4] ?? 0);
    const text = node.text();
    if (
      operator === "" ||
      text.length > 2_000 ||
      !/\bexit\s+[1-9]/.test(text) ||
      /\belse\b|\belif\b/.test(text)
    )
      continue;
    const { line, endLine } = linesOf(node);
    const isUsedLater = (position: number): boolean =>
      lines.slice(endLine).some((each) => new RegExp(`\\$\\{?${position}(?!\\d|:?-)`).test(each));
    const isInverted =
      (number === 0 && /^(?:-gt|>|-ne|!=)$/.test(operator)) ||
      (number === 1 && /^(?:-ge|>=)$/.test(operator));
    if (isInverted && /usage/i.test(text) && isUsedLater(1))
      yield { line, title: "Inverted check: the script rejects its arguments" };
    const least = leastThatPass(operator, number);
    const required = requiredIn(USAGE.exec(text)?.[1] ?? "");
    if (least !== null && required > least && isUsedLater(required))
      yield {
        line,
        title: `Wrong argument check: it passes with ${least} of the ${required} required arguments`,
      };
  }
}

export const shellArgumentCount: TreeRule = {
  kind: "tree",
  id: "shell-argument-count",
  title: "Wrong argument check: it passes with too few, or rejects the right number",
  severity: "must-fix",
  category: "correctness",
  why: "The script runs with arguments that are missing, which the shell replaces with nothing, or it refuses to run at all.",
  fix: "Compare `$#` with the number of arguments that the usage text requires.",
  languages: ["bash"],
  inTests: true,
  trigger: /\$#|usage/i,
  check,
  examples: {
    bad: [
      bad(
        "copy.sh",
        2,
        '#!/bin/bash\nif [ $# -lt 1 ]; then\n  echo "usage: $0 SOURCE TARGET" >&2\n  exit 1\nfi\ncp -r "$1" "$2"\n',
      ),
      bad(
        "zip.sh",
        2,
        '#!/bin/bash\nif [ $# -gt 0 ]; then\n  echo "Usage: $0 FILE"\n  exit 1\nfi\ngzip "$1"\n',
      ),
    ],
    good: [
      good(
        "copy.sh",
        '#!/bin/bash\nif [ $# -lt 2 ]; then\n  echo "usage: $0 SOURCE TARGET" >&2\n  exit 1\nfi\ncp -r "$1" "$2"\n',
      ),
      good(
        "copy.sh",
        '#!/bin/bash\nif [ $# -lt 1 ]; then\n  echo "usage: $0 SOURCE [TARGET]" >&2\n  exit 1\nfi\ncp -r "$1" "${2:-.}"\n',
      ),
      good("none.sh", '#!/bin/bash\nif [ $# -ne 0 ]; then\n  echo "usage: $0"\n  exit 1\nfi\nmake\n'),
    ],
  },
};
