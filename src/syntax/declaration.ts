/** Decides from a name's position in a syntax tree whether it's declared there. One set of conventions covers all grammars. */
import type { SyntaxNode } from "./syntax.ts";

/** Nodes that declare the name in their field `name`. Calls, elements and paths only use one. */
const DECLARING =
  /(?:declaration|definition|declarator|signature|_item|_spec|_variant|enum_assignment|enum_member|constructor|type_parameter|type_alias|variable_assignment|method_elem|preproc_def|preproc_function_def)$|^(?:class|module|method|singleton_method|interface|trait|function|record)$/;

/** In C and C++ these use a type, unless a body follows. */
const SPECIFIER = /^(?:struct|class|union|enum)_specifier$/;

/** An assignment to a new name declares it. */
const ASSIGNING: ReadonlySet<string> = new Set(["assignment", "short_var_declaration"]);

/** PHP's constants and properties: their names come first, without a field. */
const ELEMENTS: ReadonlySet<string> = new Set(["const_element", "property_element"]);

/** Kotlin's grammar has no fields: the first identifier is the name. */
const NAMED_FIRST =
  /^(?:class_declaration|object_declaration|companion_object|function_declaration|variable_declaration|class_parameter|enum_entry|type_alias)$/;

/** Nodes that can be between a name and its declaration. */
const LEADING_ON: ReadonlySet<string> = new Set(["expression_list", "variable_name", "qualified_identifier"]);

/** Levels between a name and its declaration: lists, patterns, pointers, types. */
const MAX_STEPS = 6;

/** The kind of the declaration, such as "function_declaration"; null when the name is only used. */
export function declarationOf(name: SyntaxNode): string | null {
  let node = name;
  for (let step = 0; step < MAX_STEPS; step++) {
    const parent = node.parent();
    if (parent === null) return null;
    const kind = parent.kind();
    if (ELEMENTS.has(kind)) return isSamePlace(parent.namedChildren()[0] ?? null, node) ? kind : null;
    if (NAMED_FIRST.test(kind) && parent.field("name") === null) {
      const first = parent.namedChildren().find((one) => /^(?:simple|type)_identifier$/.test(one.kind()));
      return isSamePlace(first ?? null, node) ? kind : null;
    }
    if (isField(parent, "name", node)) {
      if (SPECIFIER.test(kind)) return parent.field("body") === null ? null : kind;
      if (DECLARING.test(kind)) return kind;
      if (kind !== "qualified_identifier") return null;
    }
    if (isField(parent, "left", node) && ASSIGNING.has(kind)) return kind;
    if (isField(parent, "pattern", node) && kind === "let_declaration") return kind;
    const leadsOn = isField(parent, "declarator", node) || LEADING_ON.has(kind);
    if (!leadsOn) return null;
    if (isField(parent, "declarator", node) && /(?:declaration|definition)$/.test(kind)) return kind;
    node = parent;
  }
  return null;
}

function isField(parent: SyntaxNode, field: string, node: SyntaxNode): boolean {
  return isSamePlace(parent.field(field), node);
}

/** The parser returns a new object for a node each time, so positions are compared. */
function isSamePlace(found: SyntaxNode | null, node: SyntaxNode): boolean {
  if (found === null) return false;
  const [one, other] = [found.range(), node.range()];
  return one.start.index === other.start.index && one.end.index === other.end.index;
}
