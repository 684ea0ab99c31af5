/** The parameters of a function in one shape. */
import type { SyntaxNode } from "../../syntax/syntax.ts";

export type ParameterShape = {
  /** The node that declares names: an identifier or a pattern. */
  readonly pattern: SyntaxNode;
  readonly type: string;
  readonly marks: string;
};

const LISTS =
  /^(?:formal_parameters|parameters|parameter_list|method_parameters|block_parameters|closure_parameters|lambda_parameters|inferred_parameters|implicit_parameter|bracketed_parameter_list)$/;
const NAME = /^(?:identifier|variable_name|shorthand_property_identifier_pattern)$/;
const PATTERN =
  /^(?:identifier|variable_name|object_pattern|array_pattern|assignment_pattern|rest_pattern|tuple_struct_pattern|tuple_pattern|struct_pattern|reference_pattern|mut_pattern)$/;
/** Annotations, and Python's default values such as `Depends(db)`. */
const MARK = /^(?:decorator|attribute_list|modifiers|attribute_item|call)$/;

export function parametersOf(fn: SyntaxNode): readonly ParameterShape[] {
  const children = fn.namedChildren();
  // Go's receiver is a parameter list before the name.
  const lists = children.filter((child) => LISTS.test(child.kind()));
  const list = fn.kind() === "method_declaration" && lists.length > 1 ? lists[1] : lists[0];
  if (list === undefined) {
    const [only] = children;
    const isLambda = /arrow_function|lambda/.test(fn.kind());
    return isLambda && only !== undefined && NAME.test(only.kind()) ? [plain(only)] : [];
  }
  return list.namedChildren().flatMap(shapesOf);
}

function plain(pattern: SyntaxNode): ParameterShape {
  return { pattern, type: "", marks: "" };
}

function shapesOf(parameter: SyntaxNode): readonly ParameterShape[] {
  if (PATTERN.test(parameter.kind())) return [plain(parameter)];
  const parts = parameter.namedChildren();
  const marks = parts
    .filter((part) => MARK.test(part.kind()))
    .map((part) => part.text())
    .join(" ");
  const rest = parts.filter((part) => !MARK.test(part.kind()));
  const patterns = rest.filter((part) => PATTERN.test(part.kind()));
  if (parameter.kind() === "parameter_declaration") {
    const type = rest.at(-1)?.text() ?? "";
    return patterns.map((pattern) => ({ pattern, type, marks }));
  }
  // In C#, a type may be an identifier, which comes before the name.
  const isCsharp = parameter.kind() === "parameter" && patterns.length > 1 && rest[0] === patterns[0];
  const pattern = isCsharp ? patterns[1] : patterns[0];
  if (pattern === undefined) return [];
  const type = rest
    .filter((part) => part !== pattern && /type|identifier|^name$/.test(part.kind()))
    .map((part) => part.text())
    .join(" ");
  return [{ pattern, type, marks }];
}
