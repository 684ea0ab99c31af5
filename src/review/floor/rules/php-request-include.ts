/** Included paths that the request controls. A name that is looked up in a list or checked by a function is ignored. */
import { rawRequestReads } from "../syntax/php-request.ts";
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

const KINDS = [
  "include_expression",
  "include_once_expression",
  "require_expression",
  "require_once_expression",
];

export const phpRequestInclude: TreeRule = {
  kind: "tree",
  id: "php-request-include",
  title: "File inclusion: the request controls the included path",
  severity: "critical",
  category: "security",
  why: "A path such as `../../uploads/x` or a stream URL can run or expose any file the server can read, including uploads.",
  fix: "Map the value to a fixed list of files and reject everything else.",
  languages: ["php"],
  inTests: false,
  trigger: /\$_(?:GET|POST|REQUEST|COOKIE)\b/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { any: KINDS.map((kind) => ({ kind })) } })) {
      for (const child of node.namedChildren()) {
        for (const read of rawRequestReads(child)) {
          yield { line: read.range().start.line + 1, detail: `\`${read.text()}\` is part of the path.` };
        }
      }
    }
  },
  examples: {
    bad: [
      bad("index.php", 2, "<?php\ninclude $_GET['page'];\n"),
      bad("index.php", 2, "<?php\nrequire_once __DIR__ . '/pages/' . $_REQUEST['page'] . '.php';\n"),
      bad("index.php", 2, "<?php\ninclude(\"pages/{$_COOKIE['page']}.php\");\n"),
    ],
    good: [
      good("index.php", "<?php\ninclude $pages[$_GET['page']] ?? 'pages/home.php';\n"),
      good("index.php", "<?php\nrequire __DIR__ . '/pages/' . page_file($_GET['page']);\n"),
      good("index.php", "<?php\ninclude 'a.php';\n// include $_GET['page'];\n$page = $_GET['page'];\n"),
    ],
  },
};
