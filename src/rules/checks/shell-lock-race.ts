/** A lock file that is tested and then created: two processes can pass the test before either creates it. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, type FileView, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const TEST = /^\[\[?\s+(?:!\s+)?-[ef]\s+["']?([^\s"']{0,60}lock[^\s"']{0,30})["']?\s+\]\]?$/i;
const SAFE = /\bflock\b|\bnoclobber\b|set\s+-C\b|\blockfile\b|\bmkdir\b.*lock|\bln\s.*lock|\bkill\s+-0\b/i;
/** Lock files of package managers aren't locks of processes. */
const NO_LOCK =
  /(?:package-lock|yarn\.lock|pnpm-lock|\.lock\.(?:hcl|json)|Cargo\.lock|Gemfile\.lock|poetry\.lock|composer\.lock|uv\.lock|bun\.lock|flake\.lock|lockfile\.json|\/var\/lib\/(?:dpkg|apt))/i;
const NEAR_LINES = 12;

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  if (lines === null || lines.some((line) => SAFE.test(line))) return;
  for (const test of root.findAll({ rule: { kind: "test_command", regex: "(?i)lock" } })) {
    const [, file = ""] = TEST.exec(test.text()) ?? [];
    if (file === "" || NO_LOCK.test(file)) continue;
    const { line } = linesOf(test);
    const creates = lines
      .slice(line - 1, line + NEAR_LINES)
      .some(
        (text) =>
          (/\btouch\s/.test(text) || />\s*["']?[$/\w]/.test(text)) &&
          /(?:touch|>)\s*["']?/.test(text) &&
          text.includes(file) &&
          !/\brm\b/.test(text),
      );
    if (creates) yield { line };
  }
}

export const shellLockRace: TreeRule = {
  kind: "tree",
  id: "shell-lock-race",
  title: "Lock race: two processes can take this lock at the same time",
  severity: "medium",
  category: "reliability",
  why: "Between the test and the creation of the file another process can pass the same test. Both then run.",
  fix: "Use `flock`, or `mkdir` as the lock: it fails if the folder exists.",
  languages: ["bash"],
  inTests: false,
  trigger: /lock/i,
  check,
  examples: {
    bad: [
      bad(
        "run.sh",
        3,
        '#!/bin/bash\nlock=/run/a.lock\nif [ -f "$lock" ]; then\n  exit 0\nfi\ntouch "$lock"\n./import\nrm -f "$lock"\n',
      ),
      bad(
        "run.sh",
        2,
        '#!/bin/bash\nif [ ! -e "$LOCK" ]; then\n  echo $$ > "$LOCK"\n  make\n  rm "$LOCK"\nfi\n',
      ),
    ],
    good: [
      good("run.sh", "#!/bin/bash\nexec 9> /run/a.lock\nflock -n 9 || exit 0\n"),
      good("run.sh", "#!/bin/bash\nif ! mkdir /run/a.lock; then exit 0; fi\n[ -f a.lock ] && touch a.lock\n"),
      good("run.sh", "#!/bin/bash\nif [ -f yarn.lock ]; then\n  touch yarn.lock\nfi\n"),
    ],
  },
};
