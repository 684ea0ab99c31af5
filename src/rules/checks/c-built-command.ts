/** Shell commands and SQL that C and C++ build from strings: `sprintf(cmd, "tar %s", name); system(cmd);`. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Functions that run a text, with the position of that text. */
const RUNNERS: ReadonlyMap<string, { readonly at: number; readonly runs: "shell" | "SQL" }> = new Map([
  ["system", { at: 0, runs: "shell" }],
  ["popen", { at: 0, runs: "shell" }],
  ["_popen", { at: 0, runs: "shell" }],
  ["WinExec", { at: 0, runs: "shell" }],
  ["sqlite3_exec", { at: 1, runs: "SQL" }],
  ["sqlite3_prepare", { at: 1, runs: "SQL" }],
  ["sqlite3_prepare_v2", { at: 1, runs: "SQL" }],
  ["mysql_query", { at: 1, runs: "SQL" }],
  ["mysql_real_query", { at: 1, runs: "SQL" }],
  ["PQexec", { at: 1, runs: "SQL" }],
  ["executeQuery", { at: 0, runs: "SQL" }],
  ["exec", { at: 0, runs: "SQL" }],
  ["exec0", { at: 0, runs: "SQL" }],
  ["exec1", { at: 0, runs: "SQL" }],
]);

/** A longer function isn't read: patterns would confuse its texts. */
const MAX_FUNCTION_CHARS = 20_000;

const CLEANED = /escape|quote|sanitiz|%q\b|%Q\b|PQprepare|bind_text/i;

/** A value that the program chose: a literal, a number, a constant. */
const CHOSEN = /^(?:L?"|'|-?\d|[A-Z][A-Z0-9_]{2,}$|std::to_string\b|sizeof\b)/;

/** Where text from outside enters a C or C++ program. */
const OUTSIDE =
  /\bargv\s*\[|\bgetenv\s*\(|\b(?:fgets|gets|scanf|fscanf|recv|recvfrom|getline|fread)\s*\(|\bstd::cin\b|\breq(?:uest)?\w*\s*(?:\.|->)|\bquery_string\b|\bget_param|\bparams?\s*(?:\[|\.|->)/i;

type Built = { readonly value: string };

/** The first value that was put into the text called `name` before the call. */
function builtFrom(name: string, before: string, runs: "shell" | "SQL"): Built | null {
  const target = name.replaceAll(/[^\w]/g, "");
  if (target === "") return null;
  const printed = new RegExp(
    `\\b(?:v?s?n?printf|sprintf_s|wsprintf\\w?)\\s*\\(\\s*&?${target}\\s*,([^;]{1,600})\\)\\s*;`,
    "g",
  );
  for (const [, rest = ""] of before.matchAll(printed)) {
    const value = printedValue(rest, runs);
    if (value !== null) return { value };
  }
  const joined = new RegExp(
    `\\bstrn?cat\\s*\\(\\s*${target}\\s*,\\s*([^;,)]{1,100})|\\b${target}(?:\\.append\\s*\\(|\\s*\\+=|\\s*<<)\\s*([^;]{1,300})|\\b${target}\\s*=\\s*([^;]{1,300}\\+[^;]{1,300});`,
    "g",
  );
  for (const [, cat, append, sum] of before.matchAll(joined)) {
    const parts = (cat ?? append ?? sum ?? "")
      .split(/\+|<</)
      .map((part) => part.trim().replace(/^std::string\s*\(/, ""));
    const value = parts.find((part) => /^[A-Za-z_]/.test(part) && !CHOSEN.test(part));
    if (value !== undefined) return { value };
  }
  return null;
}

/** The value of the first `%s` of a format, unless the program chose it. */
function printedValue(rest: string, runs: "shell" | "SQL"): string | null {
  const format = /"(?:[^"\\\n]|\\.){0,400}"/.exec(rest);
  if (format === null) return null;
  const verbs = [...format[0].matchAll(/%[-+ #0]{0,3}[\d*.]{0,6}(?:hh?|ll?|z|j)?([a-zA-Z%])/g)]
    .map((found) => found[1] ?? "")
    .filter((verb) => verb !== "%");
  const values = rest
    .slice(format.index + format[0].length)
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
  const isStatement = /\b(?:select|insert|update|delete|replace)\b/i.test(format[0]);
  if (runs === "SQL" && !isStatement) return null;
  return values.find((value, index) => verbs[index] === "s" && !CHOSEN.test(value)) ?? null;
}

/** The name of the text that a call runs: `cmd`, or the one behind `cmd.c_str()`. */
function nameOf(argument: SyntaxNode): string | null {
  return /^&?(\w{1,60})(?:\.(?:c_str|data|str)\(\)){0,2}$/.exec(argument.text())?.[1] ?? null;
}

export const cBuiltCommand: TreeRule = {
  kind: "tree",
  id: "c-built-command",
  title: "Possible injection: a command or statement is built from strings",
  severity: "major",
  category: "security",
  why: "A value with a quote, a semicolon or a backtick ends the intended text and adds its own.",
  fix: "For a program, call `execv` or `posix_spawn` with separate arguments. For SQL, prepare the statement and bind the values.",
  confidence: 0.9,
  languages: ["c", "cpp"],
  trigger:
    /\b(?:system|_?popen|WinExec|sqlite3_(?:exec|prepare\w*)|mysql_(?:real_)?query|PQexec|executeQuery|exec[01]?)\s*\(/,
  *check(root): Iterable<RuleMatch> {
    for (const call of root.findAll({ rule: { kind: "call_expression" } })) {
      const callee = call.field("function")?.text() ?? "";
      const runner = RUNNERS.get(/\w+$/.exec(callee)?.[0] ?? "");
      const argument = runner === undefined ? undefined : call.field("arguments")?.namedChildren()[runner.at];
      if (runner === undefined || argument === undefined) continue;
      const scope = nearestAncestor(call, (node) => node.kind() === "function_definition");
      const text = scope?.text() ?? "";
      if (scope === null || text.length > MAX_FUNCTION_CHARS || CLEANED.test(text)) continue;
      const before = text.slice(0, call.range().start.index - scope.range().start.index);
      const name = nameOf(argument);
      const built =
        name === null
          ? builtFrom(
              "inline",
              `inline = ${argument.text().replaceAll(/^\(|\)\.c_str\(\)$/g, "")};`,
              runner.runs,
            )
          : builtFrom(name, before, runner.runs);
      if (built === null) continue;
      if (
        runner.runs === "SQL" &&
        !/\b(?:select|insert|update|delete|replace)\b/i.test(before + argument.text())
      )
        continue;
      const value = nameOr(built.value.replace(/\.c_str\(\)$/, ""), "a value");
      yield {
        line: call.range().start.line + 1,
        title: `Possible ${runner.runs === "shell" ? "command" : "SQL"} injection: ${value} is part of the ${runner.runs === "shell" ? "shell command" : "statement"}`,
        ...(OUTSIDE.test(text) && runner.runs === "shell" ? { severity: "must-fix" as const } : {}),
      };
    }
  },
};
