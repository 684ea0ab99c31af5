/** Request values printed into the page unescaped. A value that goes through any function first is ignored. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { rawRequestReads } from "../syntax/php-request.ts";
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

/** `echo`, `print` and `<?=`, which the grammar shows as a statement after its opening tag. */
function* outputs(root: SyntaxNode): Iterable<SyntaxNode> {
  for (const node of root.findAll({
    rule: { any: [{ kind: "echo_statement" }, { kind: "print_intrinsic" }] },
  }))
    yield node;
  for (const node of root.findAll({ rule: { kind: "expression_statement" } })) {
    const before = node.prev();
    const tag = before?.kind() === "text_interpolation" ? before.children().at(-1) : before;
    if (tag?.text() === "<?=") yield node;
  }
}

/** Browsers don't parse plain text or JSON as HTML. */
const NOT_HTML = /content-type:\s*(?:text\/(?:plain|csv)|application\/(?!xhtml))/i;

export const phpRequestEcho: TreeRule = {
  kind: "tree",
  id: "php-request-echo",
  title: "Possible XSS: request value is printed unescaped",
  severity: "must-fix",
  category: "security",
  why: "A crafted link can put a script into this value, which then runs in the user's session.",
  fix: "Escape it on output with `htmlspecialchars($value, ENT_QUOTES)` or your framework's equivalent.",
  languages: ["php"],
  inTests: false,
  trigger: /\$_(?:GET|POST|REQUEST|COOKIE)\b/,
  *check(root, file): Iterable<RuleMatch> {
    if (file.lines?.some((line) => NOT_HTML.test(line)) === true) return;
    for (const output of outputs(root)) {
      for (const child of output.namedChildren()) {
        for (const read of rawRequestReads(child)) {
          yield { line: read.range().start.line + 1, detail: `\`${read.text()}\` is printed as is.` };
        }
      }
    }
  },
  examples: {
    bad: [
      bad("page.php", 2, "<?php\necho 'Hello ' . $_GET['name'];\n"),
      bad("page.php", 2, "<?php\nprint \"Hello {$_POST['name']}\";\n"),
      bad("page.php", 1, "<p><?= $_REQUEST['name'] ?? 'you' ?></p>\n"),
    ],
    good: [
      good("page.php", "<?php\necho 'Hello ' . htmlspecialchars($_GET['name'], ENT_QUOTES);\n"),
      good("page.php", "<?php\necho (int) $_GET['page'];\necho esc_html($_GET['q']);\n"),
      good(
        "page.php",
        "<?php\necho isset($_GET['a']) ? 'yes' : 'no';\necho $_GET['a'] === 'x' ? 'yes' : 'no';\n",
      ),
      good("page.php", "<?php\n// echo $_GET['name'];\n$name = $_GET['name'];\n"),
      good("ping.php", "<?php\nheader('Content-Type: text/plain');\necho $_GET['challenge'];\n"),
    ],
  },
};
