/** `((count++))` in a script that stops at errors: its status is 1 when the counter was 0, so the script ends there. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, type FileView, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";
import { isStoppingPlace, statementOf, stopsAtErrors } from "../syntax/shell-statements.ts";

const INCREMENT = /^(?:\(\(\s*(\w{1,40})\+\+\s*\)\)|let\s+["']?(\w{1,40})\+\+["']?)$/;

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  if (lines === null) return;
  const kinds = ["compound_statement", "command"].map((kind) => ({ kind, regex: "\\+\\+" }));
  for (const node of root.findAll({ rule: { any: kinds } })) {
    const found = INCREMENT.exec(node.text());
    const name = found?.[1] ?? found?.[2];
    const { line } = linesOf(node);
    if (name === undefined || statementOf(node).text() !== node.text()) continue;
    if (!stopsAtErrors(lines, line) || !isStoppingPlace(node, lines)) continue;
    const startsAtZero = new RegExp(`(?:^|[\\s;])${name}=0(?:[\\s;]|$)`);
    if (!lines.some((text) => startsAtZero.test(text))) continue;
    yield {
      line,
      title: `Early exit: \`set -e\` ends the script here while ${nameOr(name, "the counter")} is 0`,
    };
  }
}

export const shellErrexitCounter: TreeRule = {
  kind: "tree",
  id: "shell-errexit-counter",
  title: "Early exit: `set -e` ends the script at the first increment of a counter",
  severity: "must-fix",
  category: "correctness",
  why: "The value of `count++` is the old one. An arithmetic command whose value is 0 has the status 1, which `set -e` takes as a failure.",
  fix: "Write `count=$((count + 1))`.",
  languages: ["bash"],
  inTests: true,
  trigger: /\+\+/,
  check,
  examples: {
    bad: [
      bad(
        "count.sh",
        5,
        '#!/bin/bash\nset -e\ncount=0\nfor file in *; do\n  ((count++))\ndone\necho "$count"\n',
      ),
      bad("count.sh", 4, "#!/usr/bin/env bash\nset -euo pipefail\nfailed=0\nlet failed++\n"),
    ],
    good: [
      good(
        "count.sh",
        "#!/bin/bash\nset -e\ncount=0\n((count++)) || true\ncount=$((count + 1))\n((++count))\n",
      ),
      good("count.sh", "#!/bin/bash\ncount=0\n((count++))\n"),
      good("count.sh", "#!/bin/bash\nset -e\ncount=1\n((count++))\nfor ((i=0; i<3; i++)); do echo 1; done\n"),
    ],
  },
};
