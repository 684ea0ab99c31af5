/** Versions that are compared or sorted as text, where 10 comes before 9. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, type FileView, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const NAME = "\\$\\{?(?:\\w*(?:version|_ver|VERSION|_VER)|ver)\\}?";
/** `[[ $version < 3.9 ]]`. A limit such as 3.0.0 is right until the first part has two digits. */
const COMPARED = new RegExp(
  `(?:^|\\s)\\[\\[?\\s[^\\]#]{0,120}?(?:${NAME}["']?\\s+\\\\?[<>]\\s+(?!["']?v?\\d+(?:\\.0)*["']?\\s)|\\s\\\\?[<>]\\s+["']?${NAME}["']?\\s)`,
);
const LATEST =
  /^(?:git\s+(?:tag|ls-remote\s.*--tags)|ls)\b[^|]*(?:\|\s*(?:grep|sed|awk|cut|tr)\b[^|]*)*\|\s*sort(?:\s+-[ru]+)?\s*\|\s*(?:tail|head)\s+-(?:n\s*)?1\b/;

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  for (const [index, line] of (lines ?? []).entries()) {
    if (COMPARED.test(line) && !/^\s*#/.test(line)) yield { line: index + 1 };
  }
  for (const pipeline of root.findAll({ rule: { kind: "pipeline", regex: "sort" } })) {
    const text = pipeline.text();
    if (
      LATEST.test(text) &&
      /version|release|tag|\bv\d/i.test(`${text} ${pipeline.parent()?.parent()?.text().slice(0, 60) ?? ""}`)
    )
      yield {
        line: linesOf(pipeline).line,
        title: "Wrong version order: `sort` puts 1.10 before 1.9",
      };
  }
}

export const shellVersionOrder: TreeRule = {
  kind: "tree",
  id: "shell-version-order",
  title: "Wrong version order: as text, 1.10 comes before 1.9",
  severity: "major",
  category: "correctness",
  why: "Text is compared character by character, so the order is wrong as soon as a part of the version has two digits.",
  fix: 'Use `sort -V`: `[ "$(printf \'%s\\n\' "$required" "$version" | sort -V | head -n 1)" = "$required" ]`.',
  languages: ["bash"],
  inTests: false,
  trigger: /version|_ver\b|\bver\b|\bsort\b/i,
  check,
  examples: {
    bad: [
      bad("run.sh", 2, '#!/bin/bash\nif [[ "$version" < "3.9" ]]; then exit 1; fi\n'),
      bad("run.sh", 2, '#!/bin/bash\nif [ "$NODE_VERSION" \\< "v18.2.0" ]; then exit 1; fi\n'),
      bad("run.sh", 2, "#!/bin/bash\nlatest=$(git tag | sort | tail -n 1)\n"),
    ],
    good: [
      good("run.sh", "#!/bin/bash\nlatest=$(git tag | sort -V | tail -n 1)\n"),
      good(
        "run.sh",
        '#!/bin/bash\nif [[ "$version" == "3.9" ]]; then exit 1; fi\nif [[ "$name" < "b" ]]; then exit 1; fi\nif [[ $version < "3.0.0" ]]; then exit 1; fi\n',
      ),
      good("run.sh", "#!/bin/bash\nlatest=$(ls logs | sort | tail -n 1)\n"),
    ],
  },
};
