/** Exceptions that aren't raised, aren't caught or are lost, and files that Python rejects. */
import { badPython, firstLine, goodPython, nameIn, type RuffRule } from "../ruff-rule.ts";

const SYNTAX = {
  severity: "must-fix",
  category: "correctness",
  why: "Python rejects the whole file with a SyntaxError.",
  reason: "The file can't be imported.",
} as const;

export const ERRORS: readonly RuffRule[] = [
  {
    ...SYNTAX,
    id: "invalid-syntax",
    title: "Syntax error: Python can't parse this file",
    fix: "Correct the syntax at this line or just above it.",
    reason: "The file can't be imported. Python 2 and templates are left out.",
    inTests: false,
    examples: {
      bad: [
        badPython(2, "def total(items:\n    return sum(items)\n"),
        badPython(2, "def total(items):\n    return sum(items))\n"),
      ],
      good: [
        goodPython("def total(items):\n    return sum(items)\n"),
        goodPython('def total(items):\n    print "total"\n'),
        goodPython(
          "def total(items):\n    try:\n        return sum(items)\n    except ValueError, e:\n        raise Error, e\n",
        ),
        goodPython("name = {{ cookiecutter.name }}\n"),
        { path: "app/link.py", text: "../shared/link.py" },
      ],
    },
  },
  {
    ...SYNTAX,
    id: "F701",
    title: "Syntax error: `break` outside a loop",
    fix: "Move it into the loop, or use `return`.",
    examples: {
      bad: [badPython(3, "def stop(x):\n    if x:\n        break\n")],
      good: [goodPython("def stop(items):\n    for item in items:\n        if item:\n            break\n")],
    },
  },
  {
    ...SYNTAX,
    id: "F702",
    title: "Syntax error: `continue` outside a loop",
    fix: "Move it into the loop, or use `return`.",
    examples: {
      bad: [badPython(3, "def skip(x):\n    if x:\n        continue\n")],
      good: [
        goodPython("def skip(items):\n    for item in items:\n        if item:\n            continue\n"),
      ],
    },
  },
  {
    ...SYNTAX,
    id: "F706",
    title: "Syntax error: `return` outside a function",
    fix: "Move it into a function, or use `sys.exit`.",
    examples: {
      bad: [badPython(2, "value = 1\nreturn value\n")],
      good: [goodPython("def value():\n    return 1\n")],
    },
  },
  {
    ...SYNTAX,
    id: "F704",
    title: "Syntax error: `yield` or `await` outside a function",
    fix: "Move it into a function.",
    examples: {
      bad: [badPython(2, "value = 1\nyield value\n")],
      good: [goodPython("def values():\n    yield 1\n")],
    },
  },
  {
    ...SYNTAX,
    id: "F707",
    title: "Syntax error: a bare `except` must be the last one",
    fix: "Move the bare `except` to the end, or remove it.",
    examples: {
      bad: [badPython(3, "try:\n    run = 1\nexcept:\n    run = 2\nexcept ValueError:\n    run = 3\n")],
      good: [goodPython("try:\n    run = 1\nexcept ValueError:\n    run = 3\nexcept:\n    run = 2\n")],
    },
  },
  {
    ...SYNTAX,
    id: "PLE1142",
    title: "Syntax error: `await` in a function that isn't async",
    fix: "Make the function `async def`, and await it where it's called.",
    examples: {
      bad: [badPython(2, "def load(client):\n    return await client.get()\n")],
      good: [goodPython("async def load(client):\n    return await client.get()\n")],
    },
  },
  {
    ...SYNTAX,
    id: "PLE1700",
    title: "Syntax error: `yield from` in an async function",
    fix: "Use `async for` and `yield` each value.",
    examples: {
      bad: [badPython(2, "async def load(items):\n    yield from items\n")],
      good: [goodPython("async def load(items):\n    for item in items:\n        yield item\n")],
    },
  },
  {
    id: "PLW0133",
    severity: "must-fix",
    category: "correctness",
    title: "Exception never raised: it is only created",
    why: "The line makes an exception object and drops it, so the error goes unnoticed.",
    fix: "Write `raise` in front of it.",
    reason: "The check that the author wrote never stops anything.",
    examples: {
      bad: [badPython(3, 'def check(count):\n    if count < 0:\n        ValueError("negative")\n')],
      good: [goodPython('def check(count):\n    if count < 0:\n        raise ValueError("negative")\n')],
    },
  },
  {
    id: "F901",
    severity: "major",
    category: "correctness",
    title: "Wrong exception: `raise NotImplemented` raises a TypeError",
    why: "`NotImplemented` isn't an exception, so callers can't catch NotImplementedError.",
    fix: "Raise `NotImplementedError`.",
    reason: "The wrong exception is raised.",
    examples: {
      bad: [badPython(2, "def area():\n    raise NotImplemented\n")],
      good: [goodPython("def area():\n    raise NotImplementedError\n")],
    },
  },
  {
    id: "B016",
    severity: "must-fix",
    category: "correctness",
    title: "Invalid `raise`: the value isn't an exception, so this is a TypeError",
    why: "Raising a string or a number fails with a TypeError that hides the real problem.",
    fix: "Raise an exception with the text as its message.",
    reason: "The statement always fails in the wrong way.",
    examples: {
      bad: [badPython(2, 'def check():\n    raise "failed"\n')],
      good: [goodPython('def check():\n    raise RuntimeError("failed")\n')],
    },
  },
  {
    id: "PLE0704",
    severity: "medium",
    category: "correctness",
    title: "Bare `raise` outside an `except` block",
    why: "If no exception is being handled, it fails with a RuntimeError.",
    fix: "Name the exception to raise.",
    reason: "It works only when a handler calls the function.",
    examples: {
      bad: [badPython(3, "def check(count):\n    if count < 0:\n        raise\n")],
      good: [goodPython("def check(run):\n    try:\n        run()\n    except ValueError:\n        raise\n")],
    },
  },
  {
    id: "B012",
    severity: "major",
    category: "reliability",
    title: "Swallowed exceptions: `return`, `break` or `continue` is in `finally`",
    why: "Leaving the `finally` block this way drops the exception that was being raised, including an interrupt.",
    fix: "Move the statement out of `finally`.",
    reason: "Errors disappear without a trace.",
    examples: {
      bad: [
        badPython(5, "def load(read):\n    try:\n        return read()\n    finally:\n        return None\n"),
      ],
      good: [
        goodPython(
          "def load(file):\n    try:\n        return file.read()\n    finally:\n        file.close()\n",
        ),
      ],
    },
  },
  {
    id: "B025",
    severity: "major",
    category: "correctness",
    title: (message) => `Dead exception handler: ${nameIn(message, "an exception")} was already caught`,
    why: "Python runs the first handler that matches.",
    fix: "Merge the handlers, or correct the exception of the second one.",
    reason: "The second handler is dead code, usually with a wrong name.",
    isCertainAnywhere: true,
    examples: {
      bad: [
        badPython(
          5,
          "try:\n    value = 1\nexcept ValueError:\n    value = 2\nexcept ValueError:\n    value = 3\n",
        ),
      ],
      good: [
        goodPython(
          "try:\n    value = 1\nexcept ValueError:\n    value = 2\nexcept KeyError:\n    value = 3\n",
        ),
      ],
    },
  },
  {
    id: "B029",
    severity: "major",
    category: "correctness",
    title: "Handler without effect: `except ():` catches nothing",
    why: "An empty tuple matches no exception, so the handler never runs.",
    fix: "Name the exceptions to catch.",
    reason: "The handler is dead code.",
    examples: {
      bad: [badPython(3, "try:\n    value = 1\nexcept ():\n    value = 2\n")],
      good: [goodPython("try:\n    value = 1\nexcept (ValueError, KeyError):\n    value = 2\n")],
    },
  },
  {
    id: "B030",
    severity: "must-fix",
    category: "correctness",
    title: "Invalid `except`: it needs an exception class, so this is a TypeError",
    why: "Python evaluates the expression when an exception arrives and fails, which hides the original error.",
    fix: "Name exception classes, or a tuple of them.",
    reason: "The handler fails when it's needed.",
    // Reported as PLW0711.
    isWanted: (found, lines) => !/\b(?:or|and)\b/.test(firstLine(found, lines)),
    examples: {
      bad: [badPython(3, 'try:\n    value = 1\nexcept "ValueError":\n    value = 2\n')],
      good: [goodPython("try:\n    value = 1\nexcept ValueError:\n    value = 2\n")],
    },
  },
  {
    id: "PLW0711",
    severity: "must-fix",
    category: "correctness",
    title: "Uncaught exception: `except A or B` catches only one of the two",
    why: "`A or B` is just `A`, and `A and B` is just `B`, so the other exception isn't caught.",
    fix: "Write a tuple: `except (A, B):`.",
    reason: "The second exception gets through.",
    examples: {
      bad: [badPython(3, "try:\n    value = 1\nexcept ValueError or KeyError:\n    value = 2\n")],
      good: [goodPython("try:\n    value = 1\nexcept (ValueError, KeyError):\n    value = 2\n")],
    },
  },
  {
    id: "B022",
    severity: "medium",
    category: "correctness",
    title: "Handler without effect: `suppress()` names no exception",
    why: "Every exception still gets through.",
    fix: "Name the exceptions to suppress.",
    reason: "The statement has no effect.",
    examples: {
      bad: [badPython(3, "import contextlib\n\nwith contextlib.suppress():\n    value = 1\n")],
      good: [goodPython("import contextlib\n\nwith contextlib.suppress(OSError):\n    value = 1\n")],
    },
  },
];
