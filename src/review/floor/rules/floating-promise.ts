/**
 * A call to an async function of the same file, inside another async function, whose promise is dropped. Functions that
 * handle their own errors or are meant to run in the background are ignored.
 */
import { escapePattern } from "../../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { asCall } from "../syntax/calls.ts";
import { factsOf } from "../file-facts.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Work that is deliberately started and not awaited. */
const BACKGROUND_NAME =
  /^(?:main|handle|on|run|start|loop|poll|schedule|watch|listen|serve|track|report|log|send(?:Telemetry|Metrics|Event)|prefetch|preload|warm|background|fire|trigger|boot|bootstrap|init|setup|notify|refresh|tick|keep)(?![a-z])|Background|Async$|Loop$|Later$/;

type AsyncFunctions = ReadonlyMap<string, SyntaxNode>;

/** Async functions by how they are called: `save` or `this.save`. A name that is declared twice is skipped. */
function asyncFunctions(root: SyntaxNode): AsyncFunctions {
  const found = new Map<string, SyntaxNode | null>();
  const declared = root.findAll({
    rule: {
      any: [{ kind: "function_declaration" }, { kind: "method_definition" }, { kind: "variable_declarator" }],
    },
  });
  for (const node of declared) {
    const plain = node.field("name")?.text() ?? "";
    const name = node.kind() === "method_definition" ? `this.${plain}` : plain;
    const made = node.kind() === "variable_declarator" ? node.field("value") : node;
    const isAsync =
      made !== null &&
      /^(?:(?:export|default|public|private|protected|static|override)\s+)*async\b/.test(
        made.text().slice(0, 80),
      );
    const isFunction = made !== null && /function|method/.test(made.kind());
    found.set(name, found.has(name) || !isAsync || !isFunction ? null : made);
  }
  return new Map([...found].filter((entry): entry is [string, SyntaxNode] => entry[1] !== null));
}

/** True when it awaits something and doesn't catch its errors. */
function canReject(made: SyntaxNode): boolean {
  const text = made.text();
  return (
    /\bawait\b/.test(text) &&
    !/\bcatch\b|\bwhile\s*\(\s*true\s*\)|\bfor\s*\(\s*;\s*;|\bfor await\b|\bsetTimeout\b/.test(text)
  );
}

function isShadowed(name: string, functions: readonly SyntaxNode[]): boolean {
  const pattern = new RegExp(`(?<![\\w$.])${escapePattern(name)}(?![\\w$])`);
  return functions.some((around) => {
    const parameters = around.field("parameters") ?? around.field("parameter");
    return parameters !== null && pattern.test(parameters.text());
  });
}

function isExplained(statement: SyntaxNode): boolean {
  const after = statement.next();
  const isOnLine = after?.kind() === "comment" && after.range().start.line === statement.range().end.line;
  return isOnLine || statement.prev()?.kind() === "comment";
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const known = asyncFunctions(root);
  if (known.size === 0) return;
  const facts = factsOf(root, language);
  for (const statement of root.findAll({ rule: { kind: "expression_statement" } })) {
    const [expression] = statement.namedChildren();
    const call = expression?.kind() === "call_expression" ? asCall(expression) : null;
    if (call === null || !/^(?:|this)$/.test(call.receiver) || BACKGROUND_NAME.test(call.name)) continue;
    const made = known.get(call.receiver === "this" ? `this.${call.name}` : call.name);
    if (made === undefined) continue;
    const functions = facts.functionsAround(statement);
    const around = functions.at(-1);
    if (around === undefined || !/^(?:\w+\s+)*async\b/.test(around.text().slice(0, 80))) continue;
    // A recursive call continues the function's own work.
    const isInside =
      around.range().start.index >= made.range().start.index &&
      around.range().end.index <= made.range().end.index;
    if (isInside || !canReject(made) || isShadowed(call.name, functions) || isExplained(statement)) continue;
    yield {
      line: linesOf(statement).line,
      title: `Floating promise: ${nameOr(call.name, "a call")} is never awaited or handled`,
    };
  }
}

export const floatingPromise: TreeRule = {
  kind: "tree",
  id: "floating-promise",
  title: "Floating promise: a call is never awaited or handled",
  severity: "major",
  category: "correctness",
  why: "The code continues before the async call finishes. If the call fails, the rejection is unhandled, which crashes a Node.js process.",
  fix: "Add `await`, or use `void` with a `.catch` if the call is meant to run in the background.",
  confidence: 0.9,
  languages: ["javascript", "typescript", "tsx"],
  inTests: false,
  trigger: /^[ \t]*(?:this\.)?[\w$]+\(/m,
  check: (root, file) => check(root, file.language),
  examples: {
    bad: [
      bad(
        "src/order.ts",
        5,
        "async function save(order: Order) {\n  await store.insert(order);\n}\nexport async function place(order: Order) {\n  save(order);\n  return order.id;\n}\n",
      ),
      bad(
        "src/orders.ts",
        6,
        "export class Orders {\n  async save(order: Order) {\n    await this.store.insert(order);\n  }\n  async place(order: Order) {\n    this.save(order);\n  }\n}\n",
      ),
      bad(
        "src/order.js",
        5,
        "const save = async (order) => {\n  await insert(order);\n};\nmodule.exports = async (order) => {\n  save(order);\n  return order.id;\n};\n",
      ),
    ],
    good: [
      good(
        "src/order.ts",
        "async function save(order: Order) {\n  await store.insert(order);\n}\nexport async function place(order: Order) {\n  await save(order);\n  void save(order);\n  save(order).catch(report);\n  return save(order);\n}\n",
      ),
      good(
        "src/handled.ts",
        "async function save(order: Order) {\n  try {\n    await store.insert(order);\n  } catch (error) {\n    report(error);\n  }\n}\nexport async function place(order: Order) {\n  save(order);\n}\n",
      ),
      good(
        "src/button.tsx",
        "async function save() {\n  await post();\n}\nexport const Button = () => <button onClick={() => { save(); }} />;\n",
      ),
      good(
        "src/shadow.ts",
        "async function save(order: Order) {\n  await store.insert(order);\n}\nexport async function each(save: (order: Order) => void, order: Order) {\n  save(order);\n  await save2(order);\n}\n",
      ),
      good("src/main.ts", "async function main() {\n  await serve();\n}\nmain();\n"),
    ],
  },
};
