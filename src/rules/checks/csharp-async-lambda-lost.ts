/** Async lambdas given to C# methods that take an `Action`: they run as `async void`. */
import { callsIn } from "../syntax/calls.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

export const csharpAsyncLambdaLost: TreeRule = {
  kind: "tree",
  id: "csharp-async-lambda-lost",
  title: "Lost async lambda: `ForEach` doesn't wait for it",
  severity: "major",
  category: "correctness",
  why: "The method takes an `Action`, so the lambda becomes `async void`. The code continues before any of them finishes, and an exception in one ends the process.",
  fix: "Use `foreach` with `await`, `await Task.WhenAll(items.Select(async …))`, or `Parallel.ForEachAsync`.",
  languages: ["csharp"],
  inTests: true,
  trigger: /\basync\b/,
  *check(root): Iterable<RuleMatch> {
    for (const { node, name, receiver, args } of callsIn(root, "csharp", (called) =>
      /^(?:ForEach|For|Invoke)(?:<.{1,60}>)?$/.test(called),
    )) {
      const isParallel = /(?:^|\.)Parallel$/.test(receiver);
      if (!isParallel && !name.startsWith("ForEach")) continue;
      const lambda = args.find((arg) => arg.kind() === "lambda_expression");
      if (lambda?.children().some((child) => child.text() === "async") !== true) continue;
      if (node.parent()?.kind() === "await_expression") continue;
      yield {
        line: linesOf(node).line,
        title: `Lost async lambda: ${nameOr(isParallel ? `Parallel.${name}` : name, "the method")} doesn't wait for it`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "A.cs",
        3,
        "class A {\n  void Run(List<int> ids) {\n    ids.ForEach(async id => await Send(id));\n  }\n}\n",
      ),
      bad(
        "B.cs",
        3,
        "class B {\n  void Run(List<int> ids) {\n    Parallel.ForEach(ids, async id => { await Send(id); });\n  }\n}\n",
      ),
    ],
    good: [
      good("A.cs", "class A {\n  void Run(List<int> ids) {\n    ids.ForEach(id => Send(id));\n  }\n}\n"),
      good(
        "B.cs",
        "class B {\n  async Task Run(List<int> ids) {\n    await Parallel.ForEachAsync(ids, async (id, _) => await Send(id));\n  }\n}\n",
      ),
      good(
        "C.cs",
        "class C {\n  async Task Run(Query ids) {\n    await ids.ForEach(async id => await Send(id));\n  }\n}\n",
      ),
    ],
  },
};
