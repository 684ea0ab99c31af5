/** Names that don't exist, that hide one another, or that are never used. */
import { badPython, firstLine, goodPython, nameIn, type RuffRule } from "../ruff-rule.ts";

/** Built-in functions of Python 2, which code for both versions names, and names that tools define. */
const DEFINED_ELSEWHERE =
  /`(?:unicode|basestring|long|file|xrange|unichr|raw_input|cmp|execfile|reload|buffer|apply|intern|reduce|coerce|StandardError|WindowsError|_|ngettext|get_ipython|reveal_type|__path__|__class__)`/;

export const NAMES: readonly RuffRule[] = [
  {
    id: "F821",
    severity: "must-fix",
    category: "correctness",
    title: (message) =>
      `Undefined name: ${nameIn(message, "it")} isn't defined, so this line raises a NameError`,
    why: "No import, assignment, parameter or built-in has this name. Python notices only when the line runs.",
    fix: "Import or define the name, or correct its spelling.",
    reason: "Nearly every hit on real commits was a forgotten import or a misspelled variable.",
    isWanted: (found, lines) => {
      const name = /`(\w+)`/.exec(found.message)?.[1] ?? "";
      // A quoted annotation never runs.
      const isQuoted = new RegExp(`(?::|->|\\[)\\s*["'][^"']*\\b${name}\\b[^"']*["']`);
      return !DEFINED_ELSEWHERE.test(found.message) && !isQuoted.test(firstLine(found, lines));
    },
    examples: {
      bad: [
        badPython(2, 'def remove(path):\n    logger.info("removed %s", path)\n'),
        badPython(3, "def total(items):\n    result = sum(items)\n    return reslt\n"),
      ],
      good: [
        goodPython('import logging\n\nlogger = logging.getLogger(__name__)\n\nlogger.info("x")\n'),
        goodPython(
          "def text(value):\n    try:\n        return unicode(value)\n    except NameError:\n        return str(value)\n",
        ),
        goodPython('def first(items: "Items") -> "Item":\n    return items[0]\n'),
      ],
    },
  },
  {
    id: "F823",
    severity: "must-fix",
    category: "correctness",
    title: (message) => `Unassigned variable: ${nameIn(message, "it")} is read before it's assigned`,
    why: "An assignment later in the function makes the name local to the whole function, so reading it earlier raises an UnboundLocalError.",
    fix: "Use another name for the local variable, or declare the name `global` if the function should change it.",
    reason: "Python fails here every time the line runs.",
    examples: {
      bad: [
        badPython(
          4,
          "limit = 10\n\ndef raise_limit():\n    print(limit)\n    limit = 20\n    return limit\n",
        ),
      ],
      good: [
        goodPython("limit = 10\n\ndef raise_limit():\n    global limit\n    print(limit)\n    limit = 20\n"),
      ],
    },
  },
  {
    id: "PLE0118",
    severity: "must-fix",
    category: "correctness",
    title: (message) => `Late \`global\`: ${nameIn(message, "a name")} is used before its declaration`,
    why: "Python rejects the whole file with a SyntaxError.",
    fix: "Move the `global` declaration to the start of the function.",
    reason: "The file can't be imported.",
    examples: {
      bad: [
        badPython(4, "count = 1\n\ndef increase():\n    print(count)\n    global count\n    count += 1\n"),
      ],
      good: [goodPython("count = 1\n\ndef increase():\n    global count\n    count += 1\n")],
    },
  },
  {
    id: "F822",
    severity: "medium",
    category: "correctness",
    title: (message) =>
      `Undefined export: \`__all__\` lists ${nameIn(message, "a name")}, which isn't defined`,
    why: "`from module import *` raises an AttributeError.",
    fix: "Define or import the name, or remove it from `__all__`.",
    reason: "It's left over from a rename or a removed function.",
    // A module with its own `__getattr__` provides names when they are asked for.
    isWanted: (_, lines) => !lines.some((line) => line.startsWith("def __getattr__")),
    examples: {
      bad: [badPython(1, '__all__ = ["load", "store"]\n\ndef load():\n    return 1\n')],
      good: [
        goodPython('__all__ = ["load"]\n\ndef load():\n    return 1\n'),
        goodPython('__all__ = ["load"]\n\ndef __getattr__(name):\n    return name\n'),
      ],
    },
  },
  {
    id: "F811",
    severity: "major",
    category: "correctness",
    title: (message) =>
      `Redefinition: ${nameIn(message, "it")} replaces an earlier definition that was never used`,
    why: "Only the last definition of a name exists. The earlier one is dead code, and an earlier test never runs.",
    fix: "Rename one of the two, or remove the one that isn't needed.",
    reason: "Copied functions and tests often keep their old name.",
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
    examples: {
      bad: [
        badPython(
          5,
          "class Cart:\n    def total(self):\n        return 1\n\n    def total(self):\n        return 2\n",
        ),
        {
          path: "tests/test_cart.py",
          line: 4,
          text: "def test_total():\n    assert 1\n\ndef test_total():\n    assert 2\n",
        },
      ],
      good: [
        goodPython("import json\n\ndef load():\n    import json\n    return json\n"),
        goodPython("@route('/a')\ndef show():\n    return 1\n\n@route('/b')\ndef show():\n    return 2\n"),
        goodPython(
          "try:\n    from fast import load\nexcept ImportError:\n    def load():\n        return 1\n",
        ),
      ],
    },
  },
  {
    id: "F402",
    severity: "medium",
    category: "correctness",
    title: (message) => `Hidden import: the loop variable ${nameIn(message, "here")} has the same name`,
    why: "After the loop the name refers to the last element, so later uses of the module fail.",
    fix: "Rename the loop variable.",
    reason: "The import is lost for the rest of the scope.",
    examples: {
      bad: [badPython(3, "import path\n\nfor path in [1, 2]:\n    print(path)\n")],
      good: [goodPython("import path\n\nfor each in [1, 2]:\n    print(path, each)\n")],
    },
  },
  {
    id: "F841",
    severity: "minor",
    category: "maintainability",
    title: (message) => `Unused variable: ${nameIn(message, "it")} is assigned but never used`,
    why: "The value is computed and thrown away, which often means that another name was used by mistake.",
    fix: "Use the variable, or remove the assignment and keep the call if its effect is needed.",
    reason: "An unused result is a frequent sign of an unfinished or mistaken edit.",
    inTests: false,
    isWanted: (found, lines) =>
      !/`(?:dummy|unused|ignored|junk|_\w*)`/.test(found.message) &&
      // An exception or a resource is often named without being needed.
      !/^\s*(?:except|with|async with)\b/.test(firstLine(found, lines)) &&
      // The statement tests whether it raises.
      !/^\s*try:/.test(lines[found.line - 2] ?? "") &&
      // Code in a text can use the variable.
      !lines.some((line) => /\b(?:exec|eval|locals)\(/.test(line)),
    examples: {
      bad: [badPython(2, "def total(items):\n    result = sum(items)\n    return 0\n")],
      good: [
        goodPython(
          "def check(items):\n    try:\n        first = items[0]\n        return True\n    except IndexError:\n        return False\n",
        ),
        goodPython("def store(path, data):\n    text = str(data)\n    exec(path + ' = text')\n"),
        goodPython("def total(items):\n    result = sum(items)\n    return result\n"),
        goodPython(
          "def load(read):\n    try:\n        return read()\n    except OSError as error:\n        return None\n",
        ),
      ],
    },
  },
  {
    id: "PLW0127",
    severity: "medium",
    category: "correctness",
    title: (message) => `Self-assignment: ${nameIn(message, "a variable")} is assigned to itself`,
    why: "The statement does nothing. Usually one side should be another name or an attribute.",
    fix: "Correct the side that is wrong, or remove the statement.",
    reason: "A misspelled `self.name = name` or a leftover of a rename.",
    // `unicode = unicode` under `try` tests for Python 2.
    isWanted: (found, lines) =>
      !DEFINED_ELSEWHERE.test(found.message) && !/^\s*try:/.test(lines[found.line - 2] ?? ""),
    examples: {
      bad: [badPython(2, "def rename(name):\n    name = name\n    return name\n")],
      good: [goodPython("def rename(self, name):\n    self.name = name\n")],
    },
  },
];
