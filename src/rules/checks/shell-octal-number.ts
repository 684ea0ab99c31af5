/** `date +%m` and similar numbers with a leading zero in arithmetic, where 08 and 09 are invalid octal numbers. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, type FileView, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const FIELD = "\\$\\(date\\s[^()]{0,60}?\\+[\"']?%[mdHMSjyIUVW][\"']?\\s*\\)";
const ASSIGNED = new RegExp(
  `^\\s*(?:local |export |readonly |declare )?(\\w{1,40})=["']?${FIELD}["']?\\s*(?:#.*)?$`,
);
const DIRECT = new RegExp(FIELD);
const COMPARES = /-(?:lt|le|gt|ge|eq|ne)\s/;

/** Variables that hold one field of a date and nothing else. */
function dateFields(lines: readonly string[]): readonly string[] {
  const names = lines.flatMap((line) => ASSIGNED.exec(line)?.[1] ?? []);
  return names.filter((name) => {
    const assigns = new RegExp(`(?:^|[\\s;(])${name}\\s*=(?!=)|\\bread\\b.*\\b${name}\\b`);
    return lines.filter((line) => assigns.test(line)).length === 1;
  });
}

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  if (lines === null) return;
  const names = dateFields(lines);
  const kinds = [
    { kind: "arithmetic_expansion" },
    { kind: "compound_statement", regex: "^\\(\\(" },
    { kind: "test_command", regex: "^\\[\\[" },
  ];
  const seen = new Set<number>();
  for (const node of root.findAll({ rule: { any: kinds } })) {
    const text = node.text();
    if (text.startsWith("[[") && !COMPARES.test(text)) continue;
    const name = names.find((each) =>
      new RegExp(`(?<![\\w#{-]|10#\\$)${each}(?!\\w)|\\$\\{${each}\\}`).test(
        text.replaceAll(/10#\$\{?\w+\}?/g, "_"),
      ),
    );
    const isDirect = DIRECT.test(text) && !/10#/.test(text);
    const { line } = linesOf(node);
    if ((name === undefined && !isDirect) || seen.has(line)) continue;
    seen.add(line);
    yield {
      line,
      title: `Invalid octal number: arithmetic fails when ${name === undefined ? "the date's number" : nameOr(name, "the number")} is 08 or 09`,
    };
  }
}

export const shellOctalNumber: TreeRule = {
  kind: "tree",
  id: "shell-octal-number",
  title: "Invalid octal number: arithmetic fails for 08 and 09",
  severity: "must-fix",
  category: "correctness",
  why: "In shell arithmetic a leading zero means octal. `date` prints 08 and 09, and the shell stops with an error at these values.",
  fix: "Write `10#$name` in the arithmetic, or use `date +%-m`, which prints no zero.",
  languages: ["bash"],
  inTests: true,
  trigger: /date\s|\(\(|\[\[/,
  check,
  examples: {
    bad: [
      bad("month.sh", 3, "#!/bin/bash\nmonth=$(date +%m)\nnext=$((month + 1))\n"),
      bad("hour.sh", 3, '#!/bin/bash\nhour="$(date +%H)"\nif (( hour < 8 )); then exit 0; fi\n'),
      bad("hour.sh", 3, "#!/bin/bash\nhour=$(date +%H)\nif [[ $hour -lt 8 ]]; then exit 0; fi\n"),
      bad("minute.sh", 2, "#!/bin/bash\nleft=$((60 - $(date +%M)))\n"),
    ],
    good: [
      good("month.sh", "#!/bin/bash\nmonth=$(date +%m)\nnext=$((10#$month + 1))\n"),
      good("month.sh", "#!/bin/bash\nmonth=$(date +%-m)\nnext=$((month + 1))\n"),
      good("month.sh", "#!/bin/bash\nmonth=$(date +%m)\nmonth=${month#0}\nnext=$((month + 1))\n"),
      good(
        "hour.sh",
        '#!/bin/bash\nhour=$(date +%H)\nif [ "$hour" -lt 8 ]; then exit 0; fi\nif [[ $hour == 08 ]]; then exit 0; fi\n',
      ),
      good("time.sh", "#!/bin/bash\nnow=$(date +%s)\nend=$((now + 60))\n"),
    ],
  },
};
