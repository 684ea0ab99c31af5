/** `lock` on an object that other code can lock too, or that is new each time. */
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

function problemOf(target: string): Pick<RuleMatch, "title" | "severity"> | null {
  if (/^new\b/.test(target))
    return {
      title: "Lock without effect: each call locks a new object",
      severity: "must-fix",
    };
  if (/^typeof\s*\(/.test(target))
    return { title: "Lock on a shared object: any other code can lock the type too" };
  if (/^[@$]?"/.test(target)) return { title: "Lock on a shared object: the whole process shares the text" };
  return target === "this" ? { title: "Lock on a shared object: callers can lock `this` too" } : null;
}

export const csharpLockTarget: TreeRule = {
  kind: "tree",
  id: "csharp-lock-target",
  title: "Lock on a shared object: other code can lock it too",
  severity: "medium",
  category: "reliability",
  why: "Two parts of the program that lock the same object by accident can block each other forever.",
  fix: "Lock a private field made for this: `private readonly object _gate = new();`.",
  languages: ["csharp"],
  inTests: false,
  trigger: /\block\s*\(/,
  *check(root): Iterable<RuleMatch> {
    for (const statement of root.findAll({ rule: { kind: "lock_statement" } })) {
      const target = /^lock\s*\(\s*([^\n]{1,120})/.exec(statement.text())?.[1] ?? "";
      const problem = problemOf(/^this\s*\)/.test(target) ? "this" : target);
      if (problem !== null) yield { line: statement.range().start.line + 1, ...problem };
    }
  },
  examples: {
    bad: [
      bad("A.cs", 3, "class A {\n  void Add() {\n    lock (this) { _n++; }\n  }\n}\n"),
      bad("B.cs", 3, "class B {\n  void Add() {\n    lock (typeof(B)) { _n++; }\n  }\n}\n"),
      bad("C.cs", 3, "class C {\n  void Add() {\n    lock (new object()) { _n++; }\n  }\n}\n"),
      bad("D.cs", 3, 'class D {\n  void Add() {\n    lock ("cache") { _n++; }\n  }\n}\n'),
    ],
    good: [
      good(
        "A.cs",
        "class A {\n  readonly object _gate = new();\n  void Add() {\n    lock (_gate) { _n++; }\n  }\n}\n",
      ),
      good("B.cs", "class B {\n  void Add() {\n    lock (this._gate) { _n++; }\n  }\n}\n"),
      good("C.cs", "class C {\n  void Add() {\n    lock (newGate) { _n++; }\n  }\n}\n"),
    ],
  },
};
