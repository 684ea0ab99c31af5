/** Loops over options that never move on, take a value as the next option, or read a value that `getopts` doesn't give. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { commandName } from "../syntax/shell-statements.ts";

/** Statements that can't leave the loop. */
const STAYS = /^(?:variable_assignment|comment|declaration_command)$/;

/** How far the statement moves the arguments. Null when it isn't known. */
function shiftsOf(node: SyntaxNode): number | null {
  let sum = 0;
  for (const command of node.findAll({ rule: { kind: "command", regex: "^shift(?:\\s|$)" } })) {
    const count = /^shift(?:\s+(\d))?$/.exec(command.text());
    const around = nearestAncestor(command, (each) =>
      /^(?:if_statement|list|case_item|do_group)$/.test(each.kind()),
    );
    if (count === null || /^(?:if_statement|list)$/.test(around?.kind() ?? "")) return null;
    sum += Number(count[1] ?? 1);
  }
  return sum;
}

/** Arguments of a `while [ $# -gt 0 ]` loop with a `case "$1"`. */
function* checkLoop(body: SyntaxNode): Iterable<RuleMatch> {
  const statements = body.namedChildren().filter((node) => node.kind() !== "comment");
  const choice = statements.find((node) => node.kind() === "case_statement");
  if (choice === undefined || !/^["']?\$\{?1\}?["']?$/.test(choice.field("value")?.text() ?? "")) return;
  const others = statements.filter((node) => node !== choice && linesOf(node).line !== linesOf(choice).line);
  // Another statement can move the arguments or read them before.
  if (
    others.some(
      (node) => !STAYS.test(node.kind()) && commandName(node) !== "shift" && commandName(node) !== "echo",
    )
  )
    return;
  if (others.some((node) => STAYS.test(node.kind()) && /\$\{?[1-9]/.test(node.text()))) return;
  const outer = others.reduce<number | null>((sum, node) => add(sum, shiftsOf(node)), 0);
  if (outer === null) return;
  for (const item of choice.namedChildren().filter((node) => node.kind() === "case_item")) {
    const own = shiftsOf(item);
    const inItem = item
      .namedChildren()
      .filter((node) => !/pattern|^word$|string|concatenation|number/.test(node.kind()));
    const isPlain =
      inItem.length > 0 && inItem.every((node) => STAYS.test(node.kind()) || commandName(node) === "shift");
    if (own === null || !isPlain) continue;
    const line = linesOf(item).line;
    if (own + outer === 0) yield { line, title: "Endless loop: this option isn't removed with `shift`" };
    else if (own + outer === 1 && inItem.some((node) => /=["']?\$\{?2\}?["']?$/.test(node.text())))
      yield {
        line,
        title: "Option value read again as an option: `shift 2` is needed",
        severity: "major",
      };
  }
}

function add(sum: number | null, more: number | null): number | null {
  return sum === null || more === null ? null : sum + more;
}

function* checkGetopts(condition: SyntaxNode, body: SyntaxNode): Iterable<RuleMatch> {
  const [, , letters = ""] = /^getopts\s+(["']?)([\w:?+-]+)\1\s/.exec(condition.text()) ?? [];
  if (letters === "") return;
  for (const item of body.findAll({ rule: { kind: "case_item", regex: "OPTARG" } })) {
    const [, names = ""] = /^\(?\s*["']?(\w)["']?\s*\)/.exec(item.text()) ?? [];
    if (names === "" || !letters.includes(names) || letters.includes(`${names}:`)) continue;
    yield {
      line: linesOf(condition).line,
      also: [linesOf(item).line],
      title: `Lost option value: \`getopts\` needs \`${names}:\` for ${nameOr(`-${names}`, "the option")}`,
    };
  }
}

export const shellOptionParsing: TreeRule = {
  kind: "tree",
  id: "shell-option-parsing",
  title: "Lost or repeated option: it is never removed, or its value is lost",
  severity: "must-fix",
  category: "correctness",
  why: "A loop over the arguments must remove each option and its value, and `getopts` passes a value only for letters that a colon follows.",
  fix: "Add `shift` (or `shift 2` for an option with a value) to the branch, or the colon to the text of `getopts`.",
  languages: ["bash"],
  inTests: true,
  trigger: /\bshift\b|\$#|getopts|OPTARG|;;/,
  *check(root) {
    for (const loop of root.findAll({ rule: { kind: "while_statement" } })) {
      const [condition] = loop.namedChildren();
      const body = loop.field("body");
      if (condition === undefined || body === null) continue;
      if (/^\[\[?\s.*(?:\$#|\$\{#\}|-n\s+"?\$\{?1)|^\(\(\s*\$#/.test(condition.text()))
        yield* checkLoop(body);
      else if (condition.text().startsWith("getopts")) yield* checkGetopts(condition, body);
    }
  },
  examples: {
    bad: [
      bad(
        "run.sh",
        4,
        '#!/bin/bash\nwhile [ $# -gt 0 ]; do\n  case "$1" in\n    -v) verbose=1 ;;\n    *) files+=("$1"); shift ;;\n  esac\ndone\n',
      ),
      bad(
        "run.sh",
        4,
        '#!/bin/bash\nwhile [[ $# -gt 0 ]]; do\n  case $1 in\n    --name) name="$2"; shift ;;\n    *) exit 1 ;;\n  esac\ndone\n',
      ),
      bad(
        "run.sh",
        2,
        '#!/bin/bash\nwhile getopts "o:n" opt; do\n  case "$opt" in\n    o) output=$OPTARG ;;\n    n) name=$OPTARG ;;\n    *) exit 2 ;;\n  esac\ndone\n',
      ),
    ],
    good: [
      good(
        "run.sh",
        '#!/bin/bash\nwhile [ $# -gt 0 ]; do\n  case "$1" in\n    -v) verbose=1 ;;\n    -o) output=$2; shift ;;\n    -h) usage ;;\n    *) break ;;\n  esac\n  shift\ndone\n',
      ),
      good(
        "run.sh",
        '#!/bin/bash\nwhile [ $# -gt 0 ]; do\n  case "$1" in\n    -v) verbose=1; shift ;;\n    -o) output=$2; shift 2 ;;\n    -p) shift; port=$1; shift ;;\n    *) exit 1 ;;\n  esac\ndone\n',
      ),
      good(
        "run.sh",
        '#!/bin/bash\nwhile getopts "o:vh" opt; do\n  case "$opt" in\n    o) output=$OPTARG ;;\n    v) verbose=1 ;;\n    h|*) echo "$OPTARG"; exit 2 ;;\n  esac\ndone\n',
      ),
      good(
        "run.sh",
        '#!/bin/bash\nwhile [ $# -gt 0 ]; do\n  option=$1; shift\n  case "$option" in\n    -v) verbose=1 ;;\n  esac\ndone\n',
      ),
    ],
  },
};
