/** `new Promise` whose function never calls `resolve`. */
import { callsIn } from "../syntax/calls.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(text);
}

export const jsPromiseNeverSettles: TreeRule = {
  kind: "tree",
  id: "js-promise-never-settles",
  title: "Promise never resolved: code that awaits it waits forever",
  severity: "must-fix",
  category: "correctness",
  why: "The function of the promise takes `resolve` and never uses it.",
  fix: "Call `resolve` when the work is done and `reject` when it fails.",
  languages: ["javascript", "typescript", "tsx"],
  inTests: false,
  trigger: /\bnew\s+Promise\b|\bresolve\b/,
  *check(root, { language }): Iterable<RuleMatch> {
    for (const { node, args } of callsIn(root, language, (name) => name === "Promise")) {
      const [executor] = args;
      if (node.kind() !== "new_expression" || executor === undefined) continue;
      const body = executor.field("body");
      const parameters = (executor.field("parameters") ?? executor.field("parameter"))?.text() ?? "";
      const names = [...parameters.matchAll(/[A-Za-z_$][\w$]*/g)].map(([name]) => name);
      const [resolve, reject] = names;
      // A name that starts with an underscore, and an empty body, say that it never ends.
      if (body === null || resolve === undefined || resolve.startsWith("_") || /[:<]/.test(parameters))
        continue;
      const text = body.text();
      if (!/\w\(/.test(text) || mentions(text, resolve) || (reject !== undefined && mentions(text, reject)))
        continue;
      yield { line: linesOf(node).line };
    }
  },
  examples: {
    bad: [
      bad(
        "a.js",
        2,
        "export function wait(ms) {\n  return new Promise((resolve) => {\n    setTimeout(() => log('done'), ms);\n  });\n}\n",
      ),
      bad(
        "b.ts",
        1,
        "export const load = () => new Promise((resolve, reject) => { read(path, (error, data) => { console.log(data); }); });\n",
      ),
    ],
    good: [
      good("a.js", "export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));\n"),
      good(
        "b.js",
        "export const never = new Promise(() => {});\nexport const fail = (e) => new Promise((resolve, reject) => reject(e));\n",
      ),
      good("c.js", "export const pending = new Promise((_resolve) => { hold(); });\n"),
    ],
  },
};
