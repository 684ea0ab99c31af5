/**
 * `forEach` with an async callback, where later code uses the callbacks' results. A last statement, or one in code that
 * awaits nothing, may be meant to run in the background and is ignored.
 */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { callsIn } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

function isAsyncFunction(node: SyntaxNode | null | undefined): boolean {
  if (node === null || node === undefined) return false;
  return (
    /^(?:arrow_function|function_expression|function_declaration|method_definition)$/.test(node.kind()) &&
    node.children().some((child) => child.kind() === "async")
  );
}

/** A few patterns can't keep the names of a longer callback apart. */
const MAX_CALLBACK_CHARS = 4_000;

/** Outer variables that the callback fills: `rows.push(…)`, `total += …`, `byId[id] = …`. */
function filledNames(callback: SyntaxNode): readonly string[] {
  const body = callback.field("body")?.text() ?? "";
  if (body.length > MAX_CALLBACK_CHARS) return [];
  const names = [
    ...body.matchAll(
      /(?<![\w$.])([A-Za-z_$][\w$]*)(?:\.(?:push|add|set|unshift)\(|\s*(?:\+=|=(?![=>]))|\[[^\]\n]{1,80}\]\s*=(?![=>]))/g,
    ),
  ].map((found) => found[1] ?? "");
  return [...new Set(names)].filter(
    (name) =>
      !new RegExp(`\\b(?:const|let|var)\\s+(?:\\{[^}]{0,200}\\b)?${escaped(name)}\\b`).test(body) &&
      !new RegExp(`\\b${escaped(name)}\\b`).test(
        callback.field("parameters")?.text() ?? callback.field("parameter")?.text() ?? "",
      ),
  );
}

function escaped(name: string): string {
  return name.replaceAll("$", "\\$");
}

/** Text after a statement in its block. */
function textAfter(statement: SyntaxNode): string {
  let text = "";
  for (let next = statement.next(); next !== null; next = next.next()) text += `${next.text()}\n`;
  return text;
}

export const jsArrayCallbackAsync: TreeRule = {
  kind: "tree",
  id: "js-array-callback-async",
  title: "`forEach` doesn't wait for its async callback",
  severity: "major",
  category: "correctness",
  why: "The code continues before any callback has finished, so it reads incomplete results. An error in a callback becomes an unhandled rejection.",
  fix: "Use `for (const item of items)` with `await`, or `await Promise.all(items.map(async …))`.",
  languages: ["javascript", "typescript", "tsx"],
  inTests: true,
  trigger: /\.forEach\(\s*async\b/,
  *check(root, file): Iterable<RuleMatch> {
    for (const { node, args } of callsIn(root, file.language, (name) => name === "forEach")) {
      const [callback] = args;
      if (callback === undefined || !isAsyncFunction(callback)) continue;
      const statement = node.parent();
      if (statement?.kind() !== "expression_statement" || !/\bawait\b/.test(callback.text())) continue;
      if (!isAsyncFunction(functionAround(node))) continue;
      const after = textAfter(statement);
      const used = filledNames(callback).find((name) =>
        new RegExp(`(?<![\\w$.])${escaped(name)}(?![\\w$])`).test(after),
      );
      if (used === undefined) continue;
      const { start } = callback.range();
      yield {
        line: start.line + 1,
        detail: `\`${used}\` is read below while the callbacks are still filling it.`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "src/load.ts",
        3,
        "async function load(ids: string[]) {\n  const rows: Row[] = [];\n  ids.forEach(async (id) => {\n    rows.push(await fetchRow(id));\n  });\n  return rows;\n}\n",
      ),
      bad(
        "src/load.js",
        3,
        "const load = async (ids) => {\n  let total = 0;\n  ids.forEach(async function (id) {\n    total += await count(id);\n  });\n  console.log(total);\n};\n",
      ),
    ],
    good: [
      good(
        "src/load.ts",
        "async function load(ids: string[]) {\n  const rows: Row[] = [];\n  for (const id of ids) rows.push(await fetchRow(id));\n  return rows;\n}\n",
      ),
      good(
        "src/load.ts",
        "async function warm(ids: string[]) {\n  ids.forEach(async (id) => {\n    await cache.warm(id);\n  });\n}\n",
      ),
      good(
        "src/load.ts",
        "async function load(ids: string[]) {\n  const rows = await Promise.all(ids.map(async (id) => fetchRow(id)));\n  rows.forEach((row) => console.log(row));\n  return rows;\n}\n",
      ),
      good(
        "src/load.ts",
        "async function send(list: Item[]) {\n  list.forEach(async (item) => {\n    const row = await load(item);\n    await post(row);\n  });\n  return list;\n}\n",
      ),
    ],
  },
};
