/** Conditions, comparisons and statements that don't do what they seem to do. */
import { firstLine, type RuffRule } from "../ruff-rule.ts";

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
  },
  {
    id: "F632",
    severity: "major",
    category: "correctness",
    title: "Identity comparison: `is` is used with a literal",
    why: "`is` compares identity, not equality, so the result depends on the interpreter and on how the value was created.",
    fix: "Use `==` or `!=`.",
    inTests: false,
  },
  {
    id: "F634",
    severity: "must-fix",
    category: "correctness",
    title: "Tuple as a condition: it is always true",
    why: "A non-empty tuple is true, so the branch always runs.",
    fix: "Join the parts with `and` or `or`, or remove the extra comma.",
  },
  {
    id: "SIM222",
    severity: "major",
    category: "correctness",
    title: "Constant condition: it's always true, because one side of `or` is",
    why: "A non-zero number, a non-empty string or `True` after `or` makes the whole condition true, as in `x == 1 or 2`.",
    fix: "Compare with each value: `x in (1, 2)`. Remove a `True` that was left from debugging.",
    inTests: false,
  },
  {
    id: "SIM223",
    severity: "major",
    category: "correctness",
    title: "Constant condition: it's always false, because one side of `and` is",
    why: "`False`, `0`, `None` or an empty value in an `and` makes the whole condition false, so the branch never runs.",
    fix: "Remove the constant, or remove the branch.",
    inTests: false,
  },
  {
    id: "PLR0124",
    severity: "major",
    category: "correctness",
    title: "Comparison of a value with itself",
    why: "The result is always the same, so the check does nothing. Usually one side should be another name.",
    fix: "Compare with the value that was meant.",
    inTests: false,
    // `value != value` tests for NaN.
    isWanted: (found, lines) => !firstLine(found, lines).includes("!="),
  },
  {
    id: "B015",
    severity: "major",
    category: "correctness",
    title: "Comparison without effect: the result is thrown away",
    why: "The line compares two values and does nothing with the result. An assertion or an assignment was probably meant.",
    fix: "Write `assert` in front of it, use `=` to assign, or remove the line.",
    isWanted: (found, lines) => !EXPECTS_ERROR.test(lines[found.line - 2] ?? ""),
  },
  {
    id: "B018",
    severity: "must-fix",
    category: "correctness",
    title: "Missing parentheses: the method isn't called",
    why: "A method without parentheses is only looked up, so nothing happens.",
    fix: "Add the parentheses.",
    inTests: false,
    isWanted: (found, lines) =>
      FORGOTTEN_CALL.test(firstLine(found, lines)) && !EXPECTS_ERROR.test(lines[found.line - 2] ?? ""),
  },
  {
    id: "B002",
    severity: "must-fix",
    category: "correctness",
    title: "Wrong operator: `++` doesn't increment in Python",
    why: "It's two plus signs in front of a value, so the variable keeps its value.",
    fix: "Write `x += 1`.",
  },
  {
    id: "B032",
    severity: "must-fix",
    category: "correctness",
    title: "Missing assignment: `:` makes this a type annotation",
    why: "`data[key]: value` is an annotation without an assignment. Python evaluates it and drops the value.",
    fix: "Use `=`.",
  },
  {
    id: "PLW0129",
    severity: "major",
    category: "correctness",
    title: "Assertion on a string never checks anything",
    why: "A non-empty string is true, so the assertion always passes.",
    fix: "Assert the condition, with the string as its message.",
  },
  {
    id: "RUF040",
    severity: "major",
    category: "correctness",
    title: "Wrong assertion: its message is a number, so `==` was probably meant",
    why: "`assert a, 1` checks only that `a` is true. The second part is the message.",
    fix: "Write `assert a == 1`.",
  },
  {
    id: "RUF034",
    severity: "medium",
    category: "correctness",
    title: "Identical branches of a conditional",
    why: "The condition has no effect. Usually one of the two values should differ.",
    fix: "Correct one of the values, or remove the condition.",
  },
  {
    id: "RUF060",
    severity: "major",
    category: "correctness",
    title: "Membership test in an empty collection is always false",
    why: "Nothing is in an empty collection, so the branch never runs.",
    fix: "Fill the collection, or remove the test.",
  },
  {
    id: "B020",
    severity: "medium",
    category: "correctness",
    title: "Overwritten collection: the loop variable has the same name",
    why: "After the loop the name refers to the last element, and the collection is lost.",
    fix: "Use another name for the loop variable.",
    isWanted: (found, lines) => /\bfor\s+(\w+)\s+in\s+\1\s*:/.test(firstLine(found, lines)),
  },
  {
    id: "B909",
    severity: "major",
    category: "correctness",
    title: "Collection changed in its own loop",
    why: "Removing from a list skips the next element, and changing a dict or a set raises a RuntimeError.",
    fix: "Iterate over a copy, or collect the changes and apply them after the loop.",
  },
  {
    id: "PLE1141",
    severity: "must-fix",
    category: "correctness",
    title: "Iterating over a dict gives its keys, not pairs",
    why: "Unpacking a key into two names raises a ValueError, or splits a key of two characters.",
    fix: "Iterate over `.items()`.",
  },
  {
    id: "PT012",
    severity: "major",
    category: "tests",
    title: "Dead assertion: inside `pytest.raises` it never runs",
    why: "The block ends with the exception, so statements after the call that raises are skipped, and the error isn't checked.",
    fix: "Move the assertion out of the `with` block.",
    isWanted: (found, lines) => {
      const name = /\bas\s+(\w+)\s*:/.exec(firstLine(found, lines))?.[1];
      if (name === undefined) return false;
      const usesError = new RegExp(`^\\s*assert\\b.*\\b${name}\\b`);
      return lines.slice(found.line, found.endLine).some((line) => usesError.test(line));
    },
  },
];
