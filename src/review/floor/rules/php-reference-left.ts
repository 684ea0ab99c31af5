/** A reference left over from `foreach ($rows as &$row)`, and a later write to the same name. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

function referenceOf(loop: SyntaxNode): string | null {
  return /\bas\s+(?:\$\w{1,60}\s*=>\s*)?&\s*\$(\w{1,60})\s*\)/.exec(loop.text().slice(0, 400))?.[1] ?? null;
}

export const phpReferenceLeft: TreeRule = {
  kind: "tree",
  id: "php-reference-left",
  title: "Name still refers to the last element of the loop, so this overwrites it",
  severity: "must-fix",
  category: "correctness",
  why: "After `foreach (… as &$x)`, `$x` still refers to the last element. Assigning to it changes the array.",
  fix: "Call `unset($x)` after the loop, or use another name.",
  languages: ["php"],
  inTests: true,
  trigger: /\bforeach\b|\$\w+\s*=[^=>]/,
  *check(root): Iterable<RuleMatch> {
    for (const loop of root.findAll({
      rule: { kind: "foreach_statement", has: { kind: "by_ref", stopBy: "end" } },
    })) {
      const name = referenceOf(loop);
      if (name === null) continue;
      const isFreed = new RegExp(`\\bunset\\s*\\([^)]{0,200}\\$${name}\\b`);
      const isWritten = new RegExp(
        `^(?:\\$${name}\\s*=(?![=>])|foreach\\s*\\([^{]{0,200}\\bas\\s+(?:\\$\\w{1,60}\\s*=>\\s*)?\\$${name}\\s*\\))`,
      );
      for (let next = loop.next(); next !== null; next = next.next()) {
        const text = next.text();
        if (isFreed.test(text)) break;
        if (!isWritten.test(text)) continue;
        yield {
          line: next.range().start.line + 1,
          title: `${nameOr(`$${name}`, "The name")} still refers to the last element of the loop, so this overwrites it`,
        };
        break;
      }
    }
  },
  examples: {
    bad: [
      bad(
        "a.php",
        5,
        "<?php\nforeach ($rows as &$row) {\n  $row['n']++;\n}\nforeach ($other as $row) {\n  show($row);\n}\n",
      ),
      bad("b.php", 3, "<?php\nforeach ($rows as $key => &$row) { $row = trim($row); }\n$row = 'x';\n"),
    ],
    good: [
      good(
        "a.php",
        "<?php\nforeach ($rows as &$row) {\n  $row['n']++;\n}\nunset($row);\nforeach ($other as $row) {\n  show($row);\n}\n",
      ),
      good(
        "b.php",
        "<?php\nforeach ($rows as &$row) { $row = trim($row); }\nforeach ($other as &$row) { $row = 1; }\n",
      ),
      good("c.php", "<?php\nforeach ($rows as $row) { show($row); }\n$row = 'x';\n"),
    ],
  },
};
