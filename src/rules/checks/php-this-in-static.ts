/** `$this` in a static method. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** A closure can be bound to an object, and an anonymous class has its own `$this`. */
const OWN_THIS =
  /^(?:method_declaration|anonymous_function|arrow_function|anonymous_class|class_declaration)$/;

function staticMethodAround(node: SyntaxNode): SyntaxNode | null {
  const around = nearestAncestor(node, (ancestor) => OWN_THIS.test(ancestor.kind()));
  if (around?.kind() !== "method_declaration") return null;
  return around.children().some((child) => child.kind() === "static_modifier") ? around : null;
}

export const phpThisInStatic: TreeRule = {
  kind: "tree",
  id: "php-this-in-static",
  title: "Undefined `$this` in a static method",
  severity: "must-fix",
  category: "correctness",
  why: 'A static method has no object. PHP stops with the error "Using $this when not in object context".',
  fix: "Make the method an instance method, or use `self::` and `static::` with static members.",
  languages: ["php"],
  inTests: true,
  trigger: /\$this\b|\bstatic\b/,
  *check(root): Iterable<RuleMatch> {
    for (const name of root.findAll({ rule: { kind: "variable_name", regex: "^\\$this$" } })) {
      const method = staticMethodAround(name);
      if (method === null || /isset\s*\(\s*\$this\s*\)/.test(method.text())) continue;
      yield {
        line: name.range().start.line + 1,
        title: `Undefined \`$this\`: ${nameOr(method.field("name")?.text() ?? "", "the method")} is static`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "a.php",
        4,
        "<?php\nclass A {\n  public static function make() {\n    return $this->build();\n  }\n}\n",
      ),
      bad(
        "b.php",
        4,
        "<?php\nclass B {\n  static function go($x) {\n    if ($x) { $this->x = $x; }\n  }\n}\n",
      ),
    ],
    good: [
      good("a.php", "<?php\nclass A {\n  public function make() {\n    return $this->build();\n  }\n}\n"),
      good(
        "b.php",
        "<?php\nclass B {\n  static function go($x) {\n    return function () { return $this->y; };\n  }\n}\n",
      ),
      good("c.php", "<?php\nclass C {\n  static function go($x) {\n    return static::make($x);\n  }\n}\n"),
    ],
  },
};
