/** An async function called without `await` where its result decides: the promise is always true. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { factsOf } from "../file-facts.ts";
import { asyncFunctions, awaitedImports, isShadowed } from "../syntax/async-functions.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** The innermost expressions that decide: operands of `!`, `&&` and `||` instead of the whole condition. */
function decidingCalls(node: SyntaxNode | null | undefined): readonly SyntaxNode[] {
  if (node === null || node === undefined) return [];
  switch (node.kind()) {
    case "call_expression":
      return [node];
    case "parenthesized_expression":
    case "unary_expression":
      return node.kind() === "unary_expression" && node.children()[0]?.text() !== "!"
        ? []
        : decidingCalls(node.namedChildren().at(-1));
    case "binary_expression":
      return /^(?:&&|\|\|)$/.test(node.field("operator")?.text() ?? "")
        ? node.namedChildren().flatMap(decidingCalls)
        : [];
    default:
      return [];
  }
}

function conditionsIn(root: SyntaxNode): readonly SyntaxNode[] {
  const found = root.findAll({
    rule: { any: [{ kind: "if_statement" }, { kind: "while_statement" }, { kind: "ternary_expression" }] },
  });
  const conditions = found.flatMap((node) => node.field("condition") ?? []);
  const negations = root.findAll({ rule: { kind: "unary_expression", regex: "^!" } });
  return [...conditions, ...negations];
}

export const promiseInCondition: TreeRule = {
  kind: "tree",
  id: "promise-in-condition",
  title: "Promise in a condition: it is always true",
  severity: "must-fix",
  category: "correctness",
  why: "An async function returns a promise, and a promise is always truthy. The branch is taken, whatever the function finds.",
  fix: "Add `await` before the call.",
  languages: ["javascript", "typescript", "tsx"],
  inTests: true,
  trigger: /\b(?:if|while)\s*\(|\?|!\s*[\w$(]/,
  *check(root, file): Iterable<RuleMatch> {
    const known = asyncFunctions(root);
    const awaited = awaitedImports(root);
    if (known.size + awaited.size === 0) return;
    const facts = factsOf(root, file.language);
    const seen = new Set<number>();
    for (const condition of conditionsIn(root)) {
      for (const call of decidingCalls(condition)) {
        const callee = call.field("function")?.text() ?? "";
        const start = call.range().start.index;
        if (seen.has(start) || !(known.has(callee) || awaited.has(callee))) continue;
        if (isShadowed(callee, facts.functionsAround(call))) continue;
        seen.add(start);
        yield {
          line: linesOf(call).line,
          title: `Promise in a condition: the promise of ${nameOr(callee, "a call")} is always true`,
        };
      }
    }
  },
  examples: {
    bad: [
      bad(
        "src/guard.ts",
        5,
        "async function isAdmin(user: User) {\n  return (await roles(user)).includes('admin');\n}\nexport async function drop(user: User) {\n  if (isAdmin(user)) await remove();\n}\n",
      ),
      bad(
        "src/guard.js",
        6,
        'import { exists } from "./files.js";\nexport async function read(path) {\n  if (await exists(path)) return load(path);\n}\nexport async function write(path, text) {\n  if (force || !exists(path)) await save(path, text);\n}\n',
      ),
      bad(
        "src/user.ts",
        6,
        "class Users {\n  async has(id: string) {\n    return (await this.load(id)) !== null;\n  }\n  async name(id: string) {\n    return this.has(id) ? id : 'none';\n  }\n}\n",
      ),
    ],
    good: [
      good(
        "src/guard.ts",
        "async function isAdmin(user: User) {\n  return (await roles(user)).includes('admin');\n}\nexport async function drop(user: User) {\n  if (await isAdmin(user)) await remove();\n  const check = isAdmin(user);\n  if (!(await check)) return;\n}\n",
      ),
      good(
        "src/guard.ts",
        "async function isAdmin(user: User) {\n  return true;\n}\nexport function drop(isAdmin: (user: User) => boolean, user: User) {\n  if (isAdmin(user)) remove();\n}\n",
      ),
      good(
        "src/guard.ts",
        "async function load(id: string) {\n  return fetch(id);\n}\nexport async function run(id: string) {\n  if (cache.has(id)) return load(id);\n  return isSmall(id) ? load(id) : null;\n}\n",
      ),
    ],
  },
};
