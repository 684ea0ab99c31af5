/** PHP functions that declare a result and never return one. */
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const NO_RESULT = /^(?:void|never|Generator|\\?(?:iterable|Iterator|Traversable))$/;

/** Leaves in another way, or says that it isn't written yet. */
const LEAVES =
  /\breturn\b|\bthrow\b|\bexit\b|\bdie\b|\byield\b|\bwhile\s*\(\s*(?:true|1)\s*\)|\bfor\s*\(\s*;\s*;|\babort\w*\s*\(|\bfail\w*\s*\(|[tT]hrow\w*\s*\(|markTest\w+|\bERROR\b/;

export const phpMissingReturn: TreeRule = {
  kind: "tree",
  id: "php-missing-return",
  title: "Missing return: the function declares a result but never returns one",
  severity: "must-fix",
  category: "correctness",
  why: "When a function with a return type ends without `return`, PHP throws a TypeError, even if the type allows null.",
  fix: "Return the value, or declare the function as `void`.",
  languages: ["php"],
  inTests: false,
  afterRemoval: true,
  trigger: /\bfunction\b|\breturn\b/,
  *check(root): Iterable<RuleMatch> {
    for (const method of root.findAll({
      rule: { any: [{ kind: "function_definition" }, { kind: "method_declaration" }] },
    })) {
      const body = method.field("body");
      const type = method.field("return_type")?.text() ?? "";
      if (body === null || type === "" || NO_RESULT.test(type)) continue;
      const statements = body.namedChildren().filter((child) => !child.kind().includes("comment"));
      if (statements.length === 0 || LEAVES.test(body.text())) continue;
      const name = method.field("name");
      yield {
        line: (name ?? method).range().start.line + 1,
        missingIn: linesOf(method),
        title: `Missing return: ${nameOr(name?.text() ?? "", "the function")} never returns its ${nameOr(type, "result")}, so PHP throws a TypeError`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "src/Price.php",
        3,
        "<?php\nclass Price {\n  public function total(): int {\n    $sum = $this->net + $this->tax;\n  }\n}\n",
      ),
      bad("src/find.php", 2, "<?php\nfunction find(int $id): ?User {\n  $user = load($id);\n}\n"),
    ],
    good: [
      good("src/a.php", "<?php\nfunction total(): int {\n  return 1;\n}\n"),
      good("src/b.php", "<?php\nfunction log_it($text): void {\n  write($text);\n}\n"),
      good(
        "src/c.php",
        "<?php\nabstract class A {\n  abstract function total(): int;\n  function later(): int { throw new \\LogicException('x'); }\n  function stub(): int {}\n}\n",
      ),
      good("src/d.php", "<?php\nfunction rows(): iterable {\n  yield 1;\n}\nfunction untyped() { run(); }\n"),
    ],
  },
};
