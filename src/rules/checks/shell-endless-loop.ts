/** A loop that counts up to a limit and never changes its counter. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, type FileView, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const COUNTED =
  /^(?:\[\[?\s+["']?\$\{?([A-Za-z_]\w*)\}?["']?\s+-(?:lt|le|gt|ge|ne)\s+["']?[$\w{}]+["']?\s+\]\]?|\(\(\s*\$?([A-Za-z_]\w*)\s*(?:<=?|>=?|!=)\s*\$?\w+\s*\)\))$/;

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  if (
    lines === null ||
    lines.some((line) => /(?:^|[\s;])(?:\.|source|eval|printf\s+-v|getopts)\s/.test(line))
  )
    return;
  for (const loop of root.findAll({ rule: { kind: "while_statement" } })) {
    const [condition] = loop.namedChildren();
    const found = COUNTED.exec(condition?.text() ?? "");
    const name = found?.[1] ?? found?.[2];
    if (name === undefined) continue;
    const own = escapePattern(name);
    const assigns = new RegExp(
      `(?:^|[\\s;({&|])${own}\\s*(?:[-+*/%]?=)(?!=)|\\(\\(.*${own}\\s*(?:[-+*/%]?=(?!=)|\\+\\+|--)|(?:\\+\\+|--)\\s*${own}\\b|\\blet\\s.*${own}|\\bread\\b.*\\b${own}\\b|\\bfor\\s+${own}\\b|\\b(?:mapfile|readarray|unset)\\b.*\\b${own}\\b`,
    );
    // A function that the loop calls may change it.
    const { line, endLine } = linesOf(loop);
    const isChanged = (from: number, to?: number): boolean =>
      lines.slice(from, to).some((text) => assigns.test(text));
    const isInFunction = root.findAll({ rule: { kind: "function_definition" } }).some((each) => {
      const range = linesOf(each);
      return !(range.line <= line && endLine <= range.endLine) && isChanged(range.line - 1, range.endLine);
    });
    const startsAtNumber = new RegExp(`(?:^|[\\s;])${own}=["']?\\d+["']?(?:[\\s;]|$)`);
    if (
      isInFunction ||
      isChanged(line - 1, endLine) ||
      !lines.slice(0, line).some((text) => startsAtNumber.test(text))
    )
      continue;
    yield { line, title: `Loop may never end: nothing in it changes ${nameOr(name, "the counter")}` };
  }
}

export const shellEndlessLoop: TreeRule = {
  kind: "tree",
  id: "shell-endless-loop",
  title: "Loop may never end: nothing in it changes its counter",
  severity: "must-fix",
  category: "correctness",
  why: "The condition stays true, so the limit has no effect.",
  fix: "Change the counter in each round: `tries=$((tries + 1))`.",
  languages: ["bash"],
  inTests: true,
  trigger: /\b(?:while|until)\b|\+\+|\+=|\$\(\(/,
  check,
  examples: {
    bad: [
      bad(
        "wait.sh",
        3,
        '#!/bin/bash\ntries=0\nwhile [ "$tries" -lt 10 ]; do\n  curl -fs localhost && break\n  sleep 2\ndone\n',
      ),
      bad("wait.sh", 3, "#!/bin/bash\ni=0\nwhile (( i < 5 )); do\n  make\ndone\n"),
    ],
    good: [
      good("wait.sh", '#!/bin/bash\ntries=0\nwhile [ "$tries" -lt 10 ]; do\n  tries=$((tries + 1))\ndone\n'),
      good(
        "wait.sh",
        '#!/bin/bash\ni=0\nwhile (( i < 5 )); do\n  ((i++))\ndone\nwhile [ "$#" -gt 0 ]; do shift; done\n',
      ),
      good("wait.sh", "#!/bin/bash\nn=0\nstep() { n=$((n + 1)); }\nwhile [ $n -lt 3 ]; do step; done\n"),
      good("wait.sh", '#!/bin/bash\nwhile [ "$status" -ne 0 ]; do make; done\n'),
    ],
  },
};
