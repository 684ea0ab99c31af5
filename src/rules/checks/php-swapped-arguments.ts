/** Calls of PHP's own functions with the arguments in the wrong order, where a literal shows it. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { callsIn } from "../syntax/calls.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const TEXT = /^(?:string|encapsed_string)$/;
const CLOSURE = /^(?:anonymous_function|arrow_function)$/;
const ARRAY = "array_creation_expression";

/** A longer literal can be the text to search: `strpos('abcdef', $letter)`. */
const MAX_DELIMITER_CHARS = 2;

function isDelimiter(node: SyntaxNode): boolean {
  return TEXT.test(node.kind()) && node.text().length <= MAX_DELIMITER_CHARS + 2;
}

function isComputed(node: SyntaxNode): boolean {
  return /^(?:variable_name|member_access_expression|subscript_expression)$/.test(node.kind());
}

type Order = {
  readonly right: string;
  readonly isSwapped: (first: SyntaxNode, second: SyntaxNode) => boolean;
};

const TEXT_FIRST: Order = {
  right: "the text first, then what to find",
  isSwapped: (first, second) => isDelimiter(first) && isComputed(second),
};
const ARRAY_SECOND: Order = {
  right: "the value first, then the array",
  isSwapped: (first, second) => first.kind() === ARRAY || (TEXT.test(second.kind()) && isComputed(first)),
};

const ORDERS: Readonly<Record<string, Order>> = {
  strpos: TEXT_FIRST,
  stripos: TEXT_FIRST,
  strrpos: TEXT_FIRST,
  strstr: TEXT_FIRST,
  str_contains: TEXT_FIRST,
  str_starts_with: TEXT_FIRST,
  str_ends_with: TEXT_FIRST,
  substr_count: TEXT_FIRST,
  in_array: ARRAY_SECOND,
  array_search: ARRAY_SECOND,
  array_key_exists: ARRAY_SECOND,
  explode: {
    right: "the separator first, then the text",
    isSwapped: (first, second) => isDelimiter(second) && isComputed(first),
  },
  implode: {
    right: "the separator first, then the array",
    isSwapped: (first, second) => TEXT.test(second.kind()) && !TEXT.test(first.kind()),
  },
  array_map: {
    right: "the callback first, then the array",
    isSwapped: (first, second) => CLOSURE.test(second.kind()) && !CLOSURE.test(first.kind()),
  },
  array_filter: {
    right: "the array first, then the callback",
    isSwapped: (first) => CLOSURE.test(first.kind()),
  },
  usort: { right: "the array first, then the callback", isSwapped: (first) => CLOSURE.test(first.kind()) },
};

export const phpSwappedArguments: TreeRule = {
  kind: "tree",
  id: "php-swapped-arguments",
  title: "Swapped arguments: they are in the wrong order",
  severity: "must-fix",
  category: "correctness",
  why: "PHP's functions don't agree on the order of their arguments. In this order the call fails or never finds anything.",
  fix: "Swap the two arguments.",
  languages: ["php"],
  inTests: true,
  trigger: /\b(?:str\w*pos|strstr|str_\w+|substr_count|in_array|array_\w+|explode|implode|usort)\s*\(/,
  *check(root): Iterable<RuleMatch> {
    for (const { node, name, receiver, args } of callsIn(root, "php", (called) =>
      Object.hasOwn(ORDERS, called),
    )) {
      const [first, second] = args;
      const order = ORDERS[name];
      if (receiver !== "" || node.kind() !== "function_call_expression" || order === undefined) continue;
      if (first === undefined || second === undefined || !order.isSwapped(first, second)) continue;
      yield {
        line: linesOf(node).line,
        title: `Swapped arguments: ${nameOr(name, "the function")} gets them in the wrong order`,
        detail: `It takes ${order.right}.`,
      };
    }
  },
  examples: {
    bad: [
      bad("a.php", 2, "<?php\nif (strpos('@', $email) === false) { reject(); }\n"),
      bad("b.php", 2, "<?php\nif (in_array(['a', 'b'], $name)) { run(); }\n"),
      bad("c.php", 2, "<?php\n$parts = explode($line, ',');\n"),
      bad("d.php", 2, "<?php\necho implode($names, ', ');\n"),
      bad("e.php", 2, "<?php\n$all = array_map($rows, fn($row) => $row['id']);\n"),
      bad("f.php", 2, "<?php\nif (array_key_exists($options, 'name')) { run(); }\n"),
    ],
    good: [
      good("a.php", "<?php\nif (strpos($email, '@') === false) { reject(); }\n"),
      good("b.php", "<?php\nif (strpos('aeiou', $letter) !== false) { run(); }\n"),
      good("c.php", "<?php\nif (in_array($name, ['a', 'b'], true)) { run(); }\n"),
      good("d.php", "<?php\necho implode(', ', explode('-', $name));\n"),
      good(
        "e.php",
        "<?php\n$all = array_map('trim', $rows);\n$some = array_filter($rows, fn($row) => $row);\n",
      ),
      good("f.php", "<?php\n$found = $list->implode($a, ',');\n"),
    ],
  },
};
