/** A reference left over from `foreach ($rows as &$row)`, and a later write to the same name. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

function referenceOf(loop: SyntaxNode): string | null {
  return /\bas\s+(?:\$\w{1,60}\s*=>\s*)?&\s*\$(\w{1,60})\s*\)/.exec(loop.text().slice(0, 400))?.[1] ?? null;
}

export const phpReferenceLeft: TreeRule = {
  kind: "tree",
  id: "php-reference-left",
  title: "Leftover reference: this overwrites the last element of the loop",
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
        `(?:^|[;{}]\\s*)(?:\\$${name}\\s*=(?![=>&]|\\s*&)|foreach\\s*\\([^{]{0,200}\\bas\\s+(?:\\$\\w{1,60}\\s*=>\\s*)?\\$${name}\\s*\\)|foreach\\s*\\([^{]{0,200}\\bas\\s+\\$${name}\\s*=>)`,
      );
      const isRebound = new RegExp(`\\bfunction\\b|\\bfn\\s*\\(|&\\s*\\$${name}\\b`);
      for (let next = loop.next(); next !== null; next = next.next()) {
        const text = next.text();
        if (isFreed.test(text)) break;
        const written = isWritten.exec(text);
        // A function has names of its own, and another loop by reference binds the name again.
        if (written === null || isRebound.test(text.slice(0, written.index + 1))) {
          if (isRebound.test(text)) break;
          continue;
        }
        const before = text.slice(0, written.index + written[0].length);
        yield {
          line: next.range().start.line + before.split("\n").length,
          also: [loop.range().start.line + 1],
          title: `Leftover reference: ${nameOr(`$${name}`, "it")} still refers to the loop's last element`,
        };
        break;
      }
    }
  },
  examples: {
    bad: [
      bad(
        "nested.php",
        4,
        "<?php\nforeach ($rows as &$row) { $row = trim($row); }\nfor ($i = 0; $i < 3; $i++) {\n  $row = next_row($i);\n  show($row);\n}\n",
      ),
      {
        files: [
          {
            path: "edited.php",
            before:
              "<?php\nforeach ($rows as $i => $row) {\n  $rows[$i] = trim($row);\n}\nforeach ($rows as $row) {\n  show($row);\n}\n",
            after:
              "<?php\nforeach ($rows as &$row) {\n  $row = trim($row);\n}\nforeach ($rows as $row) {\n  show($row);\n}\n",
          },
        ],
        line: 2,
      },
      bad(
        "a.php",
        5,
        "<?php\nforeach ($rows as &$row) {\n  $row['n']++;\n}\nforeach ($other as $row) {\n  show($row);\n}\n",
      ),
      bad("b.php", 3, "<?php\nforeach ($rows as $key => &$row) { $row = trim($row); }\n$row = 'x';\n"),
    ],
    good: [
      good(
        "rebound.php",
        "<?php\nforeach ($rows as &$row) { $row = trim($row); }\nif ($more) {\n  foreach ($other as &$row) { $row = 1; }\n}\n",
      ),
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
