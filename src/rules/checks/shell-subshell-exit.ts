/** `exit` or `return` in a subshell, which leaves only the subshell: parentheses after `||`, or a loop that reads from a pipe. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { bad, type FileView, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";
import {
  commandName,
  lastOfPipe,
  nextStatement,
  statementOf,
  mayStopAtErrors,
} from "../syntax/shell-statements.ts";

/** Commands of a subshell that only prints a message and exits. */
const MESSAGE = /^(?:echo|printf|exit|return|usage|log\w*|err\w*|warn\w*|cat)$/;

/** The parentheses of `test || (echo message; exit 1)`, or null. */
function isMessageAndExit(subshell: SyntaxNode): boolean {
  const statements = subshell.namedChildren().filter((node) => node.kind() !== "comment");
  return statements.length > 1 && statements.every((each) => MESSAGE.test(commandName(each)));
}

/** The pipe whose last command is a loop around the node, when nothing else is in between. */
function pipeAround(command: SyntaxNode): SyntaxNode | null {
  const inner = nearestAncestor(command, (node) =>
    /^(?:pipeline|subshell|command_substitution|function_definition)$/.test(node.kind()),
  );
  if (inner?.kind() !== "pipeline") return null;
  const last = lastOfPipe(inner);
  const isInLast = last !== null && last.range().start.index <= command.range().start.index;
  return isInLast && last.kind() === "while_statement" ? inner : null;
}

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  if (
    lines === null ||
    /\b(?:zsh|ksh)\b/.test(lines[0] ?? "") ||
    lines.some((line) => line.includes("lastpipe"))
  )
    return;
  const isStrict = mayStopAtErrors(lines);
  for (const command of root.findAll({ rule: { kind: "command", regex: "^(?:exit|return)(?:\\s|$)" } })) {
    const isSuccess = /^(?:exit|return)\s+0$/.test(command.text());
    // A failure of the subshell then ends the script as well.
    if (isStrict && !isSuccess) continue;
    const parent = command.parent();
    const isAlternative = parent?.kind() === "subshell" && /^list$/.test(parent.parent()?.kind() ?? "");
    const around =
      isAlternative && parent !== null && isMessageAndExit(parent) ? parent.parent() : pipeAround(command);
    if (around === null || statementOf(around).text() !== around.text()) continue;
    const next = nextStatement(around);
    if (next === null || /\$\?|PIPESTATUS/.test(next.text().slice(0, 60))) continue;
    const [verb] = command.text().split(/\s/);
    yield {
      line: linesOf(command).line,
      title: `Ineffective exit: \`${verb ?? "exit"}\` leaves only the subshell, and the script goes on`,
    };
  }
}

export const shellSubshellExit: TreeRule = {
  kind: "tree",
  id: "shell-subshell-exit",
  title: "Ineffective exit: `exit` leaves only the subshell, and the script goes on",
  severity: "major",
  category: "correctness",
  why: "Parentheses and the loop at the end of a pipe run in a process of their own. `exit` and `return` end that process, not the script.",
  fix: "Use braces, `{ echo …; exit 1; }`. For a loop, read with `done < <(command)` instead of a pipe.",
  languages: ["bash"],
  inTests: true,
  trigger: /\b(?:exit|return)\b/,
  check,
  examples: {
    bad: [
      bad("run.sh", 2, '#!/bin/bash\n[ -f a.yml ] || (echo "missing" >&2; exit 1)\n./deploy\n'),
      bad(
        "run.sh",
        4,
        '#!/bin/bash\ncheck() {\n  cat list | while read -r path; do\n    [ -e "$path" ] || exit 1\n  done\n  echo ok\n}\n',
      ),
      bad(
        "find.sh",
        4,
        '#!/bin/bash\nset -e\nhas() {\n  cat list | while read -r name; do if [ "$name" = "$1" ]; then return 0; fi; done\n  return 1\n}\n',
      ),
    ],
    good: [
      good("run.sh", '#!/bin/bash\n[ -f a.yml ] || { echo "missing" >&2; exit 1; }\n./deploy\n'),
      good("run.sh", '#!/bin/bash\nset -e\n[ -f a.yml ] || (echo "missing" >&2; exit 1)\n./deploy\n'),
      good("run.sh", '#!/bin/bash\nwhile read -r path; do [ -e "$path" ] || exit 1; done < list\necho ok\n'),
      good(
        "run.sh",
        '#!/bin/bash\ncat list | while read -r path; do [ -e "$path" ] || exit 1; done || exit 1\necho ok\n',
      ),
      good("run.sh", "#!/bin/bash\n(cd sub && make; exit 1)\necho ok\n"),
    ],
  },
};
