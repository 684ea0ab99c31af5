/** Files with a predictable name in `/tmp` that hold secrets or data, or are run. `mktemp` is the way out. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, type FileView, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const FIXED = /^["']?(\/tmp\/[\w.-]{1,60}(?:\$\$)?[\w.-]{0,20})["']?$/;
const DELICATE = /dump|backup|secret|passw|token|cred|key|\.sql|\.pem|\.env|config/i;

/** True when the file is run, or read with the rights of root. */
function isRun(file: string, lines: readonly string[]): boolean {
  const own = escapePattern(file);
  const runs = new RegExp(
    `(?:^|[\\s;&|])(?:sudo|bash|sh|source|\\.|chmod\\s+\\S*x|dpkg\\s+-i)\\s+["']?${own}["']?(?:[\\s;&|]|$)|(?:^|[;&|])\\s*["']?${own}["']?(?:[\\s;&|]|$)`,
  );
  return lines.some((line) => !/^\s*#/.test(line) && runs.test(line));
}

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  if (lines === null) return;
  for (const assignment of root.findAll({ rule: { kind: "variable_assignment", regex: "=[\"']?/tmp/" } })) {
    const [, name = "", value = ""] = /^(\w+)=(.*)$/s.exec(assignment.text()) ?? [];
    const [, file = ""] = FIXED.exec(value) ?? [];
    const isWritten = new RegExp(`(?:>|-o|-O|\\btee|\\bcp\\b.*)\\s*["']?\\$\\{?${name}\\}?["']?(?:\\s|$)`);
    if (file === "" || !lines.some((line) => isWritten.test(line))) continue;
    const isUnsafe =
      file.includes("$$") || DELICATE.test(file) || isRun(`$${name}`, lines) || isRun(`\${${name}}`, lines);
    if (isUnsafe) yield { line: linesOf(assignment).line };
  }
  for (const redirect of root.findAll({ rule: { kind: "file_redirect", regex: "^>\\s*[\"']?/tmp/" } })) {
    const [, file = ""] = FIXED.exec(redirect.text().replace(/^>\s*/, "")) ?? [];
    if (file !== "" && (file.includes("$$") || isRun(file, lines))) yield { line: linesOf(redirect).line };
  }
}

export const shellPredictableTemp: TreeRule = {
  kind: "tree",
  id: "shell-predictable-temp",
  title: "Predictable file in `/tmp`: other users can create it first",
  severity: "minor",
  category: "security",
  why: "Every user can write to `/tmp`. A file or link that already has this name decides what is read, run or overwritten.",
  fix: "Use `file=$(mktemp)`, and remove it in a `trap … EXIT`.",
  languages: ["bash"],
  inTests: false,
  trigger: /\/tmp\//,
  check,
  examples: {
    bad: [
      bad("run.sh", 2, '#!/bin/bash\nout=/tmp/report.$$\ncurl -fsS https://example.com > "$out"\n'),
      bad("run.sh", 2, '#!/bin/bash\nTMP=/tmp/app-dump.sql\npg_dump app > "$TMP"\n'),
      bad("run.sh", 2, "#!/bin/bash\ncat > /tmp/setup.sh <<'EOF'\necho 1\nEOF\nsudo /tmp/setup.sh\n"),
    ],
    good: [
      good(
        "run.sh",
        '#!/bin/bash\nout=$(mktemp /tmp/report.XXXXXX)\ncurl -fsS https://example.com > "$out"\n',
      ),
      good("run.sh", '#!/bin/bash\nlog=/tmp/app.log\nmake > "$log"\n'),
      good("run.sh", "#!/bin/bash\nsocket=/tmp/config.sock\nls > /tmp/list.txt\n"),
    ],
  },
};
