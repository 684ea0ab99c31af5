/** A `Location` header in a condition, after which the script goes on. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { callsIn } from "../syntax/calls.ts";
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

const ENDS =
  /^(?:exit|die|return|throw|break|continue|goto)\b|\b(?:exit|die|terminate|wp_die|abort|stop|quit|finish|halt|shutdown)\s*(?:\(|;)/i;

/** The statement that runs next, in the same block or after the block around it. */
function nextStatement(statement: SyntaxNode): SyntaxNode | null {
  const next = following(statement);
  if (next !== null) return next;
  const block = statement.parent();
  const around = block?.parent() ?? null;
  return around?.kind() === "if_statement" ? following(around) : null;
}

function following(statement: SyntaxNode): SyntaxNode | null {
  let next = statement.next();
  while (next !== null && (!next.isNamed() || next.kind() === "comment")) next = next.next();
  return next;
}

export const phpRedirectWithoutExit: TreeRule = {
  kind: "tree",
  id: "php-redirect-without-exit",
  title: "Missing exit: the code after the redirect still runs",
  severity: "major",
  category: "security",
  why: "`header` only sets a header. If the redirect guards the page, everything below it runs and is sent to people who must not see it.",
  fix: "Add `exit;` after the redirect.",
  confidence: 0.9,
  languages: ["php"],
  inTests: false,
  trigger: /\bheader\s*\(\s*["']Location/i,
  *check(root): Iterable<RuleMatch> {
    for (const { node, args } of callsIn(root, "php", (name) => name.toLowerCase() === "header")) {
      if (!/^["']location:/i.test(args[0]?.text() ?? "")) continue;
      const statement = node.parent();
      if (
        statement?.kind() !== "expression_statement" ||
        statement.parent()?.parent()?.kind() !== "if_statement"
      )
        continue;
      // `http_response_code(303)` or another header may come in between.
      let next = nextStatement(statement);
      while (next !== null && /^(?:header|http_response_code|session_write_close)\b/.test(next.text()))
        next = nextStatement(next);
      if (next !== null && !ENDS.test(next.text())) yield { line: node.range().start.line + 1 };
    }
  },
  examples: {
    bad: [
      bad(
        "admin.php",
        3,
        "<?php\nif (!isset($_SESSION['user'])) {\n  header('Location: /login.php');\n}\nshowSecrets();\n",
      ),
      bad("edit.php", 3, "<?php\nif (!$ok) {\n  header(\"Location: /\");\n  $log->write('denied');\n}\n"),
    ],
    good: [
      good(
        "admin.php",
        "<?php\nif (!isset($_SESSION['user'])) {\n  header('Location: /login.php');\n  exit;\n}\nshowSecrets();\n",
      ),
      good("done.php", "<?php\nif ($saved) {\n  header('Location: /');\n}\n"),
      good(
        "f.php",
        "<?php\nfunction go($ok) {\n  if ($ok) {\n    header('Location: /');\n    return;\n  }\n  run();\n}\n",
      ),
      good("last.php", "<?php\nsave();\nheader('Location: /');\n"),
    ],
  },
};
