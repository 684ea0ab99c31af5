/** A check that is the wrong way round: the message says that something is missing where it was found, or an empty value is used. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, type FileView, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";
import { commandName, isCondition } from "../syntax/shell-statements.ts";

/** `[ -n "$name" ]`, with the negation, the operator and the word. */
const TEST = /^\[\[?\s+(!\s+)?-([nzfde])\s+(["']?[^\s"']{1,80}["']?)\s+\]\]?$/;
const UNSET =
  /\b(?:required|missing|must be (?:set|given|specified|provided)|(?:not|isn't) (?:set|given|specified|provided|defined)|is empty|unset)\b/i;
const ABSENT =
  /\b(?:missing|not found|(?:does not|doesn't) exist|no such|cannot find|can't find|could not find)\b/i;
/** Names of variables that hold what is wrong. */
const HOLDS_PROBLEMS =
  /miss|err|fail|invalid|bad|unknown|absent|unset|diff|out|result|left|undefined|problem|empty|need/i;

type Test = { readonly isNegated: boolean; readonly operator: string; readonly word: string };

function asTest(node: SyntaxNode | undefined): Test | null {
  const [found, not, operator = "", word = ""] = TEST.exec(node?.text() ?? "") ?? [];
  return found === undefined
    ? null
    : { isNegated: not !== undefined, operator, word: word.replaceAll(/["']/g, "") };
}

/** The name of the variable, when the word is nothing else. */
function variableOf(word: string): string | null {
  return /^\$\{?([A-Za-z_]\w*|[1-9])(?::?-)?\}?$/.exec(word)?.[1] ?? null;
}

/** True when the text names the variable or the last part of its name. */
function mentions(text: string, name: string): boolean {
  const part = name.split("_").findLast((each) => each.length > 2) ?? name;
  return new RegExp(`(?<![A-Za-z])${escapePattern(part)}`, "i").test(text);
}

/** The printed text of statements that only print and end with a failure; otherwise null. */
function complaint(statements: readonly SyntaxNode[]): string | null {
  const last = statements.at(-1);
  if (statements.length < 2 || last === undefined || !/^(?:exit|return)\s+[1-9]/.test(last.text()))
    return null;
  const printed = statements.slice(0, -1);
  return printed.every((each) => /^(?:echo|printf|log\w*|err\w*|_err|warn\w*)$/.test(commandName(each)))
    ? printed.map((each) => each.text()).join(" ")
    : null;
}

function judgeComplaint({ isNegated, operator, word }: Test, text: string): string | null {
  const isPresent = operator === "z" ? isNegated : !isNegated;
  if (!isPresent) return null;
  const name = variableOf(word);
  if (operator === "n" || operator === "z") {
    if (
      name === null ||
      HOLDS_PROBLEMS.test(name) ||
      text.includes(`$${name}`) ||
      text.includes(`\${${name}`)
    )
      return null;
    return UNSET.test(text) && mentions(text, name)
      ? `Inverted check: it fails when ${nameOr(name, "the value")} is set`
      : null;
  }
  return ABSENT.test(text) && text.includes(word) ? "Inverted check: it fails when the file exists" : null;
}

/** The first command uses what the test has just found to be empty, absent or already there. */
function judgeUse({ isNegated, operator, word }: Test, first: SyntaxNode, rest: string): string | null {
  const command = commandName(first);
  const args = first.text().replaceAll(/["']/g, "").split(/\s+/).slice(1);
  if (!args.includes(word)) return null;
  const name = variableOf(word);
  const isEmpty = operator === "z" ? !isNegated : operator === "n" && isNegated;
  if (isEmpty && name !== null)
    return /^(?:cp|mv|cat|rm|source|\.|cd|mkdir|tar|chmod|chown)$/.test(command) &&
      !new RegExp(`(?:^|[\\s;])${name}=`).test(rest)
      ? `Inverted check: ${nameOr(name, "the value")} is used only when it's empty`
      : null;
  if (!/^[fde]$/.test(operator)) return null;
  if (!isNegated)
    return operator !== "f" && command === "mkdir"
      ? "Inverted check: the folder is created only if it exists"
      : null;
  return /^(?:cat|source|\.|rm|grep|tail)$/.test(command)
    ? "Inverted check: the file is used only if it doesn't exist"
    : null;
}

function judge(test: Test, statements: readonly SyntaxNode[]): string | null {
  const [first] = statements;
  if (first === undefined) return null;
  const text = complaint(statements);
  const rest = statements.map((each) => each.text()).join("\n");
  return text === null ? judgeUse(test, first, rest) : judgeComplaint(test, text);
}

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  for (const node of root.findAll({ rule: { kind: "if_statement" } })) {
    const test = asTest(node.namedChildren().find(isCondition));
    const body = node.namedChildren().filter((each) => !isCondition(each) && each.kind() !== "comment");
    if (test === null || body.some((each) => /^(?:else|elif)_clause$/.test(each.kind()))) continue;
    const title = judge(test, body);
    if (title !== null) yield { line: linesOf(node).line, title };
  }
  for (const list of root.findAll({ rule: { kind: "list" } })) {
    const [left, right] = list.namedChildren();
    const test = asTest(left);
    if (test === null || right === undefined || list.namedChildren().length !== 2) continue;
    const isAnd = list.children().some((each) => each.text() === "&&");
    const statements = right.kind() === "compound_statement" ? right.namedChildren() : [right];
    const title = judge(isAnd ? test : { ...test, isNegated: !test.isNegated }, statements);
    if (title !== null && lines !== null) yield { line: linesOf(list).line, title };
  }
}

export const shellInvertedCheck: TreeRule = {
  kind: "tree",
  id: "shell-inverted-check",
  title: "Inverted check: the opposite condition is tested",
  severity: "must-fix",
  category: "correctness",
  why: "The commands of this branch belong to the opposite case, so the script fails when everything is right, or goes on when it isn't.",
  fix: "Test the opposite: `-z` instead of `-n`, or `! -f` instead of `-f`.",
  languages: ["bash"],
  inTests: true,
  trigger: /\[.*-[nzfde]\s/,
  check,
  examples: {
    bad: [
      bad(
        "run.sh",
        3,
        '#!/bin/bash\ntoken=$1\nif [ -n "$token" ]; then\n  echo "token is required" >&2\n  exit 1\nfi\n',
      ),
      bad(
        "run.sh",
        2,
        '#!/bin/bash\nif [ -f "$conf" ]; then\n  echo "missing $conf" >&2\n  exit 1\nfi\n. "$conf"\n',
      ),
      bad("run.sh", 2, '#!/bin/bash\nif [ -z "$config" ]; then\n  cp "$config" /etc/app.yml\nfi\n'),
      bad("run.sh", 2, '#!/bin/bash\n[ -d "$out" ] && mkdir "$out"\n'),
      bad("run.sh", 2, '#!/bin/bash\n[ -z "$TOKEN" ] || { echo "TOKEN is not set"; exit 1; }\n'),
    ],
    good: [
      good("run.sh", '#!/bin/bash\nif [ -z "$token" ]; then\n  echo "token is required" >&2\n  exit 1\nfi\n'),
      good(
        "run.sh",
        '#!/bin/bash\nif [ -n "$missing" ]; then\n  echo "missing: $missing" >&2\n  exit 1\nfi\n',
      ),
      good(
        "run.sh",
        '#!/bin/bash\nif [ -f "$conf" ]; then\n  echo "$conf exists" >&2\n  exit 1\nfi\n[ -d "$out" ] || mkdir "$out"\n',
      ),
      good(
        "run.sh",
        '#!/bin/bash\nif [ -n "$ssl" ]; then\n  echo "openssl is required" >&2\n  exit 1\nfi\n[ -f .env ] && . .env\n',
      ),
      good(
        "run.sh",
        '#!/bin/bash\nif [ -z "$config" ]; then\n  config=a.yml\n  cp "$config" /etc/\nfi\n[ ! -f a.pid ] || rm a.pid\n',
      ),
    ],
  },
};
