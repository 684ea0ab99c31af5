/** Functions of a JavaScript or TypeScript file that return promises: declared async, or awaited elsewhere in the file. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";

/** Async functions by how they are called: `save` or `this.save`. A name that is declared twice is skipped. */
export function asyncFunctions(root: SyntaxNode): ReadonlyMap<string, SyntaxNode> {
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

/** Calls without a receiver to imported functions that the file awaits elsewhere. */
export function awaitedImports(root: SyntaxNode): ReadonlySet<string> {
  const imported = new Set<string>();
  for (const node of root.findAll({ rule: { kind: "import_statement" } }))
    for (const [name] of node.text().matchAll(/[A-Za-z_$][\w$]*/g)) imported.add(name);
  const awaited = new Set<string>();
  for (const node of root.findAll({ rule: { kind: "await_expression" } })) {
    const [call] = node.namedChildren();
    const callee = call?.kind() === "call_expression" ? call.field("function") : null;
    if (callee?.kind() === "identifier" && imported.has(callee.text())) awaited.add(callee.text());
  }
  return awaited;
}

/** True when a parameter of a surrounding function has the name. */
export function isShadowed(name: string, functions: readonly SyntaxNode[]): boolean {
  const pattern = new RegExp(`(?<![\\w$.])${escapePattern(name)}(?![\\w$])`);
  return functions.some((around) => {
    const parameters = around.field("parameters") ?? around.field("parameter");
    return parameters !== null && pattern.test(parameters.text());
  });
}
