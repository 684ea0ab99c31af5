/** `Thread.Sleep` in an async C# method. */
import { callsIn } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

export const csharpSleepInAsync: TreeRule = {
  kind: "tree",
  id: "csharp-sleep-in-async",
  title: "Blocking call: `Thread.Sleep` blocks the thread of an async method",
  severity: "major",
  category: "performance",
  why: "The thread can't serve other work while it sleeps, so under load the thread pool runs empty.",
  fix: "Use `await Task.Delay(…)`.",
  languages: ["csharp"],
  inTests: false,
  trigger: /\bThread\.Sleep\s*\(/,
  *check(root): Iterable<RuleMatch> {
    for (const { node, receiver } of callsIn(root, "csharp", (name) => name === "Sleep")) {
      if (!/(?:^|\.)Thread$/.test(receiver)) continue;
      const method = functionAround(node);
      if (method?.children().some((child) => child.text() === "async") === true)
        yield { line: linesOf(node).line };
    }
  },
  examples: {
    bad: [
      bad("A.cs", 3, "class A {\n  async Task Run() {\n    Thread.Sleep(100);\n    await Go();\n  }\n}\n"),
      bad(
        "B.cs",
        2,
        "class B {\n  void Run() => Start(async () => { System.Threading.Thread.Sleep(5); await Go(); });\n}\n",
      ),
    ],
    good: [
      good("A.cs", "class A {\n  async Task Run() {\n    await Task.Delay(100);\n  }\n}\n"),
      good("B.cs", "class B {\n  void Run() {\n    Thread.Sleep(100);\n  }\n}\n"),
      good("C.cs", "class C {\n  async Task Run() {\n    await Task.Run(() => Thread.Sleep(100));\n  }\n}\n"),
    ],
  },
};
