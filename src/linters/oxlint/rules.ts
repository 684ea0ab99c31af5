/** The rules of oxlint that we report: certain mistakes that need neither types nor other files. */
import { nameOr } from "../../rules/rule.ts";
import type { AnalyserRule, SeenDiagnostic } from "../analyser-rule.ts";

export type OxlintRule = AnalyserRule & {
  readonly plugin: "eslint" | "typescript" | "oxc" | "unicorn" | "react" | "promise" | "jest";
  /** As in an oxlint configuration. Omitted: none. */
  readonly options?: readonly unknown[];
};

/** Our name for what oxlint's parser reports. */
export const SYNTAX_ERROR = "syntax-error";

/** The name that a message has in quotes. */
function quoted(message: string): string {
  return nameOr(/['"`]([^'"`]+)['"`]/.exec(message)?.[1] ?? "", "a name");
}

/** The array method that a message names. */
function methodIn(message: string): string {
  return nameOr(/(\w+)["'`] /.exec(message)?.[1] ?? "", "the array method");
}

/** `map` as a statement is only a loop in disguise; its result isn't used. */
function acceptsCallback({ message, line }: SeenDiagnostic): boolean {
  if (!/\.map["'`]/.test(message)) return true;
  const before = line
    .slice(0, Math.max(0, line.indexOf(".map(")))
    .replaceAll("?.", ".")
    .replace(/\?$/, "");
  const isArgument = before.split("(").length > before.split(")").length;
  return isArgument || /[=:,?[]|\breturn\b|\bawait\b/.test(before);
}

export const OXLINT_RULES: readonly OxlintRule[] = [
  {
    id: SYNTAX_ERROR,
    plugin: "eslint",
    severity: "must-fix",
    category: "correctness",
    title: "Syntax error: this file can't be parsed",
    why: "JavaScript rejects the whole file with a SyntaxError.",
    fix: "Correct the syntax at this line or just above it.",
    reason: "The file can't be loaded. Flow and templates are left out.",
    inTests: false,
    isCertainAnywhere: true,
    examples: {
      bad: [
        { path: "a.ts", line: 2, text: "export const a = 1;\nexport const b = ;\n" },
        { path: "a.js", line: 3, text: "export function a() {\n  if (b) {\n}\n\n" },
        { path: "a.js", line: 2, text: "let a = 1;\nlet a = 2;\n" },
      ],
      good: [
        { path: "a.jsx", text: "export const a = <p style={{ margin: 0 }}>text</p>;\n" },
        { path: "a.js", text: "export function a(b: string): ?string {\n  return b;\n}\n" },
        { path: "a.js", text: "// @flow\nexport type A = {| b: ?string |};\n" },
        { path: "a.js", text: "export const a = <%= value %>;\n" },
      ],
    },
  },
  {
    id: "no-dupe-keys",
    plugin: "eslint",
    severity: "major",
    category: "correctness",
    title: (message) => `Duplicate key: the object has ${quoted(message)} twice`,
    why: "The last value wins, and the first one is silently lost.",
    fix: "Remove one of the keys, or rename it if both values are needed.",
    reason: "A second value for the same key is always a mistake.",
    isCertainAnywhere: true,
    examples: {
      bad: [{ path: "a.ts", line: 3, text: "export const a = {\n  b: 1,\n  b: 2,\n};\n" }],
      good: [{ path: "a.ts", text: "export const a = { b: 1, c: 2 };\n" }],
    },
  },
  {
    id: "no-dupe-class-members",
    plugin: "eslint",
    severity: "major",
    category: "correctness",
    title: (message) => `Duplicate member: the class defines ${quoted(message)} twice`,
    why: "The last definition wins, and the first one never runs.",
    fix: "Remove one of the definitions, or rename it.",
    reason: "The first definition is dead code that looks alive.",
    isCertainAnywhere: true,
    examples: {
      bad: [
        {
          path: "a.js",
          line: 3,
          text: "export class A {\n  run() { return 1; }\n  run() { return 2; }\n}\n",
        },
      ],
      good: [
        {
          path: "a.ts",
          text: "export class A {\n  get b() { return 1; }\n  set b(value) { this.value = value; }\n  run(a: string): void;\n  run(a: unknown) {}\n}\n",
        },
      ],
    },
  },
  {
    id: "no-dupe-else-if",
    plugin: "eslint",
    severity: "major",
    category: "correctness",
    title: "Repeated condition: its branch never runs",
    why: "An earlier branch of the same chain already handles this case. One of the two conditions is probably a copy that was not adapted.",
    fix: "Correct the condition, or remove the branch.",
    reason: "A branch that can never run is a copy-paste mistake.",
    isCertainAnywhere: true,
    examples: {
      bad: [
        {
          path: "a.js",
          line: 3,
          text: "export function f(a) {\n  if (a === 1) return 1;\n  else if (a === 1) return 2;\n  return 3;\n}\n",
        },
      ],
      good: [
        {
          path: "a.js",
          text: "export function f(a) {\n  if (a === 1) return 1;\n  else if (a === 2) return 2;\n  return 3;\n}\n",
        },
      ],
    },
  },
  {
    id: "no-duplicate-case",
    plugin: "eslint",
    severity: "major",
    category: "correctness",
    title: "Duplicate case: the second one never runs",
    why: "The first case with this value handles it. The second one is probably a copy that was not adapted.",
    fix: "Correct the value of the case, or remove it.",
    reason: "A case that can never run is a copy-paste mistake.",
    isCertainAnywhere: true,
    examples: {
      bad: [
        {
          path: "a.js",
          line: 4,
          text: "export function f(a) {\n  switch (a) {\n    case 1: return 1;\n    case 1: return 2;\n    default: return 3;\n  }\n}\n",
        },
      ],
      good: [
        {
          path: "a.js",
          text: "export function f(a) {\n  switch (a) {\n    case 1: return 1;\n    default: return 3;\n  }\n}\n",
        },
      ],
    },
  },
  {
    id: "no-const-assign",
    plugin: "eslint",
    severity: "must-fix",
    category: "correctness",
    title: (message) =>
      `Assignment to a constant: changing ${nameOr(/ ([\w$]+)\.?$/.exec(message)?.[1] ?? "", "it")} throws a TypeError`,
    why: "A `const` binding can't be assigned again, so this line throws whenever it runs.",
    fix: "Declare the variable with `let`, or use a new name.",
    reason: "It throws every time.",
    isCertainAnywhere: true,
    examples: {
      bad: [{ path: "a.js", line: 2, text: "const a = 1;\na = 2;\nexport default a;\n" }],
      good: [{ path: "a.js", text: "let a = 1;\na = 2;\nexport default a;\n" }],
    },
  },
  {
    id: "no-import-assign",
    plugin: "eslint",
    severity: "must-fix",
    category: "correctness",
    title: "Assignment to an import: this throws a TypeError",
    why: "Imported bindings are read-only.",
    fix: "Assign to a variable of your own.",
    reason: "It throws every time.",
    examples: {
      bad: [{ path: "a.js", line: 2, text: 'import { a } from "./b.js";\na = 2;\n' }],
      good: [{ path: "a.js", text: 'import { a } from "./b.js";\nexport const b = a;\n' }],
    },
  },
  {
    id: "no-func-assign",
    plugin: "eslint",
    severity: "medium",
    category: "correctness",
    title: (message) => `Overwritten function: the assignment replaces ${quoted(message)}`,
    why: "Every later call uses the new value. Usually a variable was meant.",
    fix: "Use a variable with another name.",
    reason: "Replacing a declared function is almost always a name mix-up.",
    examples: {
      bad: [{ path: "a.js", line: 2, text: "function a() {}\na = 2;\nexport default a;\n" }],
      good: [{ path: "a.js", text: "let a = function () {};\na = null;\nexport default a;\n" }],
    },
  },
  {
    id: "no-class-assign",
    plugin: "eslint",
    severity: "medium",
    category: "correctness",
    title: (message) =>
      `Overwritten class: the assignment replaces ${nameOr(/ ([\w$]+)$/.exec(message)?.[1] ?? "", "it")}`,
    why: "Every later use of the name gets the new value. Usually a variable was meant.",
    fix: "Use a variable with another name.",
    reason: "Replacing a declared class is almost always a name mix-up.",
    examples: {
      bad: [{ path: "a.js", line: 2, text: "class A {}\nA = 2;\nexport default A;\n" }],
      good: [{ path: "a.js", text: "let A = class {};\nA = 2;\nexport default A;\n" }],
    },
  },
  {
    id: "no-ex-assign",
    plugin: "eslint",
    severity: "medium",
    category: "correctness",
    title: "Overwritten error: the catch block replaces its own",
    why: "The original error and its stack are lost.",
    fix: "Use a variable with another name.",
    reason: "The error that was caught is no longer available.",
    examples: {
      bad: [
        {
          path: "a.js",
          line: 4,
          text: "export function f() {\n  try { g(); }\n  catch (error) {\n    error = null;\n    return error;\n  }\n}\n",
        },
      ],
      good: [
        {
          path: "a.js",
          text: "export function f() {\n  try { g(); }\n  catch (error) { return error; }\n}\n",
        },
      ],
    },
  },
  {
    id: "no-self-assign",
    plugin: "eslint",
    severity: "medium",
    category: "correctness",
    title: "Self-assignment: a value is assigned to itself",
    why: "The assignment has no effect. Usually one side should be another name.",
    fix: "Correct one side, or remove the line.",
    reason: "It never does anything.",
    examples: {
      bad: [{ path: "a.js", line: 2, text: "export function f(a) {\n  a = a;\n  return a;\n}\n" }],
      good: [{ path: "a.js", text: "export function f(a, b) {\n  a = b;\n  return a;\n}\n" }],
    },
  },
  {
    id: "no-self-compare",
    plugin: "eslint",
    severity: "major",
    category: "correctness",
    title: "Comparison of a value with itself",
    why: "The result doesn't depend on the value. One side is probably a copy that was not adapted, or an operator binds tighter than expected.",
    fix: "Correct one side. To test for NaN, use `Number.isNaN`.",
    reason: "Only a test for NaN is meant this way, and that form isn't reported.",
    accepts: ({ line }) => !/([\w.$]+)\s*!==?\s*\1(?![\w.$(])/.test(line),
    examples: {
      bad: [{ path: "a.js", line: 2, text: "export function f(a) {\n  return a.start === a.start;\n}\n" }],
      good: [
        {
          path: "a.js",
          text: "export const isNan = (x) => x !== x;\nexport const g = (a) => a.start === a.end;\n",
        },
      ],
    },
  },
  {
    id: "use-isnan",
    plugin: "eslint",
    severity: "must-fix",
    category: "correctness",
    title: "Comparison with NaN never matches",
    why: "NaN is not equal to anything, not even to itself.",
    fix: "Use `Number.isNaN(value)`.",
    reason: "The condition is constant.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const f = (a) => a === NaN;\n" }],
      good: [{ path: "a.js", text: "export const f = (a) => Number.isNaN(a);\n" }],
    },
  },
  {
    id: "valid-typeof",
    plugin: "eslint",
    severity: "must-fix",
    category: "correctness",
    title: "Impossible comparison: `typeof` never returns this text",
    why: "The condition is always the same, so a check that looks present isn't.",
    fix: "Correct the name of the type.",
    reason: "The condition is constant.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: 'export const f = (a) => typeof a === "strnig";\n' }],
      good: [{ path: "a.js", text: 'export const f = (a) => typeof a === "string";\n' }],
    },
  },
  {
    id: "no-unsafe-negation",
    plugin: "eslint",
    severity: "must-fix",
    category: "correctness",
    title: "Wrong negation: `!` applies to the left side only, not to the comparison",
    why: "`!a in b` tests whether `false` or `true` is a key. The check never does what it says.",
    fix: "Put the comparison in parentheses: `!(a in b)`.",
    reason: "It is never meant without the form without parentheses.",
    examples: {
      bad: [
        { path: "a.js", line: 1, text: "export const f = (a, b) => !a in b;\n" },
        { path: "a.js", line: 1, text: "export const f = (a, B) => !a instanceof B;\n" },
      ],
      good: [{ path: "a.js", text: "export const f = (a, b) => !(a in b);\n" }],
    },
  },
  {
    id: "no-negation-in-equality-check",
    plugin: "unicorn",
    severity: "must-fix",
    category: "correctness",
    title: "Wrong negation: `!` applies to the left side only, not to the comparison",
    why: "`!a === b` compares a boolean with `b`. The check never does what it says.",
    fix: "Write `a !== b`.",
    reason: "The form is a typing mistake for `!==`.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: 'export const f = (a) => !a === "x";\n' }],
      good: [{ path: "a.js", text: 'export const f = (a) => a !== "x";\n' }],
    },
  },
  {
    id: "no-cond-assign",
    plugin: "eslint",
    severity: "must-fix",
    category: "correctness",
    title: "Assignment in a condition instead of a comparison",
    why: "The condition is always the same, and the variable is overwritten.",
    fix: "Use `===`.",
    reason:
      "A constant that is assigned in a condition is a typing mistake. Other assignments in conditions can be meant, and aren't reported.",
    accepts: ({ line }) => /[^=!<>]=\s*(?:["'`\d]|true\b|false\b|null\b)/.test(line),
    examples: {
      bad: [
        {
          path: "a.js",
          line: 2,
          text: 'export function f(a) {\n  if (a.state = "done") return 1;\n  return 2;\n}\n',
        },
      ],
      good: [
        {
          path: "a.js",
          text: "export function f(a, b) {\n  let m;\n  if (m = a.match(b)) return m;\n  while ((m = b.next())) g(m);\n  return 2;\n}\n",
        },
      ],
    },
  },
  {
    id: "no-constant-condition",
    plugin: "eslint",
    options: [{ checkLoops: "allExceptWhileTrue" }],
    severity: "major",
    category: "correctness",
    title: "Constant condition: the result is always the same",
    why: "One of the branches never runs.",
    fix: "Correct the condition, or remove the branch.",
    reason: "Code that can't run is a mistake or a leftover.",
    inTests: false,
    examples: {
      bad: [
        { path: "a.js", line: 2, text: "export function f(a) {\n  if (true) return 1;\n  return 2;\n}\n" },
      ],
      good: [
        {
          path: "a.js",
          text: "export function f(a) {\n  while (true) {\n    if (a.next()) return 1;\n  }\n}\n",
        },
      ],
    },
  },
  {
    id: "no-constant-binary-expression",
    plugin: "eslint",
    severity: "major",
    category: "correctness",
    title: "Constant expression: the result is always the same",
    why: "The left side is constant or a new object, so the other side has no effect. Often parentheses are missing.",
    fix: "Add the missing parentheses, or remove the part without effect.",
    reason: "The result doesn't depend on the data.",
    inTests: false,
    examples: {
      bad: [
        { path: "a.js", line: 1, text: 'export const f = (a) => "x" + a.b ?? "none";\n' },
        { path: "a.js", line: 1, text: "export const f = (a) => a === {};\n" },
      ],
      good: [{ path: "a.js", text: 'export const f = (a) => "x" + (a.b ?? "none");\n' }],
    },
  },
  {
    id: "const-comparisons",
    plugin: "oxc",
    severity: "medium",
    category: "correctness",
    title: (message) =>
      /same/.test(message)
        ? "Identical operands: both sides of the condition are the same"
        : "Contradictory or repeated comparisons",
    why: "One side is probably a copy that was not adapted.",
    fix: "Correct one side, or remove it.",
    reason: "Repeated conditions are copy-paste mistakes.",
    inTests: false,
    accepts: ({ line }) => !/\{\s*([\w.]+)\s*&&\s*\1\s*\}/.test(line),
    examples: {
      bad: [
        { path: "a.js", line: 1, text: "export const f = (a) => a.start > 1 && a.start > 1;\n" },
        { path: "a.js", line: 1, text: "export const f = (status) => status <= 400 && status > 500;\n" },
      ],
      good: [{ path: "a.js", text: "export const f = (status) => status >= 400 && status < 500;\n" }],
    },
  },
  {
    id: "no-unsafe-finally",
    plugin: "eslint",
    severity: "major",
    category: "correctness",
    title: "Unsafe `finally`: it discards errors and results",
    why: "A `return`, `throw`, `break` or `continue` in `finally` replaces the result and swallows any error of the `try` block.",
    fix: "Move the statement after the `try` statement.",
    reason: "Errors disappear without a trace.",
    examples: {
      bad: [
        {
          path: "a.js",
          line: 3,
          text: "export function f() {\n  try { return g(); }\n  finally { return 1; }\n}\n",
        },
      ],
      good: [{ path: "a.js", text: "export function f() {\n  try { return g(); }\n  finally { h(); }\n}\n" }],
    },
  },
  {
    id: "no-unsafe-optional-chaining",
    plugin: "eslint",
    severity: "medium",
    category: "correctness",
    title: "Unsafe optional chain: `undefined` throws here",
    why: "`?.` gives `undefined` when the value is missing, and the code around it needs an object, a function or an iterable.",
    fix: "Give a default with `??`, or remove `?.` if the value is never missing.",
    reason: "The guard has no effect where it matters.",
    inTests: false,
    examples: {
      bad: [
        { path: "a.js", line: 1, text: "export const f = (a) => (a?.b).c;\n" },
        { path: "a.js", line: 1, text: "export const f = (a) => [...a?.list];\n" },
      ],
      good: [
        {
          path: "a.js",
          text: "export const f = (a) => a?.b.c;\nexport const g = (a) => [...(a?.list ?? [])];\n",
        },
      ],
    },
  },
  {
    id: "no-unreachable",
    dependsOnPlace: true,
    plugin: "eslint",
    severity: "medium",
    category: "correctness",
    title: "Unreachable code",
    why: "The statement before it always leaves the function or the loop.",
    fix: "Remove the code, or correct the control flow.",
    reason: "The code looks alive and isn't.",
    isCertainAnywhere: true,
    examples: {
      bad: [{ path: "a.js", line: 3, text: "export function f() {\n  return 1;\n  g();\n}\n" }],
      good: [{ path: "a.js", text: "export function f(a) {\n  if (a) return 1;\n  return g();\n}\n" }],
    },
  },
  {
    id: "no-unreachable-loop",
    plugin: "eslint",
    severity: "medium",
    category: "correctness",
    title: "Loop runs at most once",
    why: "Every path through the body leaves the loop, so only the first element is handled.",
    fix: "Move the `return` or `break` into a condition, or take the first element without a loop.",
    reason: "A loop that never repeats is a misplaced return.",
    examples: {
      bad: [
        {
          path: "a.js",
          line: 2,
          text: "export function f(list) {\n  for (const a of list) {\n    if (a.ok) return true;\n    return false;\n  }\n}\n",
        },
      ],
      good: [
        {
          path: "a.js",
          text: "export function f(list) {\n  for (const a of list) {\n    if (a.ok) return true;\n  }\n  return false;\n}\n",
        },
      ],
    },
  },
  {
    id: "for-direction",
    plugin: "eslint",
    severity: "must-fix",
    category: "correctness",
    title: "Endless loop: the counter moves away from its limit",
    why: "The loop runs (nearly) forever or not at all.",
    fix: "Reverse the step or the comparison.",
    reason: "The loop can't end as written.",
    examples: {
      bad: [
        { path: "a.js", line: 2, text: "export function f(n) {\n  for (let i = 0; i < n; i--) g(i);\n}\n" },
      ],
      good: [{ path: "a.js", text: "export function f(n) {\n  for (let i = 0; i < n; i++) g(i);\n}\n" }],
    },
  },
  {
    id: "getter-return",
    plugin: "eslint",
    severity: "major",
    category: "correctness",
    title: "Missing return: the getter doesn't always return a value",
    why: "Reading the property gives `undefined` on some path.",
    fix: "Return a value on every path.",
    reason: "A getter without a value has no use.",
    examples: {
      bad: [{ path: "a.js", line: 2, text: "export const a = {\n  get b() { g(); },\n};\n" }],
      good: [{ path: "a.js", text: "export const a = {\n  get b() { return 1; },\n};\n" }],
    },
  },
  {
    id: "array-callback-return",
    plugin: "eslint",
    severity: "major",
    category: "correctness",
    title: (message) => `Missing return: the callback of ${methodIn(message)} doesn't always return a value`,
    why: "The method uses the returned value. Without one it gets `undefined`, so elements are lost, kept or ordered wrongly.",
    fix: "Return a value on every path. If only the effect is wanted, use `forEach` or a loop.",
    reason: "The result is wrong for every element without a return.",
    accepts: acceptsCallback,
    examples: {
      bad: [
        { path: "a.js", line: 1, text: "export const f = (list) => list.filter((a) => { a.ok; });\n" },
        {
          path: "a.js",
          line: 1,
          text: "export const f = (list) => { const b = list.map((a) => { a.id; }); return b; };\n",
        },
      ],
      good: [
        {
          path: "a.js",
          text: "export function f(list) {\n  list.map((a) => { a.run(); });\n  return list.filter((a) => { return a.ok; });\n}\n",
        },
      ],
    },
  },
  {
    id: "no-this-before-super",
    dependsOnPlace: true,
    plugin: "eslint",
    severity: "must-fix",
    category: "correctness",
    title: "Missing `super()`: the constructor uses `this` before it",
    why: "It throws a ReferenceError whenever the class is constructed.",
    fix: "Call `super()` first.",
    reason: "It throws every time.",
    examples: {
      bad: [
        {
          path: "a.js",
          line: 2,
          text: "export class A extends B {\n  constructor() {\n    this.a = 1;\n    super();\n  }\n}\n",
        },
      ],
      good: [
        {
          path: "a.js",
          text: "export class A extends B {\n  constructor() {\n    super();\n    this.a = 1;\n  }\n}\n",
        },
      ],
    },
  },
  {
    id: "constructor-super",
    plugin: "eslint",
    severity: "must-fix",
    category: "correctness",
    title: "Missing `super()`: the constructor of a derived class must call it",
    why: "It throws a ReferenceError whenever the class is constructed.",
    fix: "Call `super()` on every path, or remove `extends`.",
    reason: "It throws every time.",
    examples: {
      bad: [{ path: "a.js", line: 2, text: "export class A extends B {\n  constructor() { g(); }\n}\n" }],
      good: [{ path: "a.js", text: "export class A extends B {\n  constructor() { super(); }\n}\n" }],
    },
  },
  {
    id: "no-obj-calls",
    plugin: "eslint",
    severity: "must-fix",
    category: "correctness",
    title: (message) => `Not a function: ${quoted(message)} can't be called`,
    why: "The call throws a TypeError whenever it runs.",
    fix: "Call a method of the object.",
    reason: "It throws every time.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const a = Math(1);\n" }],
      good: [{ path: "a.js", text: "export const a = Math.abs(1);\n" }],
    },
  },
  {
    id: "no-new-native-nonconstructor",
    plugin: "eslint",
    severity: "must-fix",
    category: "correctness",
    title: (message) => `Not a constructor: ${quoted(message)} can't be called with \`new\``,
    why: "The expression throws a TypeError whenever it runs.",
    fix: "Remove `new`.",
    reason: "It throws every time.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: 'export const a = new Symbol("a");\n' }],
      good: [{ path: "a.js", text: 'export const a = Symbol("a");\n' }],
    },
  },
  {
    id: "no-global-assign",
    plugin: "eslint",
    severity: "medium",
    category: "correctness",
    title: (message) => `Overwritten global: the assignment replaces ${quoted(message)}`,
    why: "All code of the program sees the new value. Often a declaration is missing.",
    fix: "Declare a variable of your own.",
    reason: "Overwriting a built-in global breaks unrelated code.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "undefined = 1;\n" }],
      good: [{ path: "a.js", text: "let value = 1;\nvalue = 2;\nexport default value;\n" }],
    },
  },
  {
    id: "no-compare-neg-zero",
    plugin: "eslint",
    severity: "medium",
    category: "correctness",
    title: "Comparison with `-0` also matches `0`",
    why: "`x === -0` is true for both zeros.",
    fix: "Use `Object.is(x, -0)`.",
    reason: "The sign has no effect.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const f = (a) => a === -0;\n" }],
      good: [{ path: "a.js", text: "export const f = (a) => Object.is(a, -0);\n" }],
    },
  },
  {
    id: "no-loss-of-precision",
    plugin: "eslint",
    severity: "major",
    category: "correctness",
    title: "Rounded number: it has more digits than a number can hold",
    why: "The program works with another number than the one written here. IDs and amounts change silently.",
    fix: "Use a string or a BigInt.",
    reason: "The value in the code isn't the value at run time.",
    accepts: ({ line }) => !/\d\.\d/.test(line),
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const id = 9007199254740993;\n" }],
      good: [
        {
          path: "a.js",
          text: "export const id = 9007199254740993n;\nexport const pi = 3.141592653589793238;\n",
        },
      ],
    },
  },
  {
    id: "no-sparse-arrays",
    plugin: "eslint",
    severity: "medium",
    category: "correctness",
    title: "Hole in an array: two commas in a row",
    why: "The missing element is `undefined` and is skipped by most array methods.",
    fix: "Remove the comma, or write `undefined`.",
    reason: "Usually an element got lost.",
    inTests: false,
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const a = [1, , 2];\n" }],
      good: [{ path: "a.js", text: "export const a = [1, 2];\n" }],
    },
  },
  {
    id: "no-empty-character-class",
    plugin: "eslint",
    severity: "major",
    category: "correctness",
    title: "Empty `[]` in a regular expression: it matches nothing",
    why: "The whole expression can never match.",
    fix: "Put characters into the brackets, or escape them.",
    reason: "The pattern can't match.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const a = /^a[]/;\n" }],
      good: [{ path: "a.js", text: "export const a = /^a[bc]/;\n" }],
    },
  },
  {
    id: "no-invalid-regexp",
    plugin: "eslint",
    severity: "must-fix",
    category: "correctness",
    title: "Invalid regular expression",
    why: "The constructor throws a SyntaxError whenever the line runs.",
    fix: "Correct the pattern or the flags.",
    reason: "It throws every time.",
    inTests: false,
    examples: {
      bad: [{ path: "a.js", line: 1, text: 'export const a = new RegExp("[");\n' }],
      good: [{ path: "a.js", text: 'export const a = new RegExp("[a]");\n' }],
    },
  },
  {
    id: "no-misleading-character-class",
    plugin: "eslint",
    severity: "medium",
    category: "correctness",
    title: "Misleading character class: one character is made of several parts",
    why: "The class matches each part alone, not the character that is visible.",
    fix: "Use the `u` or `v` flag, or alternatives in parentheses.",
    reason: "The pattern matches something other than what it shows.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const a = /[👍]/;\n" }],
      good: [{ path: "a.js", text: "export const a = /[👍]/u;\n" }],
    },
  },
  {
    id: "no-useless-backreference",
    plugin: "eslint",
    severity: "medium",
    category: "correctness",
    title: "Useless back-reference: it can only match the empty text",
    why: "The group comes later or in another alternative, so it has no value yet.",
    fix: "Correct the number or name of the group.",
    reason: "The reference has no effect.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const a = /\\1(a)/;\n" }],
      good: [{ path: "a.js", text: "export const a = /(a)\\1/;\n" }],
    },
  },
  {
    id: "require-yield",
    plugin: "eslint",
    severity: "medium",
    category: "correctness",
    title: "Generator never yields",
    why: "Callers iterate over nothing, and the body runs only when iteration starts.",
    fix: "Yield values, or make it a normal function.",
    reason: "A generator without `yield` is a leftover.",
    inTests: false,
    accepts: ({ line }) => !line.includes("__awaiter"),
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export function* f() { return 1; }\n" }],
      good: [{ path: "a.js", text: "export function* f() { yield 1; }\n" }],
    },
  },
  {
    id: "no-setter-return",
    plugin: "eslint",
    severity: "minor",
    category: "correctness",
    title: "Ignored return value of a setter",
    why: "The assignment keeps its own value, so the returned one has no effect.",
    fix: "Remove the value, or make it a method.",
    reason: "The value is always lost.",
    examples: {
      bad: [{ path: "a.js", line: 2, text: "export const a = {\n  set b(value) { return value; },\n};\n" }],
      good: [{ path: "a.js", text: "export const a = {\n  set b(value) { this.c = value; },\n};\n" }],
    },
  },
  {
    id: "no-unassigned-vars",
    plugin: "eslint",
    severity: "medium",
    category: "correctness",
    title: (message) => `Unassigned variable: ${quoted(message)} is read but never assigned`,
    why: "It is always `undefined`.",
    fix: "Assign a value, or remove the variable.",
    reason: "A variable that is only read has no use.",
    inTests: false,
    accepts: ({ line }) => !line.includes("!:"),
    examples: {
      bad: [{ path: "a.js", line: 2, text: "export function f() {\n  let total;\n  return total;\n}\n" }],
      good: [
        {
          path: "a.js",
          text: "export function f(a) {\n  let total;\n  if (a) total = 1;\n  return total;\n}\n",
        },
      ],
    },
  },
  {
    id: "no-unused-expressions",
    plugin: "eslint",
    severity: "major",
    category: "correctness",
    title: "Comparison without effect",
    why: "Its result isn't used. Usually an assignment or a condition was meant.",
    fix: "Use `=` to assign, or use the result.",
    reason: "A comparison as a statement does nothing.",
    inTests: false,
    accepts: ({ line }) => /^\s*[\w.[\]]+\s*[!=]==?\s*[^=;]+;?\s*$/.test(line),
    examples: {
      bad: [
        { path: "a.js", line: 2, text: 'export function f(a) {\n  a.state === "done";\n  return a;\n}\n' },
      ],
      good: [
        {
          path: "a.js",
          text: 'export function f(a) {\n  a.state = "done";\n  a.b && a.c();\n  return a;\n}\n',
        },
      ],
    },
  },
  {
    id: "no-eval",
    plugin: "eslint",
    severity: "medium",
    category: "security",
    title: "Dynamic code: `eval` runs text as code",
    why: "If any part of the text comes from outside, it runs with all rights of the program.",
    fix: "Use `JSON.parse` for data, and functions or a look-up table for choices.",
    reason: "There is nearly always another way.",
    inTests: false,
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const f = (a) => eval(a);\n" }],
      good: [{ path: "a.js", text: "export const f = (a) => JSON.parse(a);\n" }],
    },
  },
  {
    id: "bad-array-method-on-arguments",
    plugin: "oxc",
    severity: "must-fix",
    category: "correctness",
    title: "Missing method: `arguments` has no array methods",
    why: "The call throws a TypeError whenever it runs.",
    fix: "Use a rest parameter: `(...args)`.",
    reason: "It throws every time.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export function f() { return arguments.map((a) => a); }\n" }],
      good: [{ path: "a.js", text: "export function f(...args) { return args.map((a) => a); }\n" }],
    },
  },
  {
    id: "bad-char-at-comparison",
    plugin: "oxc",
    severity: "must-fix",
    category: "correctness",
    title: "Impossible comparison: `charAt` returns only one character",
    why: "`charAt` returns one character, so the comparison is always false.",
    fix: "Use `startsWith` or `slice`.",
    reason: "The condition is constant.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: 'export const f = (a) => a.charAt(0) === "ab";\n' }],
      good: [{ path: "a.js", text: 'export const f = (a) => a.charAt(0) === "a";\n' }],
    },
  },
  {
    id: "bad-comparison-sequence",
    plugin: "oxc",
    severity: "must-fix",
    category: "correctness",
    title: "Chained comparison compares a boolean",
    why: "`a < b < c` compares the result of `a < b` with `c`.",
    fix: "Write two comparisons: `a < b && b < c`.",
    reason: "The form never does what it says.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const f = (a) => 1 === a === 2;\n" }],
      good: [{ path: "a.js", text: "export const f = (a) => 1 < a && a < 5;\n" }],
    },
  },
  {
    id: "bad-min-max-func",
    plugin: "oxc",
    severity: "must-fix",
    category: "correctness",
    title: "Constant result: `Math.min` and `Math.max` are nested the wrong way",
    why: "The limits are swapped, so the value never matters.",
    fix: "Swap the limits.",
    reason: "The result doesn't depend on the data.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const f = (a) => Math.min(Math.max(100, a), 0);\n" }],
      good: [{ path: "a.js", text: "export const f = (a) => Math.min(Math.max(0, a), 100);\n" }],
    },
  },
  {
    id: "bad-object-literal-comparison",
    plugin: "oxc",
    severity: "must-fix",
    category: "correctness",
    title: "Comparison with a new object or array is always false",
    why: "`{}` and `[]` create a new value that equals no other.",
    fix: "Compare the length or the number of keys.",
    reason: "The condition is constant.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const f = (a) => a === [];\n" }],
      good: [{ path: "a.js", text: "export const f = (a) => a.length === 0;\n" }],
    },
  },
  {
    id: "bad-replace-all-arg",
    plugin: "oxc",
    severity: "must-fix",
    category: "correctness",
    title: "Missing `g` flag: `replaceAll` needs it",
    why: "With a regular expression without `g` it throws a TypeError.",
    fix: "Add the `g` flag.",
    reason: "It throws every time.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: 'export const f = (a) => a.replaceAll(/x/, "y");\n' }],
      good: [{ path: "a.js", text: 'export const f = (a) => a.replaceAll(/x/g, "y");\n' }],
    },
  },
  {
    id: "bad-match-all-arg",
    plugin: "oxc",
    severity: "must-fix",
    category: "correctness",
    title: "Missing `g` flag: `matchAll` needs it",
    why: "With a regular expression without `g` it throws a TypeError.",
    fix: "Add the `g` flag.",
    reason: "It throws every time.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const f = (a) => a.matchAll(/x/);\n" }],
      good: [{ path: "a.js", text: "export const f = (a) => a.matchAll(/x/g);\n" }],
    },
  },
  {
    id: "erasing-op",
    plugin: "oxc",
    severity: "medium",
    category: "correctness",
    title: "Constant expression: the result is always 0",
    why: "The other operand has no effect.",
    fix: "Correct the operator or the operand.",
    reason: "The result doesn't depend on the data.",
    inTests: false,
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const f = (a) => a * 0;\n" }],
      good: [{ path: "a.js", text: "export const f = (a) => a * 2;\n" }],
    },
  },
  {
    id: "missing-throw",
    plugin: "oxc",
    severity: "must-fix",
    category: "correctness",
    title: "Error never thrown: it is only created",
    why: "The code continues as if nothing had failed.",
    fix: "Add `throw`.",
    reason: "A new error as a statement does nothing.",
    inTests: false,
    examples: {
      bad: [
        {
          path: "a.js",
          line: 2,
          text: 'export function f(a) {\n  if (!a) new Error("missing");\n  return a;\n}\n',
        },
      ],
      good: [
        {
          path: "a.js",
          text: 'export function f(a) {\n  if (!a) throw new Error("missing");\n  return a;\n}\n',
        },
      ],
    },
  },
  {
    id: "number-arg-out-of-range",
    plugin: "oxc",
    severity: "must-fix",
    category: "correctness",
    title: "Number out of range: the method doesn't accept it",
    why: "The call throws a RangeError whenever it runs.",
    fix: "Use a number in the range.",
    reason: "It throws every time.",
    inTests: false,
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const f = (a) => a.toString(40);\n" }],
      good: [{ path: "a.js", text: "export const f = (a) => a.toString(36);\n" }],
    },
  },
  {
    id: "uninvoked-array-callback",
    plugin: "oxc",
    severity: "must-fix",
    category: "correctness",
    title: "Callback never called: the array has only holes",
    why: "`new Array(n)` has no elements, so `map` and `forEach` skip all of them.",
    fix: "Use `Array.from({ length: n }, …)`.",
    reason: "The callback never runs.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const f = () => new Array(5).map((_) => 1);\n" }],
      good: [{ path: "a.js", text: "export const f = () => Array.from({ length: 5 }, () => 1);\n" }],
    },
  },
  {
    id: "misrefactored-assign-op",
    plugin: "oxc",
    severity: "major",
    category: "correctness",
    title: "Repeated variable: it is on both sides of a compound assignment",
    why: "`a += a + b` adds `a` twice.",
    fix: "Write `a += b`, or `a = a + b`.",
    reason: "It is left over from a change to a compound assignment.",
    examples: {
      bad: [{ path: "a.js", line: 2, text: "export function f(a, b) {\n  a += a + b;\n  return a;\n}\n" }],
      good: [{ path: "a.js", text: "export function f(a, b) {\n  a += b;\n  return a;\n}\n" }],
    },
  },
  {
    id: "only-used-in-recursion",
    plugin: "oxc",
    severity: "minor",
    category: "maintainability",
    title: "Useless parameter: it is only passed on to the function itself",
    why: "Its value has no effect.",
    fix: "Use the parameter, or remove it.",
    reason: "Often the place that should use it was forgotten.",
    inTests: false,
    examples: {
      bad: [
        {
          path: "a.js",
          line: 1,
          text: "export function f(n, unit) {\n  return n === 0 ? 0 : f(n - 1, unit);\n}\n",
        },
      ],
      good: [
        {
          path: "a.js",
          text: "export function f(n, unit) {\n  return n === 0 ? unit : f(n - 1, unit);\n}\n",
        },
      ],
    },
  },
  {
    id: "no-duplicate-enum-values",
    plugin: "typescript",
    severity: "medium",
    category: "correctness",
    title: "Duplicate enum value: two members have the same one",
    why: "At run time they are the same. One is probably a copy that was not adapted.",
    fix: "Give each member its own value.",
    reason: "Equal values are copy-paste mistakes.",
    inTests: false,
    isCertainAnywhere: true,
    examples: {
      bad: [{ path: "a.ts", line: 3, text: "export enum A {\n  B = 1,\n  C = 1,\n}\n" }],
      good: [{ path: "a.ts", text: "export enum A {\n  B = 1,\n  C = 2,\n}\n" }],
    },
  },
  {
    id: "no-misused-new",
    plugin: "typescript",
    severity: "medium",
    category: "correctness",
    title: "Declaration without effect: `new` or `constructor` is in the wrong place",
    why: "An interface has no constructor, and a class method named `new` is an ordinary method.",
    fix: "Declare `constructor` in a class, or `new` in the interface of a constructor.",
    reason: "The declaration means something else than it says.",
    examples: {
      bad: [{ path: "a.ts", line: 2, text: "export interface A {\n  new (): A;\n}\n" }],
      good: [{ path: "a.ts", text: "export interface A {\n  b: string;\n}\n" }],
    },
  },
  {
    id: "no-non-null-asserted-optional-chain",
    plugin: "typescript",
    severity: "medium",
    category: "correctness",
    title: "Unsafe `!`: the optional chain can be undefined",
    why: "`a?.b!` says that the value is never missing right after handling that it is.",
    fix: "Remove `!` and handle `undefined`, or remove `?.`.",
    reason: "The two operators contradict each other.",
    inTests: false,
    examples: {
      bad: [{ path: "a.ts", line: 1, text: "export const f = (a?: { b?: string }) => a?.b!;\n" }],
      good: [{ path: "a.ts", text: 'export const f = (a?: { b?: string }) => a?.b ?? "";\n' }],
    },
  },
  {
    id: "no-await-in-promise-methods",
    plugin: "unicorn",
    severity: "medium",
    category: "performance",
    title: "Sequential promises: `await` inside the array runs one after the other",
    why: "Each element is awaited before the next one starts, so nothing runs at the same time.",
    fix: "Remove `await` from the elements.",
    reason: "The parallel call is without effect.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const f = async () => Promise.all([await g(), h()]);\n" }],
      good: [{ path: "a.js", text: "export const f = async () => Promise.all([g(), h()]);\n" }],
    },
  },
  {
    id: "no-invalid-fetch-options",
    plugin: "unicorn",
    severity: "must-fix",
    category: "correctness",
    title: "Invalid request: `fetch` with GET or HEAD can't have a body",
    why: "The call throws a TypeError whenever it runs.",
    fix: "Use POST or PUT, or move the data to the URL.",
    reason: "It throws every time.",
    examples: {
      bad: [
        {
          path: "a.js",
          line: 1,
          text: 'export const f = () => fetch("/a", { method: "GET", body: "b" });\n',
        },
      ],
      good: [{ path: "a.js", text: 'export const f = () => fetch("/a", { method: "POST", body: "b" });\n' }],
    },
  },
  {
    id: "no-invalid-remove-event-listener",
    plugin: "unicorn",
    severity: "major",
    category: "reliability",
    title: "Listener never removed: the function is a new one",
    why: "`removeEventListener` needs the same function that was added. The listener stays and keeps its memory.",
    fix: "Keep the function in a variable and use it for both calls.",
    reason: "The call never removes anything.",
    examples: {
      bad: [
        { path: "a.js", line: 1, text: 'export const f = (a) => a.removeEventListener("b", () => {});\n' },
      ],
      good: [{ path: "a.js", text: 'export const f = (a, g) => a.removeEventListener("b", g);\n' }],
    },
  },
  {
    id: "no-array-fill-with-reference-type",
    plugin: "unicorn",
    severity: "major",
    category: "correctness",
    title: "Shared object: all elements of the array are the same one",
    why: "`fill` stores the same object in every place, so a change to one changes all.",
    fix: "Use `Array.from({ length: n }, () => …)`.",
    reason: "A shared object is almost never meant.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const f = () => new Array(3).fill([]);\n" }],
      good: [{ path: "a.js", text: "export const f = () => new Array(3).fill(0);\n" }],
    },
  },
  {
    id: "jsx-key",
    plugin: "react",
    severity: "medium",
    category: "correctness",
    title: "Missing `key` of an element in a list",
    why: "React doesn't know which element is which when the list changes, so state and focus move to the wrong element.",
    fix: "Add a `key` that identifies the item.",
    reason: "React warns about it at run time, and the state can end up in the wrong row.",
    inTests: false,
    examples: {
      bad: [
        {
          path: "a.jsx",
          line: 1,
          text: "export const F = ({ list }) => list.map((a) => <li>{a.name}</li>);\n",
        },
      ],
      good: [
        {
          path: "a.jsx",
          text: "export const F = ({ list }) => list.map((a) => <li key={a.id}>{a.name}</li>);\n",
        },
      ],
    },
  },
  {
    id: "jsx-no-duplicate-props",
    plugin: "react",
    severity: "major",
    category: "correctness",
    title: "Duplicate prop: the element has it twice",
    why: "The last value wins, and the first one is silently lost.",
    fix: "Remove one of them.",
    reason: "Always a mistake.",
    examples: {
      bad: [{ path: "a.jsx", line: 1, text: 'export const F = () => <p id="a" id="b" />;\n' }],
      good: [{ path: "a.jsx", text: 'export const F = () => <p id="a" title="b" />;\n' }],
    },
  },
  {
    id: "jsx-no-undef",
    plugin: "react",
    severity: "must-fix",
    category: "correctness",
    title: (message) => `Undefined component: ${quoted(message)} isn't defined`,
    why: "Rendering throws a ReferenceError.",
    fix: "Import or define the component.",
    reason: "It throws every time.",
    examples: {
      bad: [{ path: "a.jsx", line: 1, text: "export const F = () => <Missing />;\n" }],
      good: [
        { path: "a.jsx", text: 'import { Known } from "./known.js";\nexport const F = () => <Known />;\n' },
      ],
    },
  },
  {
    id: "no-direct-mutation-state",
    plugin: "react",
    severity: "major",
    category: "correctness",
    title: "Direct change of `this.state`",
    why: "React doesn't render again, and the next `setState` can overwrite the change.",
    fix: "Use `setState`.",
    reason: "The change is invisible to React.",
    inTests: false,
    examples: {
      bad: [
        {
          path: "a.jsx",
          line: 3,
          text: "export class F extends React.Component {\n  run() {\n    this.state.a = 1;\n  }\n  render() { return null; }\n}\n",
        },
      ],
      good: [
        {
          path: "a.jsx",
          text: "export class F extends React.Component {\n  constructor(props) { super(props); this.state = { a: 1 }; }\n  run() { this.setState({ a: 1 }); }\n  render() { return null; }\n}\n",
        },
      ],
    },
  },
  {
    id: "rules-of-hooks",
    dependsOnPlace: true,
    plugin: "react",
    severity: "major",
    category: "correctness",
    title: (message) => `Conditional hook: ${quoted(message)} doesn't run on every render`,
    why: "React matches hooks by their order. A hook in a condition, a loop or a callback shifts the state of all hooks after it.",
    fix: "Call the hook at the top of the component, and move the condition inside.",
    reason: "The order of hooks must be the same on every render.",
    inTests: false,
    isCertainAnywhere: true,
    accepts: ({ message }) => /conditionally|more than once|callback/.test(message),
    examples: {
      bad: [
        {
          path: "a.jsx",
          line: 2,
          text: "export function F({ a }) {\n  if (a) useEffect(() => {});\n  return null;\n}\n",
        },
      ],
      good: [
        {
          path: "a.jsx",
          text: "export function F({ a }) {\n  useEffect(() => { if (a) run(); });\n  return null;\n}\n",
        },
      ],
    },
  },
  {
    id: "exhaustive-deps",
    dependsOnPlace: true,
    plugin: "react",
    severity: "minor",
    category: "correctness",
    title: (message) =>
      `Missing dependency: the hook doesn't list ${quoted(message.replace(/^.*dependency: /s, ""))}`,
    why: "The hook keeps the value of the render in which its listed dependencies last changed.",
    fix: "Add it to the list of dependencies, or explain in a comment why the old value is right.",
    reason:
      "A list that leaves out one value is usually an oversight. Lists that leave out several are often deliberate.",
    inTests: false,
    accepts: ({ message }) => /^React Hook \w+ has a missing dependency: '\w+'/.test(message),
    examples: {
      bad: [
        {
          path: "a.jsx",
          line: 4,
          text: "export function F({ id, load }) {\n  useEffect(() => {\n    load(id);\n  }, [load]);\n  return null;\n}\n",
        },
      ],
      good: [
        {
          path: "a.jsx",
          text: "export function F({ id, load }) {\n  useEffect(() => {\n    load(id);\n  }, [load, id]);\n  return null;\n}\n",
        },
      ],
    },
  },
  {
    id: "preserve-caught-error",
    plugin: "eslint",
    severity: "minor",
    category: "reliability",
    title: "Lost cause: the new error drops the one that was caught",
    why: "Without the cause, a log shows neither the original message nor where it happened.",
    fix: "Pass the caught error: `new Error(message, { cause: error })`.",
    reason:
      "The cause costs nothing and is often the only lead. It's reported when the caught error isn't used at all.",
    inTests: false,
    examples: {
      bad: [
        {
          path: "a.js",
          line: 5,
          text: 'export function f(a) {\n  try {\n    return read(a);\n  } catch (error) {\n    throw new Error("Reading failed");\n  }\n}\n',
        },
      ],
      good: [
        {
          path: "a.js",
          text: 'export function f(a) {\n  try {\n    return read(a);\n  } catch (error) {\n    throw new Error("Reading failed", { cause: error });\n  }\n}\n',
        },
      ],
    },
  },
  {
    id: "void-dom-elements-no-children",
    plugin: "react",
    severity: "must-fix",
    category: "correctness",
    title: "Invalid children: the element can't have any",
    why: "React throws an error when it renders the element.",
    fix: "Remove the children.",
    reason: "It throws every time.",
    examples: {
      bad: [{ path: "a.jsx", line: 1, text: "export const F = () => <br>a</br>;\n" }],
      good: [{ path: "a.jsx", text: "export const F = () => <br />;\n" }],
    },
  },
  {
    id: "no-danger-with-children",
    plugin: "react",
    severity: "must-fix",
    category: "correctness",
    title: "Conflicting content: children and `dangerouslySetInnerHTML`",
    why: "React throws an error when it renders the element.",
    fix: "Use one of the two.",
    reason: "It throws every time.",
    examples: {
      bad: [
        {
          path: "a.jsx",
          line: 1,
          text: 'export const F = () => <p dangerouslySetInnerHTML={{ __html: "a" }}>b</p>;\n',
        },
      ],
      good: [{ path: "a.jsx", text: "export const F = () => <p>b</p>;\n" }],
    },
  },
  {
    id: "style-prop-object",
    plugin: "react",
    severity: "must-fix",
    category: "correctness",
    title: "Invalid `style`: it must be an object",
    why: "React throws an error for a text.",
    fix: 'Write an object: `style={{ color: "red" }}`.',
    reason: "It throws every time.",
    inTests: false,
    accepts: ({ line }) => /<[a-z][\w-]*\b/.test(line),
    examples: {
      bad: [{ path: "a.jsx", line: 1, text: 'export const F = () => <p style="color: red" />;\n' }],
      good: [{ path: "a.jsx", text: 'export const F = () => <p style={{ color: "red" }} />;\n' }],
    },
  },
  {
    id: "jsx-no-comment-textnodes",
    plugin: "react",
    severity: "minor",
    category: "correctness",
    title: "Comment shown on the page",
    why: "Text between tags is content, also when it starts with `//` or `/*`.",
    fix: "Put the comment in braces: `{/* … */}`.",
    reason: "Readers of the page see the comment.",
    examples: {
      bad: [{ path: "a.jsx", line: 1, text: "export const F = () => <p>// hidden</p>;\n" }],
      good: [{ path: "a.jsx", text: "export const F = () => <p>{/* hidden */}</p>;\n" }],
    },
  },
  {
    id: "no-new-statics",
    plugin: "promise",
    severity: "must-fix",
    category: "correctness",
    title: "Not a constructor: a static method of Promise is called with `new`",
    why: "The expression throws a TypeError whenever it runs.",
    fix: "Remove `new`.",
    reason: "It throws every time.",
    examples: {
      bad: [{ path: "a.js", line: 1, text: "export const a = new Promise.resolve(1);\n" }],
      good: [{ path: "a.js", text: "export const a = Promise.resolve(1);\n" }],
    },
  },
  {
    id: "valid-expect",
    plugin: "jest",
    options: [{ maxArgs: 2 }],
    severity: "major",
    category: "tests",
    title: "Missing matcher: `expect` asserts nothing",
    why: "The test passes whatever the value is.",
    fix: "Call a matcher, as in `expect(a).toBe(b)`.",
    reason: "A test that can't fail hides defects.",
    accepts: ({ message }) => /matcher/i.test(message) && !/await|promise/i.test(message),
    examples: {
      bad: [{ path: "a.test.js", line: 1, text: 'test("a", () => { expect(f()).toBeNull; });\n' }],
      good: [{ path: "a.test.js", text: 'test("a", () => { expect(f(), "f").toBeNull(); });\n' }],
    },
  },
];
