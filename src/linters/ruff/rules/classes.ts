/** Methods and classes that Python can't use as written. */
import { nameIn, type RuffRule } from "../ruff-rule.ts";

const RETURNS = {
  severity: "must-fix",
  category: "correctness",
  why: "Python checks the type of the result and raises a TypeError.",
} as const;

export const CLASSES: readonly RuffRule[] = [
  {
    ...RETURNS,
    id: "PLE0101",
    title: "Invalid `__init__`: it returns a value, so creating the object fails",
    fix: "Remove the value. Use a class method if another object should be returned.",
  },
  {
    ...RETURNS,
    id: "PLE0100",
    title: "Invalid `__init__`: it has a `yield`, so creating the object fails",
    fix: "Move the generator to another method.",
  },
  {
    id: "PLE0302",
    severity: "must-fix",
    category: "correctness",
    title: (message) =>
      `Wrong signature: ${nameIn(message.replace(/^The special method /, ""), "a special method")} has the wrong number of parameters`,
    why: "Python calls the method with a fixed number of arguments, so the call raises a TypeError.",
    fix: "Give it the parameters that the data model defines.",
  },
  {
    ...RETURNS,
    id: "PLE0303",
    title: "Invalid `__len__`: it doesn't return a whole number, so `len()` fails",
    fix: "Return a non-negative whole number.",
  },
  {
    ...RETURNS,
    id: "PLE0304",
    title: "Invalid `__bool__`: it doesn't return a boolean, so conditions fail",
    fix: "Return `True` or `False`.",
  },
  {
    ...RETURNS,
    id: "PLE0307",
    title: "Invalid `__str__`: it doesn't return a string, so `str()` fails",
    fix: "Return a string.",
  },
  {
    id: "PLE0241",
    severity: "must-fix",
    category: "correctness",
    title: (message) =>
      `Duplicate base class: ${nameIn(message, "it")} is listed twice, so the class raises a TypeError`,
    why: "Python rejects a class with the same base twice.",
    fix: "Remove one of them.",
  },
  {
    id: "PLE0604",
    severity: "major",
    category: "correctness",
    title: "Invalid `__all__`: it contains something that isn't a string",
    why: "`from module import *` raises a TypeError.",
    fix: "Put the name in quotes.",
  },
  {
    id: "PLE0605",
    severity: "major",
    category: "correctness",
    title: "Invalid `__all__`: it must be a list or a tuple",
    why: "A string is read letter by letter, so `from module import *` raises an AttributeError.",
    fix: "Use a list, or add the comma that makes it a tuple.",
  },
  {
    id: "PLW0211",
    severity: "medium",
    category: "correctness",
    title: "Stray `self` or `cls` as the first parameter of a static method",
    why: "Python doesn't pass the object to a static method, so the first argument of the caller takes its place.",
    fix: "Remove `@staticmethod`, or remove the parameter.",
  },
  {
    id: "PLW0245",
    severity: "must-fix",
    category: "correctness",
    title: "Missing parentheses: `super` without them raises an AttributeError",
    why: "`super.method` looks for the method on the type `super` itself.",
    fix: "Write `super().method(…)`.",
  },
  {
    id: "PLE1519",
    severity: "major",
    category: "correctness",
    title: "Wrong dispatch: `singledispatch` on a method dispatches on `self`",
    why: "It looks at the type of the first argument, which is the object, so the registered variants are never used.",
    fix: "Use `singledispatchmethod`.",
  },
];
