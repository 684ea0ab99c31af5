/** Diagnostics of PHP that show the inside of the program to every visitor. */
import { bad, good, type LineRule } from "../rule.ts";

const SHOWN: readonly (readonly [RegExp, string])[] = [
  [/^\s*(?:<\?php\s+)?@?phpinfo\s*\(/, "Exposed configuration: `phpinfo` shows it to every visitor"],
  [
    /\bini_set\s*\(\s*['"]display_errors['"]\s*,\s*(?:1|true|['"](?:1|on|On|true|stdout)['"])\s*\)/,
    "Exposed errors: every visitor sees them, with paths and queries",
  ],
  [
    /^\s*(?:var_dump|debug_print_backtrace|debug_zval_refcount)\s*\(.*\)\s*;\s*(?:(?:die|exit)\b.{0,20})?$/,
    "Debug output: `var_dump` writes into the response",
  ],
];

export const phpDebugOutput: LineRule = {
  kind: "line",
  id: "php-debug-output",
  title: "Exposed diagnostics: every visitor sees them",
  severity: "medium",
  category: "security",
  why: "The output helps an attacker, and it appears in pages and responses that aren't meant for it.",
  fix: "Remove it, or write to the log.",
  confidence: 0.85,
  languages: ["php"],
  inTests: false,
  isFor: (file) =>
    !/(?:^|\/)(?:tests?|bin|cli|scripts?|tools?|examples?|samples?|bench\w*|dev|debug|stubs?|fixtures?|docs?)\/|[dD]ump|[dD]ebug|phpinfo|\.phpt$|install|wp-config-sample/.test(
      file.path,
    ),
  check({ line, text }, file) {
    const found = SHOWN.find(([pattern]) => pattern.test(text));
    if (found === undefined || /php_sapi_name|PHP_SAPI|argv/.test(file.addedText)) return null;
    return { line, title: found[1] };
  },
  examples: {
    bad: [
      bad("public/status.php", 2, "<?php\nphpinfo();\n"),
      bad("public/index.php", 2, "<?php\nini_set('display_errors', '1');\n"),
      bad(
        "src/Cart.php",
        3,
        "<?php\nfunction total($cart) {\n    var_dump($cart);\n    return $cart->sum();\n}\n",
      ),
    ],
    good: [
      good("public/index.php", "<?php\nini_set('display_errors', '0');\n"),
      good("bin/run.php", "<?php\nvar_dump($result);\n"),
      good(
        "src/Cart.php",
        "<?php\n// var_dump($cart);\n$dumper->var_dump($cart);\n$text = var_dump($x, true) . 'a';\n",
      ),
    ],
  },
};
