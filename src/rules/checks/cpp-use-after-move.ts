/** A variable that is read after `std::move` took its value, in the same block. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { statementListsIn } from "../syntax/statement-lists.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Beyond this, a reader no longer sees both statements together. */
const MAX_STATEMENTS = 8;

/** A longer statement isn't searched. */
const MAX_CHARS = 1_000;

/** The first statement that mentions the variable, when it reads the value. */
function firstUse(statements: readonly SyntaxNode[], own: string): SyntaxNode | null {
  for (const later of statements) {
    const isBranch = /^(?:if|while|switch)_statement$/.test(later.kind());
    if (!isBranch && !/^(?:expression_statement|declaration|return_statement)$/.test(later.kind()))
      return null;
    const part = isBranch ? later.field("condition") : later;
    const text = part?.text() ?? "";
    if (!new RegExp(`(?<![\\w.>:])${own}\\b`).test(text)) {
      if (isBranch) return null;
      continue;
    }
    // An assignment, a reset or passing it by reference gives it a new value.
    if (new RegExp(`(?<![\\w.>:])${own}\\s*=[^=]|>>\\s*${own}\\b|\\[[&=\\w]`).test(text)) return null;
    const isRead = new RegExp(
      `(?<![\\w.>:&])${own}(?:\\.|->)(?!clear|reset|assign|resize|swap|emplace|push_back|append|str\\(|reserve|empty|is_open|valid|joinable|get\\(|has_value|insert|set_|Clear|Reset)\\w+|<<\\s*${own}\\b(?!\\.)|(?:\\breturn\\s+|(?<![\\w)\\]]\\s{0,2}))\\*${own}\\b|\\+\\s*${own}\\b(?!\\.)|\\bstd::move\\(\\s*${own}\\s*\\)`,
    ).test(text);
    return isRead ? later : null;
  }
  return null;
}

export const cppUseAfterMove: TreeRule = {
  kind: "tree",
  id: "cpp-use-after-move",
  title: "Use after move: a variable is used after its value was moved away",
  severity: "must-fix",
  category: "correctness",
  why: "After the move, the variable holds an unspecified value, usually an empty one, and a moved smart pointer is null.",
  fix: "Use the variable before the move, or use the new owner.",
  languages: ["cpp"],
  inTests: false,
  trigger: /\bstd::move\s*\(|\w(?:->|\.)\w|<<\s*\w/,
  *check(root): Iterable<RuleMatch> {
    for (const statements of statementListsIn(root, "cpp")) {
      for (const [index, statement] of statements.entries()) {
        if (!/^(?:expression_statement|declaration)$/.test(statement.kind())) continue;
        const text = statement.text();
        if (text.length > MAX_CHARS || /\bfor\b|\[[&=\w]/.test(text)) continue;
        for (const [, name = ""] of text.matchAll(/\bstd::move\(\s*([a-z_]\w*)\s*\)/g)) {
          const own = escapePattern(name);
          if (new RegExp(`(?<![\\w.>:])${own}\\s*=[^=]`).test(text)) continue;
          const later = firstUse(statements.slice(index + 1, index + 1 + MAX_STATEMENTS), own);
          if (later === null) continue;
          yield {
            line: linesOf(later).line,
            also: [linesOf(statement).line],
            title: `Use after move: ${nameOr(name, "a variable")} is used after its value was moved away`,
            detail: `Line ${linesOf(statement).line} moves it.`,
          };
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
      bad(
        "src/two.cpp",
        3,
        "void Scene::add(std::string name, std::unique_ptr<Node> node) {\n  nodes_.emplace(std::move(name), std::move(node));\n  log << node->size() << name;\n}\n",
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
