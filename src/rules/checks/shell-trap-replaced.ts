/** A second `trap … EXIT`, which replaces the first one, so its cleanup doesn't happen. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const TRAP = /^trap\s+(?:--\s+)?("[^"]*"|'[^']*'|[\w-]+)\s+((?:[A-Z0-9]+\s*)+)$/;

/** Files and commands of a cleanup. */
function wordsOf(action: string): readonly string[] {
  return action.match(/[A-Za-z_]\w{2,}/g) ?? [];
}

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  const active = new Map<number, { readonly action: string; readonly line: number }>();
  for (const command of root.findAll({ rule: { kind: "command", regex: "^trap\\s" } })) {
    const [, action = "", signals = ""] = TRAP.exec(command.text()) ?? [];
    const list = command.parent();
    if (!/(?:^|\s)(?:EXIT|0)(?:\s|$)/.test(signals) || list === null) continue;
    const place = list.kind() === "program" ? 0 : list.range().start.index;
    const before = active.get(place);
    const { line } = linesOf(command);
    active.set(place, { action, line });
    if (before === undefined || /^["']?\s*["']?$|^-$/.test(action) || before.action === "-") continue;
    const kept = new Set(wordsOf(action));
    const lost = wordsOf(before.action).filter((word) => !kept.has(word));
    // The same cleanup for one file more, or a function that grew.
    if (lost.length === 0 || !/^["']/.test(before.action) || !/^["']/.test(action)) continue;
    yield { line, detail: `The trap in line ${before.line} no longer runs.` };
  }
}

export const shellTrapReplaced: TreeRule = {
  kind: "tree",
  id: "shell-trap-replaced",
  title: "Lost trap: the second `trap` for `EXIT` replaces the first one",
  severity: "major",
  category: "reliability",
  why: "A signal has one trap. The files and processes of the first trap are left behind.",
  fix: "Write one `cleanup` function for everything, and set one trap.",
  languages: ["bash"],
  inTests: false,
  trigger: /\btrap\b/,
  check,
  examples: {
    bad: [
      bad(
        "run.sh",
        5,
        "#!/bin/bash\ndir=$(mktemp -d)\ntrap 'rm -rf \"$dir\"' EXIT\nfile=$(mktemp)\ntrap 'rm -f \"$file\"' EXIT\n",
      ),
      bad("run.sh", 3, "#!/bin/bash\ntrap 'kill $server_pid' EXIT\ntrap 'rm -f out.txt' EXIT INT\n"),
    ],
    good: [
      good("run.sh", '#!/bin/bash\ntrap \'rm -rf "$dir"\' EXIT\ntrap \'rm -rf "$dir" "$file"\' EXIT\n'),
      good("run.sh", "#!/bin/bash\ntrap 'rm -rf \"$dir\"' EXIT\nmake\ntrap - EXIT\ntrap 'exit 1' INT\n"),
      good(
        "run.sh",
        "#!/bin/bash\n(\n  trap 'rm -rf \"$dir\"' EXIT\n)\n(\n  trap 'rm -f \"$file\"' EXIT\n)\n",
      ),
    ],
  },
};
