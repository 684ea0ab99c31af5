/** The names of a function's parameters. */
import type { SyntaxNode } from "../../syntax/syntax.ts";

/** The names of all parameters; null when one of them is taken apart or stands for several. */
export function parameterNames(node: SyntaxNode): readonly string[] | null {
  const single = node.field("parameter");
  if (single !== null) return [single.text()];
  const list = node.field("parameters");
  if (list === null) return null;
  const names: string[] = [];
  for (const parameter of list.namedChildren()) {
    if (/comment|receiver_parameter/.test(parameter.kind())) continue;
    const name = nameOf(parameter);
    if (name === null) return null;
    names.push(name);
  }
  return names;
}

function nameOf(parameter: SyntaxNode): string | null {
  const inner =
    parameter.field("name") ?? parameter.field("pattern") ?? parameter.field("left") ?? firstName(parameter);
  const text = /^\$?[A-Za-z_$][\w$]{0,100}$/.exec(inner?.text() ?? "")?.[0];
  if (text === undefined) return null;
  return inner?.kind() === "variable_name" ? text.slice(1) : text;
}

/** `a: int` of Python, and a bare name. */
function firstName(parameter: SyntaxNode): SyntaxNode | null {
  if (parameter.kind() === "identifier") return parameter;
  return parameter.kind() === "typed_parameter" ? (parameter.namedChildren()[0] ?? null) : null;
}
