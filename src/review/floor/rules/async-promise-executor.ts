/** `new Promise(async …)`: an executor whose own failure nobody can see. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { callsIn } from "../syntax/calls.ts";
import { bad, good, linesOf, type TreeRule } from "../rule.ts";

/** An executor that is one big try with a catch deals with its own failures. */
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
  title: "The executor of a promise is an async function",
  severity: "major",
  category: "correctness",
  why: "An error thrown in it rejects a promise nobody holds: the outer one never settles and its caller waits for ever.",
  fix: "Make the surrounding function async and await there, or keep the executor plain and call `reject` on failure.",
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
