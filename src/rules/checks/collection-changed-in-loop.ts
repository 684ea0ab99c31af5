/** A loop over a collection that adds to or removes from the same collection. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const LOOPS: Readonly<Record<string, string>> = {
  java: "enhanced_for_statement",
  cpp: "for_range_loop",
};

/** The collection of the loop, and the calls that change it. */
const HEADS: Readonly<Record<string, RegExp>> = {
  java: /^for\s*\([^:]{1,120}:\s*([\w.]{1,60}?)(?:\.(?:keySet|values|entrySet)\(\))?\s*\)/,
  cpp: /^for\s*\([^:]{1,120}[^:]:(?!:)\s*([\w.>-]{1,60}?)\s*\)/,
};
const CHANGES: Readonly<Record<string, string>> = {
  java: "\\.(?:remove|add|addAll|removeAll|removeIf|clear|put)\\(",
  cpp: "(?:\\.|->)(?:erase|push_back|emplace_back|insert|emplace|clear|pop_back)\\(",
};

/** A longer loop isn't searched. */
const MAX_CHARS = 6_000;

function changeIn(loop: SyntaxNode, language: string): { line: number; name: string } | null {
  const { start, end } = loop.range();
  const body = loop.field("body");
  if (body === null || end.index - start.index > MAX_CHARS) return null;
  const name = HEADS[language]?.exec(loop.text().slice(0, 300))?.[1];
  if (name === undefined) return null;
  const text = body.text();
  const found = new RegExp(
    `^[ \\t{]*${escapePattern(name)}${CHANGES[language] ?? ""}[^\\n]{0,200}\\);`,
    "m",
  ).exec(text);
  if (found === null) return null;
  // Leaving the loop right after the change is safe.
  if (/^\s*(?:break|return|throw)\b/.test(text.slice(found.index + found[0].length))) return null;
  return { line: body.range().start.line + 1 + text.slice(0, found.index).split("\n").length - 1, name };
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const kind = LOOPS[language];
  // Such collections can be changed during a loop, and their type isn't known here.
  if (kind === undefined || /CopyOnWrite|Concurrent(?!Modification)/.test(root.text())) return;
  for (const loop of root.findAll({ rule: { kind } })) {
    const change = changeIn(loop, language);
    if (change === null) continue;
    yield {
      line: change.line,
      also: [linesOf(loop).line],
      title: `Collection changed in its own loop: ${nameOr(change.name, "it")} is changed while iterating`,
      detail: `The loop starts on line ${linesOf(loop).line}.`,
    };
  }
}

/** `for (auto it = c.begin(); it != c.end(); ++it)` with `c.erase(it)` and no new value for the iterator. */
function* erasedIterators(root: SyntaxNode): Iterable<RuleMatch> {
  for (const loop of root.findAll({ rule: { kind: "for_statement" } })) {
    const { start, end } = loop.range();
    const body = loop.field("body");
    if (body === null || end.index - start.index > MAX_CHARS) continue;
    const head = loop.text().slice(0, body.range().start.index - start.index);
    const [, iterator = "", name = ""] =
      /^for\s*\([^=;]{1,80}?\b(\w+)\s*=\s*([\w.>-]{1,60}?)(?:\.|->)c?begin\(\)\s*;[^;]{1,120};\s*(?:\+\+\s*\w+|\w+\+\+)\s*\)\s*$/.exec(
        head,
      ) ?? [];
    if (iterator === "") continue;
    const text = body.text();
    const found = new RegExp(
      `^[ \\t{]*(?:if\\s*\\([^\\n]{1,120}\\)\\s*)?${escapePattern(name)}(?:\\.|->)erase\\(\\s*${iterator}\\s*\\);`,
      "m",
    ).exec(text);
    if (found === null || /^\s*(?:break|return|throw)\b/.test(text.slice(found.index + found[0].length)))
      continue;
    const line = body.range().start.line + text.slice(0, found.index).split("\n").length;
    yield {
      line,
      also: [linesOf(loop).line],
      title: `Invalid iterator: ${nameOr(iterator, "it")} is used after \`erase\``,
    };
  }
}

export const collectionChangedInLoop: TreeRule = {
  kind: "tree",
  id: "collection-changed-in-loop",
  title: "Collection changed in its own loop",
  severity: "must-fix",
  category: "correctness",
  why: "The change makes the loop's iterator invalid: Java throws on the next step, and C++ reads freed memory.",
  fix: "Collect the changes and apply them after the loop, or use `removeIf` or the iterator's own method.",
  languages: ["java", "cpp"],
  trigger:
    /(?:\.|->)(?:remove|add|addAll|removeAll|removeIf|clear|put|erase|push_back|emplace_back|insert|emplace|pop_back)\(/,
  *check(root, { language }) {
    yield* check(root, language);
    if (language === "cpp") yield* erasedIterators(root);
  },
};
