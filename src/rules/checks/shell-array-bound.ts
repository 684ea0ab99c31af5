/** Loops over the indexes of an array that run one too far, or start at 1. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, type FileView, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** `for ((i = 0; i <= ${#items[@]}; i++))` and `for i in $(seq 0 ${#items[@]})`: the counter, its start and the array. */
const COUNTED = /^for\s*\(\(\s*(\w+)\s*=\s*([01])\s*;\s*\1\s*<=\s*\$\{#(\w+)\[[@*]\]\}\s*;/;
const SEQUENCE = /^for\s+(\w+)\s+in\s+\$\(\s*seq\s+([01])\s+"?\$\{#(\w+)\[[@*]\]\}"?\s*\)/;

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  // Arrays of zsh start at 1.
  if (/\bzsh\b/.test(lines?.[0] ?? "")) return;
  const kinds = [{ kind: "for_statement" }, { kind: "c_style_for_statement" }];
  for (const loop of root.findAll({ rule: { any: kinds } })) {
    const text = loop.text().slice(0, 4_000);
    const [, counter = "", start = "", array = ""] = COUNTED.exec(text) ?? SEQUENCE.exec(text) ?? [];
    if (array === "") continue;
    const isIndexed = new RegExp(`\\$\\{${escapePattern(array)}\\[\\$?\\{?${escapePattern(counter)}\\}?\\]`);
    if (!isIndexed.test(text)) continue;
    yield {
      line: linesOf(loop).line,
      title: `Off by one: the loop ${start === "1" ? "skips the first element of" : "runs past the end of"} ${nameOr(array, "the array")}`,
    };
  }
}

export const shellArrayBound: TreeRule = {
  kind: "tree",
  id: "shell-array-bound",
  title: "Off by one: the loop runs past the end of an array",
  severity: "must-fix",
  category: "correctness",
  why: "The indexes of an array go from 0 to its length minus 1. The last round gets an empty value.",
  fix: 'Compare with `<`, or loop over the elements: `for item in "${items[@]}"`.',
  languages: ["bash"],
  inTests: true,
  trigger: /\bfor\b.*\$\{#/,
  check,
  examples: {
    bad: [
      bad(
        "run.sh",
        3,
        '#!/bin/bash\nhosts=(a b)\nfor ((i = 0; i <= ${#hosts[@]}; i++)); do\n  ping "${hosts[$i]}"\ndone\n',
      ),
      bad(
        "run.sh",
        3,
        '#!/bin/bash\nitems=(a b)\nfor i in $(seq 0 ${#items[@]}); do\n  echo "${items[i]}"\ndone\n',
      ),
      bad("run.sh", 2, '#!/bin/bash\nfor (( i=1; i<=${#files[@]}; i++ )); do gzip "${files[i]}"; done\n'),
    ],
    good: [
      good("run.sh", '#!/bin/bash\nfor ((i = 0; i < ${#hosts[@]}; i++)); do\n  ping "${hosts[$i]}"\ndone\n'),
      good(
        "run.sh",
        '#!/bin/bash\nfor ((i = 1; i <= ${#hosts[@]}; i++)); do\n  ping "${hosts[i-1]}"\ndone\n',
      ),
      good("run.sh", '#!/bin/zsh\nfor ((i = 1; i <= ${#hosts[@]}; i++)); do\n  ping "${hosts[i]}"\ndone\n'),
    ],
  },
};
