/** `throw ex;` of the caught exception, which resets its stack trace. */
import { escapePattern } from "../../base/escape-pattern.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, type FileView, type RuleMatch, type TreeRule } from "../rule.ts";

/** Inside these, a bare `throw;` wouldn't compile or would rethrow another exception. */
const OWN_SCOPE =
  /^(?:catch_clause|finally_clause|lambda_expression|anonymous_method_expression|local_function_statement)$/;

/** The name a catch clause gives the exception it catches, or null. */
function caughtName(clause: SyntaxNode): string | null {
  const declaration = clause.children().find((child) => child.kind() === "catch_declaration");
  return declaration?.field("name")?.text() ?? null;
}

/** Suggests a bare `throw;` when the statement is alone on its line. */
function suggestionFor(node: SyntaxNode, file: FileView): { suggestion?: string } {
  const { start, end } = node.range();
  const text = file.lines?.[start.line] ?? "";
  const isAlone = start.line === end.line && text.trim() === node.text();
  return isAlone ? { suggestion: text.replace(node.text(), "throw;") } : {};
}

export const csharpThrowEx: TreeRule = {
  kind: "tree",
  id: "csharp-throw-ex",
  title: "Lost stack trace: `throw ex` resets it",
  severity: "medium",
  category: "reliability",
  why: "The stack trace then starts at this line, so logs no longer show where the exception was thrown.",
  fix: "Use `throw;` to rethrow the exception with its original stack trace.",
  languages: ["csharp"],
  inTests: false,
  trigger: /\bthrow\s+\w+\s*;/,
  *check(root, file): Iterable<RuleMatch> {
    const found = root.findAll({ rule: { kind: "throw_statement", has: { kind: "identifier" } } });
    for (const node of found) {
      const thrown = node.namedChildren();
      const name = thrown.length === 1 && thrown[0]?.kind() === "identifier" ? thrown[0].text() : null;
      const scope = nearestAncestor(node, (ancestor) => OWN_SCOPE.test(ancestor.kind()));
      if (name === null || scope?.kind() !== "catch_clause" || caughtName(scope) !== name) continue;
      if (new RegExp(`\\b${escapePattern(name)}\\s*=(?!=)`).test(scope.field("body")?.text() ?? "")) continue;
      yield { line: node.range().start.line + 1, ...suggestionFor(node, file) };
    }
  },
  examples: {
    bad: [
      bad(
        "src/Store.cs",
        6,
        "class Store {\n  void Save() {\n    try { Write(); }\n    catch (IOException ex) {\n      Log(ex);\n      throw ex;\n    }\n  }\n}\n",
      ),
      bad(
        "src/Store.cs",
        4,
        "class Store {\n  void Save() {\n    try { Write(); }\n    catch (Exception e) { if (e.Message == null) { throw e; } }\n  }\n}\n",
      ),
    ],
    good: [
      good(
        "src/Store.cs",
        "class Store {\n  void Save() {\n    try { Write(); }\n    catch (IOException ex) {\n      Log(ex);\n      throw;\n    }\n  }\n}\n",
      ),
      good(
        "src/Store.cs",
        'class Store {\n  void Save() {\n    try { Write(); }\n    catch (IOException ex) { throw new StoreException("write", ex); }\n  }\n}\n',
      ),
      good(
        "src/Store.cs",
        "class Store {\n  void Save() {\n    try { Write(); }\n    catch (Exception ex) {\n      ex = Unwrap(ex);\n      throw ex;\n    }\n  }\n}\n",
      ),
      good(
        "src/Store.cs",
        "class Store {\n  void Save(Exception ex) {\n    if (ex != null) throw ex;\n  }\n}\n",
      ),
    ],
  },
};
