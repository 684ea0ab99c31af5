/** Calls of functions that PHP 7 and 8 removed. */
import { callsIn } from "../syntax/calls.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** The versions without the function, and what replaces it. */
const REMOVED: readonly (readonly [RegExp, string])[] = [
  [/^mysql_(?!xdevapi)\w{1,40}$/, "Use PDO or mysqli with bound parameters."],
  [/^eregi?(?:_replace)?$/, "Use the `preg_` functions."],
  [/^spliti?$/, "Use `preg_split` or `explode`."],
  [/^create_function$/, "Write a closure."],
  [/^each$/, "Use `foreach`."],
  [/^mcrypt_\w{1,40}$/, "Use sodium or openssl."],
  [
    /^(?:money_format|convert_cyr_string|hebrevc|restore_include_path|get_magic_quotes_(?:gpc|runtime)|is_real|ezmlm_hash|gmp_random|read_exif_data|image2wbmp|jpeg2wbmp|png2wbmp|ldap_sort|session_(?:register|unregister|is_registered)|set_magic_quotes_runtime|call_user_method(?:_array)?)$/,
    "Check the manual for its replacement.",
  ],
];

function replacementOf(name: string): string | null {
  return REMOVED.find(([names]) => names.test(name))?.[1] ?? null;
}

export const phpRemovedFunction: TreeRule = {
  kind: "tree",
  id: "php-removed-function",
  title: "Removed function: it no longer exists in PHP 8",
  severity: "must-fix",
  category: "correctness",
  why: 'Every supported version of PHP stops here with "Call to undefined function".',
  fix: "Use the replacement.",
  languages: ["php"],
  inTests: false,
  trigger:
    /\b(?:mysql_|eregi?|spliti?|create_function|each|mcrypt_|money_format|convert_cyr|hebrevc|get_magic|set_magic|is_real|session_\w+|call_user_method|image2wbmp)/,
  *check(root): Iterable<RuleMatch> {
    for (const { node, name, receiver } of callsIn(root, "php", (called) => replacementOf(called) !== null)) {
      if (node.kind() !== "function_call_expression" || receiver !== "") continue;
      // Code for old versions asks first, and some programs define the function.
      if (
        new RegExp(
          `function_exists\\s*\\(\\s*['"]${name}['"]|\\bfunction\\s+${name}\\b|use\\s+function\\b[^;]{0,100}\\b${name}\\b|PHP_VERSION`,
        ).test(root.text())
      )
        continue;
      yield {
        line: linesOf(node).line,
        title: `Removed function: ${nameOr(name, "it")} no longer exists in PHP 8`,
        detail: replacementOf(name) ?? "",
      };
    }
  },
  examples: {
    bad: [
      bad("a.php", 2, "<?php\n$result = mysql_query($sql);\n"),
      bad("b.php", 2, "<?php\nwhile (list($key, $value) = each($rows)) { show($key); }\n"),
      bad("c.php", 2, "<?php\nusort($rows, create_function('$a,$b', 'return 0;'));\n"),
    ],
    good: [
      good("a.php", "<?php\n$result = mysqli_query($db, $sql);\n"),
      good("b.php", "<?php\n$rows->each(fn($row) => show($row));\nRow::each($all);\n"),
      good("c.php", "<?php\nif (function_exists('each')) { each($rows); }\n"),
      good("d.php", "<?php\nfunction split($a) { return $a; }\nsplit($b);\n"),
    ],
  },
};
