/** A local number or pointer that is read before it has a value. Only the first mention after the declaration is judged. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const TYPE =
  /^(?:const\s+)?(?:(?:unsigned|signed|long|short)\s+)*(?:int|long|short|char|float|double|size_t|ssize_t|bool|u?int(?:8|16|32|64)_t|unsigned|time_t)\s+([\w\s,]{1,120});$/;

/** A longer block isn't searched. */
const MAX_CHARS = 8_000;

/** The offset of a read that certainly comes first, or null. */
function readOf(rest: string, name: string): number | null {
  const found = new RegExp(`(?<![\\w.>"'])${name}(?!\\w)`).exec(rest);
  if (found === null) return null;
  const before = rest.slice(0, found.index);
  const after = rest.slice(found.index + name.length);
  // A label, a macro or a directive can give it a value on another way here.
  if (/^\s*#|^\s*\w+:\s*$|\bgoto\b|\basm\b/m.test(before)) return null;
  if (/^\s*(?:\+=|-=|\*=|\|=|&=|\^=|\+\+|--)/.test(after) || /(?:\+\+|--)\s*$/.test(before))
    return found.index;
  return /\breturn\s*$/.test(before) && /^\s*;/.test(after) ? found.index : null;
}

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  for (const node of root.findAll({ rule: { kind: "declaration" } })) {
    const { start, end } = node.range();
    if (end.index - start.index > 160) continue;
    const names =
      TYPE.exec(node.text())?.[1]
        ?.split(",")
        .map((name) => name.trim()) ?? [];
    const block = nearestAncestor(node, () => true);
    if (names.length === 0 || block?.kind() !== "compound_statement") continue;
    const { start: from, end: until } = block.range();
    if (until.index - from.index > MAX_CHARS) continue;
    const rest = withoutComments(block.text().slice(end.index - from.index));
    for (const name of names) {
      if (!/^\w+$/.test(name)) continue;
      const at = readOf(rest, name);
      if (at === null) continue;
      const line = end.line + 1 + rest.slice(0, at).split("\n").length - 1;
      yield {
        line,
        also: [start.line + 1],
        missingIn: { line: start.line + 1, endLine: line },
        title: `Uninitialized variable: ${nameOr(name, "it")} is read before it has a value`,
        detail: `Line ${start.line + 1} declares it without one.`,
      };
    }
  }
}

/** Blanks comments and texts, and keeps every line and column. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"/g, (part) =>
    part.replaceAll(/[^\n]/g, " "),
  );
}

export const cUninitialized: TreeRule = {
  kind: "tree",
  id: "c-uninitialized",
  title: "Uninitialized variable: it is read before it has a value",
  severity: "must-fix",
  category: "correctness",
  why: "A local variable without an initial value holds whatever was in memory, so the result is random.",
  fix: "Initialize it in its declaration, for example `int sum = 0;`.",
  languages: ["c", "cpp"],
  inTests: false,
  afterRemoval: true,
  trigger:
    /[-+*|&^]=|\+\+|--|\breturn\s+\w+\s*;|^\s*(?:unsigned|signed|int|long|short|char|float|double|size_t|bool)\s+\w+\s*;/m,
  check,
  examples: {
    bad: [
      bad(
        "src/sum.c",
        4,
        "int sum(int *all, int n) {\n  int total;\n  for (int i = 0; i < n; i++)\n    total += all[i];\n  return total;\n}\n",
      ),
      bad("src/count.cpp", 3, "int count() {\n  int n;\n  return n;\n}\n"),
    ],
    good: [
      good(
        "src/sum.c",
        "int sum(int *all, int n) {\n  int total, i;\n  total = 0;\n  for (i = 0; i < n; i++)\n    total += all[i];\n  return total;\n}\n",
      ),
      good(
        "src/read.c",
        "int read_it(void) {\n  int n;\n  /* n++ */\n  if (parse(&n) != 0) return 1;\n  n++;\n  return n;\n}\n",
      ),
      good("src/static.c", "int next(void) {\n  static int n;\n  n++;\n  return n;\n}\n"),
    ],
  },
};
