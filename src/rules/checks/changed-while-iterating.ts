/** A list that is changed inside the loop that walks it. A change right before the loop ends is fine. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { asCall } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

type Loops = {
  readonly kind: string;
  readonly list: (loop: SyntaxNode) => SyntaxNode | null | undefined;
  /** Methods that move the elements the loop hasn't reached. */
  readonly changes: RegExp;
  readonly effect: string;
};

const SKIPS = "so the loop skips elements";
const JAVASCRIPT: Loops = {
  kind: "for_in_statement",
  list: (loop) => (loop.children().some((child) => child.text() === "of") ? loop.field("right") : null),
  changes: /^(?:splice|shift|unshift)$/,
  effect: SKIPS,
};

const LOOPS: Readonly<Record<string, Loops>> = {
  javascript: JAVASCRIPT,
  typescript: JAVASCRIPT,
  tsx: JAVASCRIPT,
  python: {
    kind: "for_statement",
    list: (loop) => loop.field("right"),
    changes: /^(?:remove|insert|pop|popitem)$/,
    effect: SKIPS,
  },
  csharp: {
    kind: "foreach_statement",
    list: (loop) => loop.field("right"),
    changes: /^(?:Add|Remove|Insert|RemoveAt|Clear|Enqueue|Dequeue|Push|Pop|AddRange|RemoveAll)$/,
    effect: "so the next step throws",
  },
  ruby: {
    kind: "call",
    list: (loop) =>
      /^each(?:_with_index)?$/.test(loop.field("method")?.text() ?? "") ? loop.field("receiver") : null,
    changes: /^(?:delete|delete_at|delete_if|shift|unshift)$/,
    effect: SKIPS,
  },
};

const CALLS: Readonly<Record<string, readonly string[]>> = {
  javascript: ["call_expression"],
  typescript: ["call_expression"],
  tsx: ["call_expression"],
  python: ["call"],
  csharp: ["invocation_expression"],
  ruby: ["call"],
};

function isOfDictionary(argument: SyntaxNode | undefined, loop: SyntaxNode, language: string): boolean {
  const text = argument?.text() ?? "";
  if (language === "csharp")
    return text.endsWith(".Key") || /^foreach\s*\(\s*(?:var\s*)?\(/.test(loop.text());
  if (language === "ruby")
    return (
      /\|\s*\w+\s*,\s*\w+\s*\|/.test(loop.text().slice(0, 200)) &&
      !/each_with_index/.test(loop.text().slice(0, 200))
    );
  // A deque or a queue that a loop empties isn't walked by index.
  return language === "python" && /^(?:key|k|name)$/.test(text);
}

const PLAIN = /^[@$]?[A-Za-z_][\w.$]{0,60}$/;
const LEAVES =
  /^(?:return|break|throw|raise|return_statement|break_statement|throw_statement|raise_statement)$/;

/** True when the block of the change leaves the loop afterwards. */
function leavesLoop(call: SyntaxNode): boolean {
  let statement = call;
  for (let up = call.parent(); up !== null; statement = up, up = up.parent()) {
    if (/^(?:block|statement_block|then|body_statement|block_body|do|else)$/.test(up.kind())) break;
    if (LEAVES.test(up.kind())) return true;
  }
  for (let next = statement.next(); next !== null; next = next.next()) {
    if (LEAVES.test(next.kind()) || /^(?:return|break|raise)\b/.test(next.text().slice(0, 7))) return true;
  }
  return false;
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const loops = LOOPS[language];
  if (loops === undefined) return;
  for (const loop of root.findAll({ rule: { kind: loops.kind } })) {
    const list = loops.list(loop)?.text() ?? "";
    if (!PLAIN.test(list)) continue;
    const body = loop.field("body") ?? loop.field("block");
    const calls = body?.findAll({ rule: { any: CALLS[language]?.map((kind) => ({ kind })) ?? [] } }) ?? [];
    for (const node of calls) {
      const call = asCall(node);
      if (call === null || call.receiver !== list || !loops.changes.test(call.name)) continue;
      // A dictionary may lose keys while it is walked, and its loop variable says that it is one.
      if (isOfDictionary(call.args[0], loop, language) || leavesLoop(node)) continue;
      // `while queue: for one in queue: queue.remove(one)` comes back for the rest.
      if (language === "python" && nearestAncestor(loop, (up) => up.kind() === "while_statement") !== null)
        continue;
      // One statement that takes an element out and puts it in moves it on purpose.
      if (/\.(?:insert|unshift)\b/.test(node.parent()?.parent()?.text().slice(0, 200) ?? "")) continue;
      if (functionAround(node)?.range().start.index !== functionAround(loop)?.range().start.index) continue;
      if (
        nearestAncestor(
          node,
          (up) => up.kind() === loops.kind && loops.list(up)?.text() !== undefined,
        )?.range().start.index !== loop.range().start.index
      )
        continue;
      yield {
        line: linesOf(node).line,
        title: `List changed in its own loop: ${nameOr(list, "it")} is changed, ${loops.effect}`,
        severity: language === "csharp" ? "must-fix" : "major",
      };
      break;
    }
  }
}

export const changedWhileIterating: TreeRule = {
  kind: "tree",
  id: "changed-while-iterating",
  title: "List changed in its own loop",
  severity: "major",
  category: "correctness",
  why: "The loop keeps a position in the list. When elements move, it skips some of them or stops with an error.",
  fix: "Walk a copy of the list, or collect the changes and apply them after the loop.",
  confidence: 0.9,
  languages: ["javascript", "typescript", "tsx", "python", "csharp", "ruby"],
  trigger:
    /\.(?:splice|shift|unshift|remove|insert|pop|Add|Remove|Insert|RemoveAt|Clear|Enqueue|Push|AddRange|RemoveAll|delete|delete_at|delete_if)\b|\bfor|\beach/,
  check: (root, { language }) => check(root, language),
};
