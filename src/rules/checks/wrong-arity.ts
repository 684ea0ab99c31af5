/**
 * A call of a Python function or method of the same file with arguments that its declaration doesn't take. Names that something else could
 * have, and functions with a decorator, are left out.
 */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

type Declared = {
  readonly node: SyntaxNode;
  readonly positional: readonly string[];
  readonly keywordOnly: readonly string[];
  readonly required: readonly string[];
  readonly takesMore: boolean;
  readonly takesKeywords: boolean;
};

/** Null for a form that isn't read. `isMethod`: the first parameter is the object. */
function declare(node: SyntaxNode, isMethod: boolean): Declared | null {
  const list = node.field("parameters");
  if (list === null || node.parent()?.kind() === "decorated_definition") return null;
  const [positional, keywordOnly, required]: [string[], string[], string[]] = [[], [], []];
  let [takesMore, takesKeywords, isKeywordOnly] = [false, false, false];
  for (const parameter of list.namedChildren()) {
    const kind = parameter.kind();
    const inner = kind === "typed_parameter" ? (parameter.namedChildren()[0] ?? parameter) : parameter;
    if (kind === "comment") continue;
    if (inner.kind() === "list_splat_pattern") [takesMore, isKeywordOnly] = [true, true];
    else if (inner.kind() === "dictionary_splat_pattern") takesKeywords = true;
    else if (kind === "keyword_separator") isKeywordOnly = true;
    else if (/^(?:identifier|(?:typed_)?default_parameter|typed_parameter)$/.test(kind)) {
      const name = (parameter.field("name") ?? inner).text();
      (isKeywordOnly ? keywordOnly : positional).push(name);
      if (!kind.endsWith("default_parameter")) required.push(name);
    } else return null;
  }
  if (!isMethod) return { node, positional, keywordOnly, required, takesMore, takesKeywords };
  const [self, ...rest] = positional;
  if (self !== "self") return null;
  const others = required.filter((name) => name !== self);
  return { node, positional: rest, keywordOnly, required: others, takesMore, takesKeywords };
}

/** The fault of a call; null when there is none, or when it isn't known what it passes. */
function faultOf(call: SyntaxNode, declared: Declared): string | null {
  const list = call.field("arguments");
  if (list === null || list.kind() !== "argument_list") return null;
  const keywords: string[] = [];
  let given = 0;
  for (const argument of list.namedChildren()) {
    const kind = argument.kind();
    if (kind === "comment") continue;
    if (/splat/.test(kind)) return null;
    if (kind === "keyword_argument") keywords.push(argument.field("name")?.text() ?? "");
    else given++;
  }
  const { positional, keywordOnly, required, takesMore, takesKeywords } = declared;
  if (given > positional.length && !takesMore)
    return `it takes ${positional.length} by position and gets ${given}`;
  const unknown = keywords.find((name) => !positional.includes(name) && !keywordOnly.includes(name));
  if (unknown !== undefined && !takesKeywords)
    return `it has no parameter ${nameOr(unknown, "of this name")}`;
  const filled = new Set([...positional.slice(0, given), ...keywords]);
  const missing = required.find((name) => !filled.has(name));
  return missing === undefined ? null : `nothing is passed for ${nameOr(missing, "a parameter")}`;
}

/** Declarations by name, without names that are declared twice. */
function byName(nodes: readonly SyntaxNode[], isMethod: boolean): ReadonlyMap<string, Declared> {
  const found = new Map<string, Declared | null>();
  for (const node of nodes) {
    const name = node.field("name")?.text() ?? "";
    found.set(name, found.has(name) ? null : declare(node, isMethod));
  }
  return new Map([...found].flatMap(([name, one]) => (one === null ? [] : [[name, one] as const])));
}

function definitionsIn(block: SyntaxNode | null): readonly SyntaxNode[] {
  return (block?.namedChildren() ?? []).flatMap((child) => {
    const inner = child.kind() === "decorated_definition" ? child.field("definition") : child;
    return inner?.kind() === "function_definition" ? [inner] : [];
  });
}

/** Something else gives the name a value: an assignment, an import, a parameter, a definition in another place. */
function isRebound(text: string, name: string): boolean {
  const own = escapePattern(name);
  const bound = new RegExp(
    `(?<![\\w.])${own}\\s{0,3}(?:,[^=\\n]{0,100})?=(?!=)|\\bimport\\b[^\\n]{0,200}\\b${own}\\b|\\bdef \\w{1,80}\\([^)]{0,400}\\b${own}\\b|\\b(?:for|as|lambda|global|nonlocal|class)\\s[^\\n:]{0,100}\\b${own}\\b`,
  );
  return bound.test(text) || text.split(new RegExp(`\\bdef ${own}\\(`)).length > 2;
}

const MAX_FILE_CHARS = 300_000;

/** Calls of more names aren't looked at. */
const MAX_NAMES = 20;

export const wrongArity: TreeRule = {
  kind: "tree",
  id: "wrong-arity",
  title: "Wrong arguments: the function doesn't take them",
  severity: "medium",
  category: "correctness",
  why: "Python raises a `TypeError` as soon as this line runs.",
  fix: "Pass what the declaration has, or change the declaration.",
  confidence: 0.9,
  languages: ["python"],
  trigger: /\w\(/,
  needs: /^\s*(?:async\s+)?def\s/m,
  *check(root): Iterable<RuleMatch> {
    const size = root.range().end.index - root.range().start.index;
    if (size > MAX_FILE_CHARS) return;
    const whole = root.text();
    const functions = byName(definitionsIn(root), false);
    const rebound = new Map<string, boolean>();
    const methods = new Map<number, ReadonlyMap<string, Declared>>();
    for (const call of root.findAll({ rule: { kind: "call" } })) {
      const callee = call.field("function");
      if (callee === null || callee.range().end.index - callee.range().start.index > 100) continue;
      const text = callee.text();
      const method = /^self\.(\w+)$/.exec(text)?.[1];
      let declared: Declared | undefined;
      if (method === undefined) declared = functions.get(text);
      else {
        const owner = nearestAncestor(call, (one) => one.kind() === "class_definition");
        if (owner === null) continue;
        const at = owner.range().start.index;
        const own = methods.get(at) ?? byName(definitionsIn(owner.field("body")), true);
        methods.set(at, own);
        declared = own.get(method);
      }
      const fault = declared === undefined ? null : faultOf(call, declared);
      if (declared === undefined || fault === null) continue;
      const name = method ?? text;
      if (!rebound.has(text) && rebound.size >= MAX_NAMES) return;
      const isElse =
        rebound.get(text) ?? (method === undefined ? isRebound(whole, name) : isReplaced(whole, name));
      rebound.set(text, isElse);
      if (isElse) continue;
      const { line } = linesOf(declared.node);
      yield {
        ...linesOf(call),
        also: [line],
        title: `Wrong arguments for ${nameOr(name, "the function")}: ${fault}`,
        detail: `It's declared on line ${line}.`,
      };
    }
  },
};

/** `self.save = other` and `setattr` put another function in the place of a method. */
function isReplaced(text: string, name: string): boolean {
  return new RegExp(`\\.${escapePattern(name)}\\s{0,3}=(?!=)|\\bsetattr\\(`).test(text);
}
