/** Conditions, comparisons and statements that don't do what they seem to do. */
import { badPython, firstLine, goodPython, type RuffRule } from "../ruff-rule.ts";

/** Methods that are called for their effect: without parentheses nothing happens. */
const EFFECTS =
  "append|cancel|clear|close|commit|connect|delete|disconnect|execute|flush|join|kill|refresh|release|reset|rollback|run|save|send|shutdown|start|stop|terminate|unlock|update";
const FORGOTTEN_CALL = new RegExp(`^\\s*[\\w.()]+\\.(?:${EFFECTS})\\s*(?:#.*)?$`);

/** A line that expects the next one to raise. */
const EXPECTS_ERROR = /\b(?:raises|assertRaises\w*|warns|suppress|assertWarns\w*)\b|^\s*try:/;

export const CONDITIONS: readonly RuffRule[] = [
  {
    id: "F631",
    severity: "must-fix",
    category: "correctness",
    title: "Assertion on a tuple is always true",
    why: "The parentheses turn the condition and the message into a tuple. A non-empty tuple is true, so the assertion never fails.",
    fix: 'Remove the parentheses: `assert condition, "message"`.',
    reason: "The check that the author wrote never happens.",
    examples: {
      bad: [
        badPython(2, 'def check(count):\n    assert (count > 0, "nothing to do")\n'),
        badPython(
          2,
          'def check(count):\n    assert (\n        count == 3,\n        "three are expected",\n    )\n',
        ),
      ],
      good: [
        goodPython('def check(count):\n    assert count > 0, "nothing to do"\n'),
        goodPython("def check(pair):\n    assert (1, 2) == pair\n"),
      ],
    },
  },
  {
    id: "F632",
    severity: "major",
    category: "correctness",
    title: "Identity comparison: `is` is used with a literal",
    why: "`is` compares identity, not equality, so the result depends on the interpreter and on how the value was created.",
    fix: "Use `==` or `!=`.",
    reason: "The comparison is wrong for equal values.",
    inTests: false,
    examples: {
      bad: [
        badPython(2, 'def is_debug(mode):\n    return mode is "debug"\n'),
        badPython(2, "def has_any(count):\n    return count is not 0\n"),
        badPython(2, "def is_empty(items):\n    return items is []\n"),
      ],
      good: [
        goodPython(
          "def known(value):\n    return value is not None and value is not True and value is not ...\n",
        ),
        goodPython('def is_debug(mode):\n    return mode == "debug"\n'),
        goodPython("MISSING = object()\n\ndef known(value):\n    return value is not MISSING\n"),
      ],
    },
  },
  {
    id: "F634",
    severity: "must-fix",
    category: "correctness",
    title: "Tuple as a condition: it is always true",
    why: "A non-empty tuple is true, so the branch always runs.",
    fix: "Join the parts with `and` or `or`, or remove the extra comma.",
    reason: "The condition has no effect.",
    examples: {
      bad: [badPython(2, "def check(a, b):\n    if (a, b):\n        return 1\n")],
      good: [goodPython("def check(a, b):\n    if a and b:\n        return 1\n")],
    },
  },
  {
    id: "SIM222",
    severity: "major",
    category: "correctness",
    title: "Constant condition: it's always true, because one side of `or` is",
    why: "A non-zero number, a non-empty string or `True` after `or` makes the whole condition true, as in `x == 1 or 2`.",
    fix: "Compare with each value: `x in (1, 2)`. Remove a `True` that was left from debugging.",
    reason: "The condition has no effect, which is never intended.",
    inTests: false,
    examples: {
      bad: [badPython(2, 'def check(mode):\n    if mode == "a" or "b":\n        return 1\n')],
      good: [
        goodPython('def check(mode):\n    if mode in ("a", "b"):\n        return 1\n'),
        goodPython('def check(mode):\n    return mode or "a"\n'),
      ],
    },
  },
  {
    id: "SIM223",
    severity: "major",
    category: "correctness",
    title: "Constant condition: it's always false, because one side of `and` is",
    why: "`False`, `0`, `None` or an empty value in an `and` makes the whole condition false, so the branch never runs.",
    fix: "Remove the constant, or remove the branch.",
    reason: "A branch that was switched off for debugging and then committed.",
    inTests: false,
    examples: {
      bad: [badPython(2, "def check(mode):\n    if mode and False:\n        return 1\n")],
      good: [goodPython("def check(mode, strict):\n    if mode and strict:\n        return 1\n")],
    },
  },
  {
    id: "PLR0124",
    severity: "major",
    category: "correctness",
    title: "Comparison of a value with itself",
    why: "The result is always the same, so the check does nothing. Usually one side should be another name.",
    fix: "Compare with the value that was meant.",
    reason: "A copy-paste mistake.",
    inTests: false,
    // `value != value` tests for NaN.
    isWanted: (found, lines) => !firstLine(found, lines).includes("!="),
    examples: {
      bad: [badPython(2, "def same(a, b):\n    return a == a\n")],
      good: [
        goodPython("def same(a, b):\n    return a == b\n"),
        goodPython("def is_nan(a):\n    return a != a\n"),
      ],
    },
  },
  {
    id: "B015",
    severity: "major",
    category: "correctness",
    title: "Comparison without effect: the result is thrown away",
    why: "The line compares two values and does nothing with the result. An assertion or an assignment was probably meant.",
    fix: "Write `assert` in front of it, use `=` to assign, or remove the line.",
    reason: "In a test it means that nothing is checked.",
    isWanted: (found, lines) => !EXPECTS_ERROR.test(lines[found.line - 2] ?? ""),
    examples: {
      bad: [
        badPython(2, "def reset(order):\n    order.total == 0\n"),
        { path: "tests/test_cart.py", line: 2, text: "def test_total(cart):\n    cart.total == 3\n" },
      ],
      good: [
        goodPython("def reset(order):\n    order.total = 0\n"),
        goodPython("def test(a, b, raises):\n    with raises(TypeError):\n        a < b\n"),
      ],
    },
  },
  {
    id: "B018",
    severity: "must-fix",
    category: "correctness",
    title: "Missing parentheses: the method isn't called",
    why: "A method without parentheses is only looked up, so nothing happens.",
    fix: "Add the parentheses.",
    reason:
      "`session.commit` without parentheses saves nothing. Plain attributes are left out because they can be properties.",
    inTests: false,
    isWanted: (found, lines) =>
      FORGOTTEN_CALL.test(firstLine(found, lines)) && !EXPECTS_ERROR.test(lines[found.line - 2] ?? ""),
    examples: {
      bad: [badPython(3, "def store(session, order):\n    session.add(order)\n    session.commit\n")],
      good: [
        goodPython("def store(session):\n    session.commit()\n"),
        goodPython("def load(order):\n    order.customer\n    return order\n"),
      ],
    },
  },
  {
    id: "B002",
    severity: "must-fix",
    category: "correctness",
    title: "Wrong operator: `++` doesn't increment in Python",
    why: "It's two plus signs in front of a value, so the variable keeps its value.",
    fix: "Write `x += 1`.",
    reason: "The increment never happens.",
    examples: {
      bad: [badPython(2, "def step(count):\n    ++count\n    return count\n")],
      good: [goodPython("def step(count):\n    count += 1\n    return count\n")],
    },
  },
  {
    id: "B032",
    severity: "must-fix",
    category: "correctness",
    title: "Missing assignment: `:` makes this a type annotation",
    why: "`data[key]: value` is an annotation without an assignment. Python evaluates it and drops the value.",
    fix: "Use `=`.",
    reason: "The assignment never happens.",
    examples: {
      bad: [badPython(2, 'def store(data):\n    data["a"]: 1\n    return data\n')],
      good: [goodPython('def store(data):\n    data["a"] = 1\n    return data\n')],
    },
  },
  {
    id: "PLW0129",
    severity: "major",
    category: "correctness",
    title: "Assertion on a string never checks anything",
    why: "A non-empty string is true, so the assertion always passes.",
    fix: "Assert the condition, with the string as its message.",
    reason: "The check that the author wrote never happens.",
    examples: {
      bad: [badPython(2, 'def check(count):\n    assert "count must be positive"\n')],
      good: [goodPython('def check(count):\n    assert count > 0, "count must be positive"\n')],
    },
  },
  {
    id: "RUF040",
    severity: "major",
    category: "correctness",
    title: "Wrong assertion: its message is a number, so `==` was probably meant",
    why: "`assert a, 1` checks only that `a` is true. The second part is the message.",
    fix: "Write `assert a == 1`.",
    reason: "The expected value is never compared.",
    examples: {
      bad: [badPython(2, "def check(count):\n    assert count, 3\n")],
      good: [goodPython('def check(count):\n    assert count == 3, "three"\n')],
    },
  },
  {
    id: "RUF034",
    severity: "medium",
    category: "correctness",
    title: "Identical branches of a conditional",
    why: "The condition has no effect. Usually one of the two values should differ.",
    fix: "Correct one of the values, or remove the condition.",
    reason: "A copy-paste mistake.",
    examples: {
      bad: [badPython(2, "def size(is_large):\n    return 10 if is_large else 10\n")],
      good: [goodPython("def size(is_large):\n    return 10 if is_large else 5\n")],
    },
  },
  {
    id: "RUF060",
    severity: "major",
    category: "correctness",
    title: "Membership test in an empty collection is always false",
    why: "Nothing is in an empty collection, so the branch never runs.",
    fix: "Fill the collection, or remove the test.",
    reason: "The condition has no effect.",
    examples: {
      bad: [badPython(2, "def allowed(name):\n    return name in []\n")],
      good: [goodPython('def allowed(name):\n    return name in ["a"]\n')],
    },
  },
  {
    id: "B020",
    severity: "medium",
    category: "correctness",
    title: "Overwritten collection: the loop variable has the same name",
    why: "After the loop the name refers to the last element, and the collection is lost.",
    fix: "Use another name for the loop variable.",
    reason: "Later code that uses the collection gets one element.",
    isWanted: (found, lines) => /\bfor\s+(\w+)\s+in\s+\1\s*:/.test(firstLine(found, lines)),
    examples: {
      bad: [badPython(2, "def show(items):\n    for items in items:\n        print(items)\n")],
      good: [goodPython("def show(items):\n    for item in items:\n        print(item)\n")],
    },
  },
  {
    id: "B909",
    severity: "major",
    category: "correctness",
    title: "Collection changed in its own loop",
    why: "Removing from a list skips the next element, and changing a dict or a set raises a RuntimeError.",
    fix: "Iterate over a copy, or collect the changes and apply them after the loop.",
    reason: "Elements are skipped, or the loop fails.",
    examples: {
      bad: [
        badPython(3, "def clean(items):\n    for item in items:\n        items.remove(item)\n"),
        badPython(3, "def clean(items):\n    for key in items:\n        del items[key]\n"),
      ],
      good: [
        goodPython("def clean(items):\n    for item in list(items):\n        items.remove(item)\n"),
        goodPython(
          "def clean(items, wanted):\n    for item in items:\n        if item == wanted:\n            items.remove(item)\n            break\n",
        ),
      ],
    },
  },
  {
    id: "PLE1141",
    severity: "must-fix",
    category: "correctness",
    title: "Iterating over a dict gives its keys, not pairs",
    why: "Unpacking a key into two names raises a ValueError, or splits a key of two characters.",
    fix: "Iterate over `.items()`.",
    reason: "The loop fails with the first key.",
    examples: {
      bad: [
        badPython(
          2,
          'prices = {"apple": 1, "pear": 2}\nfor name, price in prices:\n    print(name, price)\n',
        ),
      ],
      good: [
        goodPython(
          'prices = {"apple": 1, "pear": 2}\nfor name, price in prices.items():\n    print(name, price)\n',
        ),
      ],
    },
  },
  {
    id: "PT012",
    severity: "major",
    category: "tests",
    title: "Dead assertion: inside `pytest.raises` it never runs",
    why: "The block ends with the exception, so statements after the call that raises are skipped, and the error isn't checked.",
    fix: "Move the assertion out of the `with` block.",
    reason: "The test passes without checking the error. Other statements in the block are left out.",
    isWanted: (found, lines) => {
      const name = /\bas\s+(\w+)\s*:/.exec(firstLine(found, lines))?.[1];
      if (name === undefined) return false;
      const usesError = new RegExp(`^\\s*assert\\b.*\\b${name}\\b`);
      return lines.slice(found.line, found.endLine).some((line) => usesError.test(line));
    },
    examples: {
      bad: [
        badPython(
          4,
          'import pytest\n\ndef test_load(load):\n    with pytest.raises(ValueError) as error:\n        load("x")\n        assert "x" in str(error.value)\n',
        ),
      ],
      good: [
        goodPython(
          'import pytest\n\ndef test_load(load):\n    with pytest.raises(ValueError) as error:\n        load("x")\n    assert "x" in str(error.value)\n',
        ),
        goodPython(
          "import pytest\n\ndef test_load(make):\n    with pytest.raises(ValueError):\n        item = make()\n        item.load()\n",
        ),
      ],
    },
  },
];
