/** A variable that is read after `std::move` took its value, in the same block. */
import { escapePattern } from "../../../base/escape-pattern.ts";
import { statementListsIn } from "../syntax/statement-lists.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Beyond this, a reader no longer sees both statements together. */
const MAX_STATEMENTS = 8;

/** A longer statement isn't searched. */
const MAX_CHARS = 1_000;

export const cppUseAfterMove: TreeRule = {
  kind: "tree",
  id: "cpp-use-after-move",
  title: "A variable is used after its value was moved away",
  severity: "must-fix",
  category: "correctness",
  why: "After the move, the variable holds an unspecified value, usually an empty one, and a moved smart pointer is null.",
  fix: "Use the variable before the move, or use the new owner.",
  languages: ["cpp"],
  inTests: false,
  trigger: /\bstd::move\s*\(/,
  *check(root): Iterable<RuleMatch> {
    for (const statements of statementListsIn(root, "cpp")) {
      for (const [index, statement] of statements.entries()) {
        if (!/^(?:expression_statement|declaration)$/.test(statement.kind())) continue;
        const text = statement.text();
        const name = text.length > MAX_CHARS ? undefined : /\bstd::move\(\s*([a-z_]\w*)\s*\)/.exec(text)?.[1];
        if (name === undefined || new RegExp(`^${name}\\s*=`).test(text) || /\bfor\b|\[[&=\w]/.test(text))
          continue;
        const own = escapePattern(name);
        for (const later of statements.slice(index + 1, index + 1 + MAX_STATEMENTS)) {
          if (!/^(?:expression_statement|declaration|return_statement)$/.test(later.kind())) break;
          const next = later.text();
          if (!new RegExp(`(?<![\\w.>:])${own}\\b`).test(next)) continue;
          // An assignment, a reset or passing it by reference gives it a new value.
          const isRead = new RegExp(
            `(?<![\\w.>:&])${own}(?:\\.|->)(?!clear|reset|assign|resize|swap|emplace|push_back|append|str\\(|reserve)\\w+`,
          ).test(next);
          if (isRead && !new RegExp(`(?<![\\w.>:])${own}\\s*=[^=]`).test(next))
            yield {
              line: linesOf(later).line,
              also: [linesOf(statement).line],
              title: `${nameOr(name, "A variable")} is used after its value was moved away`,
              detail: `Line ${linesOf(statement).line} moves it.`,
            };
          break;
        }
      }
    }
  },
  examples: {
    bad: [
      bad(
        "src/add.cpp",
        3,
        "void add(std::vector<Item> &all, std::string name) {\n  all.push_back(std::move(name));\n  log(name.size());\n}\n",
      ),
      bad(
        "src/own.cpp",
        3,
        "void own(std::unique_ptr<Item> item) {\n  keep(std::move(item));\n  item->run();\n}\n",
      ),
    ],
    good: [
      good(
        "src/add.cpp",
        "void add(std::vector<Item> &all, std::string name) {\n  log(name.size());\n  all.push_back(std::move(name));\n  name = next();\n  log(name.size());\n}\n",
      ),
      good(
        "src/reuse.cpp",
        "void add(std::vector<Item> &all, std::string name) {\n  all.push_back(std::move(name));\n  name.clear();\n  log(name.size());\n}\n",
      ),
      good(
        "src/member.cpp",
        "Item::Item(std::string name) {\n  this->name = std::move(name);\n  log(this->name.size());\n}\n",
      ),
    ],
  },
};
