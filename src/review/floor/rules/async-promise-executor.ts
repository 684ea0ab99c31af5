/** `new Promise(async …)`: errors thrown in the executor are lost. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { callsIn } from "../syntax/calls.ts";
import { bad, good, linesOf, type TreeRule } from "../rule.ts";

/** True when one try with a catch wraps the executor's body, so it handles its own errors. */
function handlesItself(executor: SyntaxNode): boolean {
  const body = executor.field("body");
  const statements = body?.namedChildren().filter((child) => child.kind() !== "comment") ?? [];
  const guarded = statements.find((statement) => statement.kind() === "try_statement");
  const rest = statements.filter((statement) => statement !== guarded);
  return (
    guarded?.field("handler") !== null &&
    guarded !== undefined &&
    !rest.some((statement) => /\bawait\b/.test(statement.text()))
  );
}

export const asyncPromiseExecutor: TreeRule = {
  kind: "tree",
  id: "async-promise-executor",
  title: "Promise executor is an async function",
  severity: "major",
  category: "correctness",
  why: "If the executor throws, the error rejects the executor's own promise, which nothing handles. The outer promise never settles and its callers hang.",
  fix: "Make the surrounding function async and await there, or use a plain executor and call `reject` on failure.",
  languages: ["javascript", "typescript", "tsx"],
  inTests: false,
  trigger: /\bPromise\b/,
  *check(root, file) {
    for (const call of callsIn(root, file.language, (name) => name === "Promise")) {
      const executor = call.args[0];
      if (call.node.kind() !== "new_expression" || call.receiver !== "" || executor === undefined) continue;
      if (
        !/^(?:arrow_function|function_expression)$/.test(executor.kind()) ||
        !/^async\b/.test(executor.text())
      )
        continue;
      if (/\bawait\b/.test(executor.text()) && !handlesItself(executor))
        yield { line: linesOf(call.node).line };
    }
  },
  examples: {
    bad: [
      bad(
        "src/load.ts",
        2,
        "export function load(url: string) {\n  return new Promise(async (resolve) => {\n    const answer = await fetch(url);\n    resolve(await answer.json());\n  });\n}\n",
      ),
      bad(
        "src/load.js",
        2,
        "function load(url) {\n  return new Promise(async function (resolve, reject) {\n    resolve(await fetch(url));\n  });\n}\n",
      ),
    ],
    good: [
      good(
        "src/wait.ts",
        "export const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));\n",
      ),
      good(
        "src/guarded.ts",
        "export function load(url: string) {\n  return new Promise(async (resolve, reject) => {\n    try {\n      resolve(await fetch(url));\n    } catch (error) {\n      reject(error);\n    }\n  });\n}\n",
      ),
      good(
        "src/inner.ts",
        "export const run = () => new Promise<void>((resolve) => queue.add(async () => resolve(await work())));\n",
      ),
    ],
  },
};
