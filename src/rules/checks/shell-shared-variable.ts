/** A function that changes the variable of the loop that calls it, because the variable isn't local. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const MAX_CHARS = 5_000;

/** The line of the function that sets the variable without `local`, counted from its first line; -1 when none does. */
function lineOfChange(body: string, name: string): number {
  const own = escapePattern(name);
  if (new RegExp(`\\b(?:local|declare|typeset)\\s[^;\\n]*\\b${own}\\b`).test(body)) return -1;
  const sets = new RegExp(`(?:^|[\\s;{])for\\s+${own}\\s+in\\b|^\\s*${own}=|for\\s*\\(\\(\\s*${own}\\s*=`);
  return body.split("\n").findIndex((line) => sets.test(line));
}

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  const functions = root
    .findAll({ rule: { kind: "function_definition" } })
    .flatMap((node) => {
      const name = node.field("name")?.text() ?? "";
      const body = node.field("body");
      // A body in parentheses has its own variables.
      return body === null || body.kind() === "subshell" || name === ""
        ? []
        : [{ name, node, text: node.text() }];
    })
    .filter(({ text }) => text.length < MAX_CHARS);
  const seen = new Set<string>();
  for (const loop of root.findAll({
    rule: { any: [{ kind: "for_statement" }, { kind: "c_style_for_statement" }] },
  })) {
    const text = loop.text();
    const [, one, other] = /^for\s+(?:\(\(\s*(\w+)\s*=|(\w+)\b)/.exec(text) ?? [];
    const variable = one ?? other;
    const body = loop.field("body");
    if (variable === undefined || body === null || text.length > MAX_CHARS) continue;
    for (const { name, node, text: own } of functions) {
      const call = new RegExp(
        `(?:^|[;&|]|\\b(?:do|then|else|if|!))\\s*${escapePattern(name)}(?=\\s|;|$)`,
        "m",
      ).exec(body.text());
      if (
        call === null ||
        seen.has(name) ||
        (node.range().start.index < loop.range().start.index &&
          loop.range().end.index < node.range().end.index)
      )
        continue;
      const [callLine = "", ...rest] = body
        .text()
        .slice(call.index + call[0].length)
        .split("\n");
      // In the background or in a pipe the function has its own variables.
      if (/(?<!&)&\s*$|(?<!\|)\|(?!\|)/.test(callLine)) continue;
      const after = rest.join("\n");
      const isUsed = one !== undefined || new RegExp(`\\$\\{?${variable}\\b`).test(after);
      const at = lineOfChange(own, variable);
      if (!isUsed || at === -1) continue;
      seen.add(name);
      yield {
        line: linesOf(node).line + at,
        also: [linesOf(loop).line],
        title: `Overwritten loop variable: ${nameOr(name, "the function")} changes ${nameOr(variable, "that")} of the loop that calls it`,
      };
    }
  }
}

export const shellSharedVariable: TreeRule = {
  kind: "tree",
  id: "shell-shared-variable",
  title: "Overwritten loop variable: a function changes that of its caller",
  severity: "major",
  category: "correctness",
  why: "Variables of a shell function are global unless they're declared `local`. After the call the loop goes on with the value of the function.",
  fix: "Declare the variable `local` in the function.",
  languages: ["bash"],
  inTests: true,
  trigger: /\bfor\b|=/,
  check,
  examples: {
    bad: [
      bad(
        "run.sh",
        3,
        '#!/bin/bash\ncount() {\n  for i in "$@"; do wc -l "$i"; done\n}\nfor i in a b; do\n  count "$i"/*\n  echo "done $i"\ndone\n',
      ),
      bad(
        "run.sh",
        2,
        "#!/bin/bash\nstep() { for ((i = 0; i < 3; i++)); do echo x; done; }\nfor ((i = 0; i < 9; i++)); do\n  step\ndone\n",
      ),
    ],
    good: [
      good(
        "run.sh",
        '#!/bin/bash\ncount() {\n  local i\n  for i in "$@"; do wc -l "$i"; done\n}\nfor i in a b; do\n  count "$i"/*\n  echo "done $i"\ndone\n',
      ),
      good(
        "run.sh",
        '#!/bin/bash\ncount() {\n  for i in "$@"; do wc -l "$i"; done\n}\nfor i in a b; do\n  count "$i"/* &\n  echo "$i"\ndone\n',
      ),
      good(
        "run.sh",
        '#!/bin/bash\ncount() {\n  for f in "$@"; do wc -l "$f"; done\n}\nfor i in a b; do\n  count "$i"/*\n  echo "$i"\ndone\n',
      ),
      good(
        "run.sh",
        '#!/bin/bash\ncount() {\n  for i in "$@"; do wc -l "$i"; done\n}\nfor i in a b; do\n  count "$i"/*\ndone\n',
      ),
    ],
  },
};
