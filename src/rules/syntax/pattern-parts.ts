/** The parts that patterns of ast-grep are made of, in short form. Kinds are separated by spaces. */
import type { RuleObject } from "../../syntax/syntax.ts";

/** A node of one of these kinds. */
export function anyKind(kinds: string): RuleObject {
  return { any: kinds.split(" ").map((kind) => ({ kind })) };
}

/** A node of this kind by its fields: a meta-variable such as `$NAME`, or a regular expression for the text. */
export function withFields(kind: string, fields: Readonly<Record<string, string>>): RuleObject {
  const parts = Object.entries(fields).map(([field, text]) => ({
    has: { field, ...(/^\$[A-Z]/.test(text) ? { pattern: text } : { regex: text }) },
  }));
  return { kind, all: parts };
}

/** A call of this kind by regular expressions for its function, and for arguments by their position from 1. */
export function withArguments(
  kind: string,
  name: string,
  args: Readonly<Record<number, string>>,
): RuleObject {
  const given = Object.entries(args).map(([at, regex]) => ({ has: { nthChild: Number(at), regex } }));
  return { ...withFields(kind, { function: name }), has: { field: "arguments", all: given } };
}

/** For `inside`: the nearest of all these nodes, if it is `wanted`. */
export function nearestOf(wanted: RuleObject, kinds: string): RuleObject {
  return { ...wanted, stopBy: anyKind(kinds) };
}
