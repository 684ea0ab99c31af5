/** A test for an empty variable in a script with `set -u`, which stops at that test when the variable isn't set. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { bad, type FileView, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const NOUNSET = /^\s*set\s+(?:-\w*u|[^#]*-o\s+nounset)|^#!.*\bsh\s+-\w*u/;
const TEST = /^\[\[?\s+(?:!\s+)?-[nz]\s+["']?\$\{?([1-9]|[A-Z][A-Z0-9_]*)\}?["']?\s+\]\]?$/;
/** Variables that are set in every shell. */
const ALWAYS_SET =
  /^(?:HOME|PWD|PATH|SHELL|BASH\w*|HOSTNAME|OSTYPE|UID|EUID|IFS|RANDOM|LINENO|PPID|OPTARG|OPTIND|REPLY)$/;

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  const start = lines?.findIndex((line) => NOUNSET.test(line)) ?? -1;
  if (
    lines === null ||
    start === -1 ||
    lines.some((line) => /set\s+\+\w*u|(?:^|[\s;&(])(?:\.|source|eval)\s/.test(line))
  )
    return;
  for (const test of root.findAll({ rule: { kind: "test_command" } })) {
    const [, name = ""] = TEST.exec(test.text()) ?? [];
    const { line } = linesOf(test);
    if (name === "" || ALWAYS_SET.test(name) || line <= start) continue;
    if (nearestAncestor(test, (node) => node.kind() === "function_definition") !== null) continue;
    const sets = /^\d/.test(name)
      ? /\$#|\bset\s+--|\$\{?1:?[?]|\bfor\b.*\$@/
      : new RegExp(
          `(?:^|[\\s;(&|])${name}\\+?=|\\b(?:read|for|getopts|mapfile|printf -v)\\b.*\\b${name}\\b|\\$\\{${name}:?[=?-]`,
        );
    if (lines.slice(0, line - 1).some((text) => sets.test(text))) continue;
    yield {
      line,
      title: `Early exit: \`set -u\` stops the script at this test when ${nameOr(`$${name}`, "the variable")} isn't set`,
    };
  }
}

export const shellUnsetCheck: TreeRule = {
  kind: "tree",
  id: "shell-unset-check",
  title: "Early exit: `set -u` stops the script at a test for a missing value",
  severity: "medium",
  category: "correctness",
  why: "With `set -u` the use of a variable that isn't set is an error, so the case that the test looks for never reaches it.",
  fix: 'Give it an empty default: `[ -z "${NAME:-}" ]`.',
  languages: ["bash"],
  inTests: true,
  trigger: /-[nz]\s|\bset\s+-/,
  check,
  examples: {
    bad: [
      bad("run.sh", 3, '#!/bin/bash\nset -euo pipefail\nif [ -z "$1" ]; then\n  exit 1\nfi\n'),
      bad("run.sh", 3, '#!/bin/bash\nset -u\nif [ -n "$DEBUG" ]; then\n  set -x\nfi\n'),
    ],
    good: [
      good("run.sh", '#!/bin/bash\nset -euo pipefail\nif [ -z "${1:-}" ]; then\n  exit 1\nfi\n'),
      good("run.sh", '#!/bin/bash\nset -u\nDEBUG=${DEBUG:-}\nif [ -n "$DEBUG" ]; then\n  set -x\nfi\n'),
      good(
        "run.sh",
        '#!/bin/bash\nset -u\n[ $# -eq 1 ] || exit 1\n[ -n "$1" ] || exit 1\nshow() { [ -z "$1" ]; }\n',
      ),
      good("run.sh", '#!/bin/bash\n[ -z "$1" ] && exit 1\n'),
    ],
  },
};
