/**
 * Array methods that don't wait for an async callback: `forEach` inside an async function, and methods whose callback decides.
 * `forEach` in code that awaits nothing may be meant to run in the background and is ignored.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { type Call, callsIn } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import type { RuleMatch, TreeRule } from "../rule.ts";

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
      /(?<![\w$.])([A-Za-z_$][\w$]*)(?:\.(?:push|add|set|unshift)\(|\+\+|--|\s*(?:[-+]=|=(?![=>]))|\[[^\]\n]{1,80}\]\s*=(?![=>]))/g,
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

/** Array methods whose callback decides: the promise of an async one is always true. */
const DECIDING: ReadonlySet<string> = new Set(["filter", "some", "every", "find", "findIndex"]);
/** Libraries and streams whose methods of these names wait for their callbacks. */
const WAITING_RECEIVER =
  /^(?:Promise|Bluebird|async|P|_|R|Rx\w*)$|[Ss]tream|\$$|pipe\(|Readable|Iterator|from\(/;

function decides({ node, name, receiver, args }: Call): boolean {
  const [callback] = args;
  if (!DECIDING.has(name) || args.length > 2 || WAITING_RECEIVER.test(receiver)) return false;
  return isAsyncFunction(callback) && node.parent()?.kind() !== "await_expression";
}

export const jsArrayCallbackAsync: TreeRule = {
  kind: "tree",
  id: "js-array-callback-async",
  title: "Lost async callback: `forEach` doesn't wait for it",
  severity: "major",
  category: "correctness",
  why: "The code continues before any callback has finished, so it reads incomplete results. An error in a callback becomes an unhandled rejection.",
  fix: "Use `for (const item of items)` with `await`, or `await Promise.all(items.map(async …))`.",
  languages: ["javascript", "typescript", "tsx"],
  inTests: true,
  trigger: /\.(?:forEach|filter|some|every|find|findIndex)\(\s*async\b/,
  *check(root, file): Iterable<RuleMatch> {
    for (const call of callsIn(root, file.language, (name) => name === "forEach" || DECIDING.has(name))) {
      const { node, name, args } = call;
      const [callback] = args;
      const line = (callback ?? node).range().start.line + 1;
      if (decides(call))
        yield {
          line,
          title: `Constant result: \`${name}\` gets promises, which are always true`,
          detail: `\`${name}\` doesn't await them.`,
        };
      if (name !== "forEach" || callback === undefined || !isAsyncFunction(callback)) continue;
      const statement = node.parent();
      if (statement?.kind() !== "expression_statement" || !/\bawait\b/.test(callback.text())) continue;
      if (!isAsyncFunction(functionAround(node))) continue;
      const after = textAfter(statement);
      const used = filledNames(callback).find((each) =>
        new RegExp(`(?<![\\w$.])${escaped(each)}(?![\\w$])`).test(after),
      );
      if (used !== undefined)
        yield { line, detail: `\`${used}\` is read below while the callbacks are still filling it.` };
      else if (!/\bcatch\b/.test(callback.text())) yield { line, severity: "medium" };
    }
  },
};
