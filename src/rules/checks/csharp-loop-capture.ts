/** A lambda that starts later and uses the counter of a `for` loop, which has moved on by then. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { asCall } from "../syntax/calls.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** True when the lambda is given to something that runs it later. */
function runsLater(lambda: SyntaxNode): boolean {
  const around = nearestAncestor(lambda, (up) =>
    /^(?:invocation_expression|object_creation_expression)$/.test(up.kind()),
  );
  const call = around === null ? null : asCall(around);
  if (call === null) return false;
  const name = `${call.receiver}.${call.name}`;
  return /(?:^|\.)(?:Task\.Run|Task\.Factory\.StartNew|Factory\.StartNew|ThreadPool\.QueueUserWorkItem)$|^\.Thread$/.test(
    name,
  );
}

function statementOf(node: SyntaxNode): string {
  return (
    nearestAncestor(node, (up) => up.kind().endsWith("_statement"))
      ?.text()
      .slice(0, 400) ?? ""
  );
}

export const csharpLoopCapture: TreeRule = {
  kind: "tree",
  id: "csharp-loop-capture",
  title: "Captured loop counter: it has moved on when the lambda runs",
  severity: "must-fix",
  category: "correctness",
  why: "All lambdas of a `for` loop share one counter. When they run, it has its last value for most of them.",
  fix: "Copy the counter into a local variable inside the loop, and use the copy.",
  languages: ["csharp"],
  inTests: true,
  trigger: /\bTask\.Run\b|\.StartNew\b|\bnew\s+Thread\b|QueueUserWorkItem/,
  *check(root): Iterable<RuleMatch> {
    for (const lambda of root.findAll({ rule: { kind: "lambda_expression" } })) {
      if (!runsLater(lambda)) continue;
      const loop = nearestAncestor(lambda, (up) =>
        /^(?:for_statement|lambda_expression|local_function_statement|method_declaration)$/.test(up.kind()),
      );
      const counter = /^for\s*\(\s*(?:int|var|long)\s+(\w{1,40})\s*=/.exec(
        loop?.text().slice(0, 80) ?? "",
      )?.[1];
      if (counter === undefined || !new RegExp(`(?<![\\w.])${counter}\\b`).test(lambda.text())) continue;
      // A call that is awaited or waited for ends before the counter moves.
      if (/^(?:await\b|.{0,200}\.(?:Wait|GetAwaiter|Result))/s.test(statementOf(lambda))) continue;
      yield {
        line: linesOf(lambda).line,
        title: `Captured loop counter: ${nameOr(counter, "it")} has moved on when the lambda runs`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "A.cs",
        3,
        "class A {\n  void Run() {\n    for (int i = 0; i < 10; i++) tasks.Add(Task.Run(() => Use(i)));\n  }\n}\n",
      ),
      bad(
        "B.cs",
        4,
        "class B {\n  void Run() {\n    for (var n = 0; n < 4; n++) {\n      new Thread(() => Work(n)).Start();\n    }\n  }\n}\n",
      ),
    ],
    good: [
      good(
        "A.cs",
        "class A {\n  void Run() {\n    for (int i = 0; i < 10; i++) {\n      var copy = i;\n      tasks.Add(Task.Run(() => Use(copy)));\n    }\n  }\n}\n",
      ),
      good(
        "B.cs",
        "class B {\n  void Run() {\n    foreach (var item in items) tasks.Add(Task.Run(() => Use(item)));\n  }\n}\n",
      ),
      good(
        "C.cs",
        "class C {\n  async Task Run() {\n    for (int i = 0; i < 10; i++) {\n      await Task.Run(() => Use(i));\n    }\n  }\n}\n",
      ),
    ],
  },
};
