/** `.Result`, `.Wait()` and `.GetAwaiter().GetResult()` of a task inside an async method. */
import { functionAround } from "../syntax/function-kinds.ts";
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

const BLOCKING = /Async(?:<[^<>]{1,60}>)?\([^]{0,2000}\)\s*\.(?:Result|Wait|GetAwaiter)$/;

export const csharpBlockingWait: TreeRule = {
  kind: "tree",
  id: "csharp-blocking-wait",
  title: "Blocking wait in an async method: it can deadlock and starves the thread pool",
  severity: "major",
  category: "reliability",
  why: "The thread waits for a task that may need the same thread to finish. Under load, blocked threads use up the pool.",
  fix: "Await the task instead.",
  confidence: 0.9,
  languages: ["csharp"],
  inTests: false,
  trigger: /Async\b.{0,200}\.(?:Result\b|Wait\(|GetAwaiter\()/,
  *check(root): Iterable<RuleMatch> {
    for (const access of root.findAll({
      rule: {
        kind: "member_access_expression",
        all: [{ has: { field: "name", regex: "^(Result|Wait|GetAwaiter)$" } }],
        has: { field: "expression", kind: "invocation_expression" },
      },
    })) {
      const method = functionAround(access);
      if (method === null || !method.children().some((child) => child.text() === "async")) continue;
      if (BLOCKING.test(access.text())) yield { line: access.range().end.line + 1 };
    }
  },
  examples: {
    bad: [
      bad(
        "Orders.cs",
        3,
        "class Orders {\n  async Task<int> Count() {\n    var user = GetUserAsync(1).Result;\n    return await CountAsync(user);\n  }\n}\n",
      ),
      bad(
        "Save.cs",
        3,
        "class Save {\n  async Task Run() {\n    _db.SaveChangesAsync().Wait();\n    await _bus.FlushAsync();\n  }\n}\n",
      ),
      bad(
        "Get.cs",
        3,
        "class Get {\n  async Task Run() {\n    var x = LoadAsync().GetAwaiter().GetResult();\n    await Use(x);\n  }\n}\n",
      ),
    ],
    good: [
      good(
        "Orders.cs",
        "class Orders {\n  async Task<int> Count() {\n    return (await LoadAsync()).Result;\n  }\n}\n",
      ),
      good(
        "Main.cs",
        "class Program {\n  static void Main() {\n    RunAsync().GetAwaiter().GetResult();\n  }\n}\n",
      ),
      good(
        "Value.cs",
        "class Value {\n  async Task Run(Outcome outcome) {\n    Use(outcome.Result);\n    await X();\n  }\n}\n",
      ),
    ],
  },
};
