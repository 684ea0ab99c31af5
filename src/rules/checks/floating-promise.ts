/**
 * A call inside an async function whose promise is dropped: to an async function of the same file, to an imported function that the
 * file awaits elsewhere, or to Node's file functions. Functions that handle their own errors or are meant to run in the
 * background are ignored.
 */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { asyncFunctions, awaitedImports, isShadowed } from "../syntax/async-functions.ts";
import { asCall, type Call } from "../syntax/calls.ts";
import { factsOf } from "../file-facts.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Work that is deliberately started and not awaited. */
const BACKGROUND_NAME =
  /^(?:main|handle|on|run|start|loop|poll|schedule|watch|listen|serve|track|report|log|send(?:Telemetry|Metrics|Event)|prefetch|preload|warm|background|fire|trigger|boot|bootstrap|init|setup|notify|refresh|tick|keep)(?![a-z])|Background|Async$|Loop$|Later$/;

/** True when it awaits something and doesn't catch its errors. */
function canReject(made: SyntaxNode): boolean {
  const text = made.text();
  return (
    /\bawait\b/.test(text) &&
    !/\bcatch\b|\bwhile\s*\(\s*true\s*\)|\bfor\s*\(\s*;\s*;|\bfor await\b|\bsetTimeout\b/.test(text)
  );
}

function isExplained(statement: SyntaxNode): boolean {
  const after = statement.next();
  const isOnLine = after?.kind() === "comment" && after.range().start.line === statement.range().end.line;
  return isOnLine || statement.prev()?.kind() === "comment";
}

/** Node's file functions that return promises. */
const FILE_PROMISES = /^(?:fs\.promises|fsPromises|fsp)$/;
const WRITES =
  /^(?:writeFile|appendFile|mkdir|rename|copyFile|unlink|rm|rmdir|cp|chmod|chown|truncate|symlink)$/;

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const known = asyncFunctions(root);
  const awaited = awaitedImports(root);
  const facts = factsOf(root, language);
  const hasFilePromises = facts.holds(/["'](?:node:)?fs\/promises["']/);
  for (const statement of root.findAll({ rule: { kind: "expression_statement" } })) {
    const [expression] = statement.namedChildren();
    const call = expression?.kind() === "call_expression" ? asCall(expression) : null;
    if (call === null || isExplained(statement)) continue;
    const functions = facts.functionsAround(statement);
    const around = functions.at(-1);
    if (around === undefined || !/^(?:\w+\s+)*async\b/.test(around.text().slice(0, 80))) continue;
    const isFloating =
      isFilePromise(call, hasFilePromises) ||
      (!BACKGROUND_NAME.test(call.name) &&
        !isShadowed(call.name, functions) &&
        (isOwnAsync(call, around, known) || (call.receiver === "" && awaited.has(call.name))));
    if (!isFloating) continue;
    yield {
      line: linesOf(statement).line,
      title: `Floating promise: ${nameOr(call.name, "a call")} is never awaited or handled`,
    };
  }
}

function isFilePromise({ receiver, name }: Call, hasFilePromises: boolean): boolean {
  return (
    WRITES.test(name) && (FILE_PROMISES.test(receiver) || (hasFilePromises && /^(?:|fs)$/.test(receiver)))
  );
}

/** A recursive call continues the function's own work. */
function isOwnAsync(
  { receiver, name }: Call,
  around: SyntaxNode,
  known: ReadonlyMap<string, SyntaxNode>,
): boolean {
  if (!/^(?:|this)$/.test(receiver)) return false;
  const made = known.get(receiver === "this" ? `this.${name}` : name);
  if (made === undefined) return false;
  const isInside =
    around.range().start.index >= made.range().start.index &&
    around.range().end.index <= made.range().end.index;
  return !isInside && canReject(made);
}

export const floatingPromise: TreeRule = {
  kind: "tree",
  id: "floating-promise",
  title: "Floating promise: a call is never awaited or handled",
  severity: "major",
  category: "correctness",
  why: "The code continues before the async call finishes. If the call fails, the rejection is unhandled, which crashes a Node.js process.",
  fix: "Add `await`, or use `void` with a `.catch` if the call is meant to run in the background.",
  confidence: 0.9,
  languages: ["javascript", "typescript", "tsx"],
  trigger: /^[ \t]*(?:[\w$]+\.){0,2}[\w$]+\(/m,
  check: (root, file) => check(root, file.language),
};
