/** The result of a search is dereferenced, and nothing compares it with `end()`. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** `auto it = items.find(key)` and `auto it = std::find(items.begin(), …)`, with or without a type in place of `auto`. */
const SEARCHED =
  /^(?:const\s+)?(?:auto|[\w:<>, ]*(?:iterator|Iterator))\s*[&*]{0,2}\s*(?:const\s+)?(\w+)\s*=\s*(?:([\w.>()-]{1,60}?)(?:\.|->)find\s*\(|std::(?:ranges::)?(?:find|find_if|find_if_not|search|adjacent_find)\s*\(\s*([\w>-]{1,60}))/;

/** Code that knows that the element exists. */
const KNOWN =
  /\b(?:count|contains|Contains|insert|emplace|try_emplace|has|Has|empty)\s*\(|\b\w*(?:assert|ASSERT|CHECK|EXPECT|REQUIRE)\w*\s*\(/;

/** A longer function isn't searched. */
const MAX_CHARS = 10_000;

function usesOf(own: string): RegExp {
  return new RegExp(
    `(?<![\\w.>])${own}\\s*->|(?:\\breturn\\s+|(?<![\\w)\\]]\\s{0,2}))\\*\\s*${own}\\b(?!\\s*=[^=])`,
  );
}

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  for (const node of root.findAll({ rule: { kind: "declaration" } })) {
    const [, name, on, first] = SEARCHED.exec(node.text().slice(0, 200)) ?? [];
    if (name === undefined) continue;
    const around = nearestAncestor(node, (one) =>
      /^(?:function_definition|lambda_expression)$/.test(one.kind()),
    );
    if (around === null) continue;
    const { start, end } = around.range();
    if (end.index - start.index > MAX_CHARS) continue;
    const text = around.text();
    const own = escapePattern(name);
    const rest = text.slice(node.range().end.index - start.index);
    // Any comparison, test or reassignment may be the check; so may a call that gets the iterator.
    const isChecked = new RegExp(
      `(?<![\\w.>])${own}\\s*(?:[!=]=|\\)|,|=[^=]|;)|[!=]=\\s*${own}\\b|!\\s*${own}\\b|(?:if|while)\\s*\\(\\s*${own}\\b(?!\\s*(?:->|\\.))|\\b(?:distance|next|prev|advance)\\s*\\(`,
    ).test(rest.replaceAll(new RegExp(`\\*\\s*${own}\\b`, "g"), `*_`));
    if (isChecked || KNOWN.test(text)) continue;
    const use = usesOf(own).exec(rest);
    if (use === null) continue;
    const before = rest.slice(0, use.index).split("\n").length - 1;
    yield {
      line: linesOf(node).endLine + before,
      also: [linesOf(node).line],
      title: `Unchecked search: ${nameOr(name, "the result")} is dereferenced without a check for \`end()\``,
      detail: `When ${nameOr(on ?? first ?? "", "the container")} has no such element, \`${name}\` is \`end()\`.`,
    };
  }
  for (const node of root.findAll({ rule: { kind: "field_expression" } })) {
    const called = node.field("argument");
    if (called?.kind() !== "call_expression" || !/->\s*(?:second|first)$/.test(node.text().slice(-20)))
      continue;
    const callee = called.field("function");
    if (callee?.kind() !== "field_expression" || callee.field("field")?.text() !== "find") continue;
    const around = nearestAncestor(node, (one) =>
      /^(?:function_definition|lambda_expression)$/.test(one.kind()),
    );
    const text = around?.text() ?? "";
    if (text === "" || text.length > MAX_CHARS || KNOWN.test(text) || /\bend\(\)/.test(text)) continue;
    yield {
      line: linesOf(node).endLine,
      title: "Unchecked search: `find` is dereferenced without a check for `end()`",
    };
  }
}

export const cppUncheckedFind: TreeRule = {
  kind: "tree",
  id: "cpp-unchecked-find",
  title: "Unchecked search: the result is dereferenced without a check for `end()`",
  severity: "major",
  category: "correctness",
  why: "A search that finds nothing returns `end()`. Dereferencing it is undefined behavior: a crash, or a value from random memory.",
  fix: "Compare the result with `end()` first, or use `at`, which throws.",
  confidence: 0.85,
  languages: ["cpp"],
  inTests: false,
  trigger: /\bfind(?:_if|_if_not)?\s*\(|->|\*/,
  check,
  examples: {
    bad: [
      bad(
        "src/price.cpp",
        3,
        "int Shop::price(const std::string& name) const {\n  const auto found = prices_.find(name);\n  return found->second;\n}\n",
      ),
      bad(
        "src/first.cpp",
        3,
        "int first(const std::vector<int>& all) {\n  auto it = std::find_if(all.begin(), all.end(), odd);\n  return *it;\n}\n",
      ),
      bad("src/inline.cpp", 2, "int Shop::price(int id) const {\n  return prices_.find(id)->second;\n}\n"),
    ],
    good: [
      good(
        "src/price.cpp",
        "int Shop::price(const std::string& name) const {\n  const auto found = prices_.find(name);\n  if (found == prices_.end()) return 0;\n  return found->second;\n}\n",
      ),
      good(
        "src/known.cpp",
        "int Shop::price(int id) const {\n  if (!prices_.contains(id)) return 0;\n  auto it = prices_.find(id);\n  return it->second;\n}\n",
      ),
      good(
        "src/text.cpp",
        "std::string head(const std::string& line) {\n  auto at = line.find('=');\n  return line.substr(0, at);\n}\n",
      ),
      good(
        "src/lookup.cpp",
        "int Tree::depth(int id) {\n  auto node = index_.find(id);\n  if (!node) return 0;\n  return node->depth;\n}\n",
      ),
    ],
  },
};
