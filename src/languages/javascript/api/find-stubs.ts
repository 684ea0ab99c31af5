/**
 * Exports that only throw. Some packages keep the names that they removed, so that callers get a message; for a caller they are gone.
 */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import type { ModuleScope } from "./module.ts";

const FUNCTIONS = ["function_declaration", "function_expression", "arrow_function"] as const;

/** Takes the names from the exports of a file. */
export function removeStubs(scope: ModuleScope, root: SyntaxNode): void {
  if (!root.has({ rule: { kind: "throw_statement" } })) return;
  const isStub = stubsIn(root);
  for (const [name, { origin }] of scope.exports)
    if (origin.kind === "local" && isStub(origin.name)) scope.exports.delete(name);
}

/** By the name of a declaration, or `*name*` for a value that is assigned to an export. */
function stubsIn(root: SyntaxNode): (local: string) => boolean {
  const throwing = new Set(
    root
      .findAll({ rule: { any: FUNCTIONS.map((kind) => ({ kind })) } })
      .filter(onlyThrows)
      .map(startOf),
  );
  const declared = root.namedChildren().flatMap(declarationsOf);
  const makers = new Set(
    declared.flatMap(({ name, value }) => {
      const returned = FUNCTIONS.some((kind) => kind === value.kind()) ? onlyStatement(value) : null;
      const made = returned?.kind() === "return_statement" ? returned.namedChildren()[0] : undefined;
      return made !== undefined && throwing.has(startOf(made)) ? [name] : [];
    }),
  );
  const stubs = new Set<string>();
  for (const { name, value } of declared) {
    const isMade = value.kind() === "call_expression" && makers.has(value.field("function")?.text() ?? "");
    const isOther = value.kind() === "identifier" && stubs.has(value.text());
    if (isMade || isOther || throwing.has(startOf(value))) stubs.add(name);
  }
  return (local) => stubs.has(local);
}

type NamedValue = { readonly name: string; readonly value: SyntaxNode };

/** Functions, variables, and properties that are assigned, of a statement at the top of a file. */
function declarationsOf(statement: SyntaxNode): readonly NamedValue[] {
  const kind = statement.kind();
  if (kind === "export_statement") return statement.namedChildren().flatMap(declarationsOf);
  if (kind === "function_declaration") return named(statement.field("name")?.text(), statement);
  if (kind === "lexical_declaration" || kind === "variable_declaration")
    return statement
      .namedChildren()
      .flatMap((each) => named(each.field("name")?.text(), each.field("value") ?? null));
  const [assignment] = kind === "expression_statement" ? statement.namedChildren() : [];
  if (assignment?.kind() !== "assignment_expression") return [];
  const property = assignment.field("left")?.field("property")?.text();
  return named(property === undefined ? undefined : `*${property}*`, assignment.field("right"));
}

const named = (name: string | undefined, value: SyntaxNode | null): readonly NamedValue[] =>
  name === undefined || value === null ? [] : [{ name, value }];

const startOf = (node: SyntaxNode): number => node.range().start.index;

function onlyThrows(one: SyntaxNode): boolean {
  return onlyStatement(one)?.kind() === "throw_statement";
}

function onlyStatement(one: SyntaxNode): SyntaxNode | null {
  const statements = (one.field("body")?.namedChildren() ?? []).filter((each) => each.kind() !== "comment");
  return statements.length === 1 ? (statements[0] ?? null) : null;
}
