/** Names that don't exist, that hide one another, or that are never used. */
import { firstLine, nameIn, type RuffRule } from "../ruff-rule.ts";

/** Built-in functions of Python 2, which code for both versions names, and names that tools define. */
const DEFINED_ELSEWHERE =
  /`(?:unicode|basestring|long|file|xrange|unichr|raw_input|cmp|execfile|reload|buffer|apply|intern|reduce|coerce|StandardError|WindowsError|_|ngettext|get_ipython|reveal_type|__path__|__class__)`/;

const STRING = /(?<!\w)([A-Za-z]{0,2})(["'])(?:\\.|(?!\2)[^\\])*(?:\2|$)/g;
/** Python doesn't evaluate annotations of such a file. */
const LATE_ANNOTATIONS = /^from __future__ import .*\bannotations\b/;
/** Of parameters, variables and results. */
const ANNOTATION = /(?:->|(?<=\w\s?):)[^=,:]+/g;

/** Whether the name is in code that runs: quoted types, comments and, where Python leaves them alone, annotations don't. */
function runs(name: string, line: string, lines: readonly string[]): boolean {
  const code = line
    // The text in the braces of an f-string runs.
    .replaceAll(STRING, (text, prefix: string) => (/[ft]/i.test(prefix) ? text : '""'))
    .replace(/#.*$/, "");
  const isLate = lines.some((each) => LATE_ANNOTATIONS.test(each));
  return new RegExp(`\\b${name}\\b`).test(isLate ? code.replaceAll(ANNOTATION, "") : code);
}

export const NAMES: readonly RuffRule[] = [
  {
    id: "F821",
    severity: "must-fix",
    category: "correctness",
    title: (message) =>
      `Undefined name: ${nameIn(message, "it")} isn't defined, so this line raises a NameError`,
    why: "No import, assignment, parameter or built-in has this name. Python notices only when the line runs.",
    fix: "Import or define the name, or correct its spelling.",
    isWanted: (found, lines) => {
      const name = /`(\w+)`/.exec(found.message)?.[1] ?? "";
      return !DEFINED_ELSEWHERE.test(found.message) && runs(name, firstLine(found, lines), lines);
    },
  },
  {
    id: "F823",
    severity: "must-fix",
    category: "correctness",
    title: (message) => `Unassigned variable: ${nameIn(message, "it")} is read before it's assigned`,
    why: "An assignment later in the function makes the name local to the whole function, so reading it earlier raises an UnboundLocalError.",
    fix: "Use another name for the local variable, or declare the name `global` if the function should change it.",
  },
  {
    id: "PLE0118",
    severity: "must-fix",
    proof: "unparsable",
    category: "correctness",
    title: (message) => `Late \`global\`: ${nameIn(message, "a name")} is used before its declaration`,
    why: "Python rejects the whole file with a SyntaxError.",
    fix: "Move the `global` declaration to the start of the function.",
  },
  {
    id: "F822",
    severity: "medium",
    category: "correctness",
    title: (message) =>
      `Undefined export: \`__all__\` lists ${nameIn(message, "a name")}, which isn't defined`,
    why: "`from module import *` raises an AttributeError.",
    fix: "Define or import the name, or remove it from `__all__`.",
    // A module with its own `__getattr__` provides names when they are asked for.
    isWanted: (_, lines) => !lines.some((line) => line.startsWith("def __getattr__")),
  },
  {
    id: "F811",
    severity: "major",
    category: "correctness",
    title: (message) =>
      `Redefinition: ${nameIn(message, "it")} replaces an earlier definition that was never used`,
    why: "Only the last definition of a name exists. The earlier one is dead code, and an earlier test never runs.",
    fix: "Rename one of the two, or remove the one that isn't needed.",
    isCertainAnywhere: true,
    isWanted: (found, lines) => {
      const earlier = Number(/from line (\d+)/.exec(found.message)?.[1] ?? 0);
      const isDefinition = (line: number): boolean =>
        /^\s*(?:async\s+)?(?:def|class)\s/.test(lines[line - 1] ?? "");
      // A decorator such as `@route` or `@app.errorhandler` can register both.
      const isDecorated = /^\s*(?:@|\))/.test(lines[found.line - 2] ?? "");
      const depth = (line: number): number => /^\s*/.exec(lines[line - 1] ?? "")?.[0].length ?? 0;
      return (
        isDefinition(found.line) &&
        isDefinition(earlier) &&
        !isDecorated &&
        depth(earlier) === depth(found.line)
      );
    },
  },
  {
    id: "F402",
    severity: "medium",
    category: "correctness",
    title: (message) => `Hidden import: the loop variable ${nameIn(message, "here")} has the same name`,
    why: "After the loop the name refers to the last element, so later uses of the module fail.",
    fix: "Rename the loop variable.",
  },
  {
    id: "F841",
    severity: "minor",
    category: "maintainability",
    title: (message) => `Unused variable: ${nameIn(message, "it")} is assigned but never used`,
    why: "The value is computed and thrown away, which often means that another name was used by mistake.",
    fix: "Use the variable, or remove the assignment and keep the call if its effect is needed.",
    inTests: false,
    isWanted: (found, lines) =>
      !/`(?:dummy|unused|ignored|junk|_\w*)`/.test(found.message) &&
      // An exception or a resource is often named without being needed.
      !/^\s*(?:except|with|async with)\b/.test(firstLine(found, lines)) &&
      // The statement tests whether it raises.
      !/^\s*try:/.test(lines[found.line - 2] ?? "") &&
      // Code in a text can use the variable.
      !lines.some((line) => /\b(?:exec|eval|locals)\(/.test(line)),
  },
  {
    id: "PLW0127",
    severity: "medium",
    category: "correctness",
    title: (message) => `Self-assignment: ${nameIn(message, "a variable")} is assigned to itself`,
    why: "The statement does nothing. Usually one side should be another name or an attribute.",
    fix: "Correct the side that is wrong, or remove the statement.",
    // `unicode = unicode` under `try` tests for Python 2.
    isWanted: (found, lines) =>
      !DEFINED_ELSEWHERE.test(found.message) && !/^\s*try:/.test(lines[found.line - 2] ?? ""),
  },
];
