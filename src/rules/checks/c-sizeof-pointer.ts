/** `sizeof` of a pointer where the size of its target was meant. Only pointers declared in the same function count. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { type CCall, cCallsIn, type CFunction, createFunctionLookup } from "../syntax/c-declarations.ts";
import type { RuleMatch, TreeRule } from "../rule.ts";

/** Function → indexes of its target and size arguments. */
const TARGET_AND_SIZE: Readonly<Record<string, readonly [number, number]>> = {
  memset: [0, 2],
  memcpy: [0, 2],
  memmove: [0, 2],
  strncpy: [0, 2],
  strncat: [0, 2],
  snprintf: [0, 1],
  fgets: [0, 1],
  bzero: [0, 1],
};
const NAMES: ReadonlySet<string> = new Set([...Object.keys(TARGET_AND_SIZE), "malloc"]);

/** The operand of `sizeof x` or `sizeof(x)` when it is a plain name. */
function sizedName(node: SyntaxNode | undefined): string | null {
  if (node?.kind() !== "sizeof_expression") return null;
  return /^sizeof\s*(?:\(\s*)?([A-Za-z_]\w*)\s*\)?$/.exec(node.text())?.[1] ?? null;
}

/** True when `name` is declared once in the function with exactly one star: the target of a `**p` is a pointer anyway. */
function isPlainPointer(name: string, around: CFunction | null): boolean {
  const declared = around?.declarationOf(name) ?? null;
  // An array of pointers has the size of the whole array.
  return declared !== null && declared.stars === 1 && !declared.isArray;
}

/** The variable that a call's result is assigned to, looking through casts. */
function receiverOf(call: SyntaxNode): string | null {
  let node = call.parent();
  while (node !== null && /^(?:cast_expression|parenthesized_expression)$/.test(node.kind()))
    node = node.parent();
  if (node?.kind() === "assignment_expression") return node.field("left")?.text() ?? null;
  if (node?.kind() !== "init_declarator") return null;
  return node.field("declarator")?.text().replaceAll(/[\s*]/g, "") ?? null;
}

function mistakenName({ node, name, args }: CCall): string | null {
  const [targetAt, sizeAt] = TARGET_AND_SIZE[name] ?? [-1, 0];
  const sized = sizedName(args[sizeAt]);
  if (sized === null) return null;
  const target = name === "malloc" ? receiverOf(node) : args[targetAt]?.text();
  return target === sized ? sized : null;
}

export const cSizeofPointer: TreeRule = {
  kind: "tree",
  id: "c-sizeof-pointer",
  title: "Wrong size: `sizeof` returns the size of the pointer, not of its target",
  severity: "must-fix",
  category: "correctness",
  why: "A pointer is 8 bytes on 64-bit machines regardless of its target, so too little memory is allocated, cleared or copied.",
  fix: "Use `sizeof *pointer` for a single object, or pass the buffer's length.",
  languages: ["c", "cpp"],
  trigger: /\bsizeof\b/,
  *check(root): Iterable<RuleMatch> {
    const functionAround = createFunctionLookup(root);
    for (const call of cCallsIn(root, NAMES)) {
      const name = mistakenName(call);
      if (name !== null && isPlainPointer(name, functionAround(call.node)))
        yield { line: call.node.range().start.line + 1, detail: `\`${name}\` is a pointer.` };
    }
  },
};
