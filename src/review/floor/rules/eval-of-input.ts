/** Untrusted input that is evaluated as code. Evaluating the program's own text is ignored: tools have reasons for it. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { type Call, callsIn } from "../syntax/calls.ts";
import { piecesOf } from "../syntax/built-text.ts";
import { type FileFacts, factsOf } from "../file-facts.ts";
import { isKnownValue } from "../syntax/known-value.ts";
import { isFromOutside } from "../syntax/outside-input.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const JAVASCRIPT = /^(?:javascript|typescript|tsx)$/;

/** The expression that a call evaluates as code, or null. */
function codeOf(call: Call, language: string): SyntaxNode | null {
  const first = call.args[0] ?? null;
  if (JAVASCRIPT.test(language)) {
    if (call.name === "eval" && /^(?:|window|globalThis|global|self)$/.test(call.receiver)) return first;
    if (call.name === "Function" && call.receiver === "") return call.args.at(-1) ?? null;
    return /^runIn(?:New|This)?Context$/.test(call.name) && call.receiver.endsWith("vm") ? first : null;
  }
  if (language === "python") return /^(?:eval|exec)$/.test(call.name) && call.receiver === "" ? first : null;
  if (language === "php")
    return /^(?:eval|assert|create_function)$/.test(call.name) && call.receiver === ""
      ? (call.args.at(-1) ?? null)
      : null;
  return /^(?:eval|instance_eval|class_eval|module_eval)$/.test(call.name) ? first : null;
}

/** A timer that gets interpolated text compiles that text when it fires. */
function isTimerOfText(call: Call, facts: FileFacts): boolean {
  if (!JAVASCRIPT.test(facts.language) || !/^set(?:Timeout|Interval)$/.test(call.name)) return false;
  const first = call.args[0];
  if (first === undefined) return false;
  const pieces = piecesOf(first);
  const hasText = pieces.some((piece) => piece.kind === "text" && /\w\s*\(/.test(piece.text));
  return hasText && pieces.some((piece) => piece.kind === "hole" && !isKnownValue(piece.node, facts));
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const facts = factsOf(root, language);
  const wanted =
    /^(?:eval|Function|runIn\w*|exec|assert|create_function|instance_eval|class_eval|module_eval|setTimeout|setInterval)$/;
  for (const call of callsIn(root, language, (name) => wanted.test(name))) {
    const code = codeOf(call, language);
    const isRun = code !== null && isFromOutside(code, facts);
    if (isRun || isTimerOfText(call, facts)) yield { line: linesOf(call.node).line };
  }
}

export const evalOfInput: TreeRule = {
  kind: "tree",
  id: "eval-of-input",
  title: "Code injection: untrusted input is evaluated",
  severity: "critical",
  category: "security",
  why: "Anyone who controls the input can run arbitrary code with this program's privileges.",
  fix: "Parse the value (`JSON.parse`, `ast.literal_eval`, a table of allowed names) instead of evaluating it.",
  languages: ["javascript", "typescript", "tsx", "python", "ruby", "php"],
  inTests: false,
  trigger: /eval|exec|\bFunction\b|runIn|assert|create_function|setTimeout|setInterval/,
  check: (root, file) => check(root, file.language),
  examples: {
    bad: [
      bad(
        "src/calc.ts",
        2,
        "export function calc(req: Request, res: Response) {\n  res.send(eval(req.query.expression));\n}\n",
      ),
      bad(
        "src/filter.js",
        3,
        'function filter(req, rows) {\n  const body = req.body.filter;\n  return rows.filter(new Function("row", body));\n}\n',
      ),
      bad("src/page.js", 1, "eval(location.hash.slice(1));\n"),
      bad("src/later.js", 2, 'function later(name) {\n  setTimeout("greet(\'" + name + "\')", 100);\n}\n'),
      bad("app/calc.py", 2, 'def calc(request):\n    return eval(request.GET["expression"])\n'),
      bad("app/calc.rb", 2, "def calc\n  eval(params[:expression])\nend\n"),
      bad("calc.php", 3, "<?php\n$code = $_POST['code'];\neval($code);\n"),
    ],
    good: [
      good("src/load.ts", 'export const load = eval("require")("node:fs");\n'),
      good("src/compile.ts", 'export const compile = (source: string) => new Function("data", source);\n'),
      good(
        "src/later.ts",
        "export function later(name: string) {\n  setTimeout(() => greet(name), 100);\n  setTimeout(greet.bind(null, name), delay + 5);\n}\n",
      ),
      good("app/repl.py", 'def run(source, scope):\n    exec(compile(source, "<console>", "exec"), scope)\n'),
      good("app/calc.py", 'def calc(request):\n    return ast.literal_eval(request.GET["expression"])\n'),
      good("app/dsl.rb", "def build(&block)\n  instance_eval(&block)\nend\n"),
    ],
  },
};
