/** A base class with virtual functions whose destructor isn't virtual, and a class of the file that derives from it. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** A longer class isn't searched. */
const MAX_CHARS = 20_000;

/** True when the class has virtual functions of its own, and nothing makes its destructor safe. */
function isUnsafeBase(node: SyntaxNode): boolean {
  const { start, end } = node.range();
  if (end.index - start.index > MAX_CHARS) return false;
  const body = node.field("body")?.text() ?? "";
  if (!/\bvirtual\b/.test(body) || /\bfinal\b|:/.test(node.text().slice(0, 200).split("{", 1)[0] ?? ""))
    return false;
  if (/\bvirtual\s+~|~\w+\s*\([^)]*\)\s*override/.test(body)) return false;
  // A protected destructor can't be called through a pointer to the base.
  return !/\bprotected\s*:[^]*~\w+\s*\(/.test(body);
}

export const cppMissingVirtualDestructor: TreeRule = {
  kind: "tree",
  id: "cpp-missing-virtual-destructor",
  title: "Missing virtual destructor: a base class has virtual functions",
  severity: "major",
  category: "correctness",
  why: "Deleting a derived object through a pointer to the base is undefined behavior: the derived destructor doesn't run.",
  fix: "Add `virtual ~Base() = default;`.",
  languages: ["cpp"],
  trigger: /\bvirtual\b|\bclass\b|\bstruct\b/,
  *check(root): Iterable<RuleMatch> {
    const rule = { any: [{ kind: "class_specifier" }, { kind: "struct_specifier" }] };
    for (const node of root.findAll({ rule })) {
      const name = node.field("name")?.text() ?? "";
      if (!/^\w+$/.test(name) || !isUnsafeBase(node)) continue;
      const own = escapePattern(name);
      const file = root.text();
      const isDerived = new RegExp(`:\\s*(?:public\\s+)?(?:virtual\\s+)?${own}\\b\\s*[,{]`).test(file);
      const isOwned = new RegExp(
        `unique_ptr<\\s*${own}\\s*>|\\b${own}\\s*\\*\\s*\\w+\\s*=\\s*new\\b|\\bdelete\\b`,
      ).test(file);
      if (isDerived && isOwned)
        yield {
          line: linesOf(node).line,
          title: `Missing virtual destructor: ${nameOr(name, "a base class")} has virtual functions`,
        };
    }
  },
};
