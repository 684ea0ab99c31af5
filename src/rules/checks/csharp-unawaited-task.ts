/** A call of an async method as a whole statement, without `await`, inside an async method. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { asCall } from "../syntax/calls.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** Moq's methods set up a mock. */
const MOCK = /^(?:Returns|Throws)Async$/;

function isAsync(method: SyntaxNode): boolean {
  return method.children().some((child) => child.text() === "async");
}

export const csharpUnawaitedTask: TreeRule = {
  kind: "tree",
  id: "csharp-unawaited-task",
  title: "Unawaited task: the method goes on before it finishes",
  severity: "major",
  category: "correctness",
  why: "The code after it runs before the work is done, and an exception in the task is never seen.",
  fix: "Await the call. If it should run in the background, assign it to `_` and handle its errors there.",
  confidence: 0.9,
  languages: ["csharp"],
  inTests: true,
  trigger: /Async\s*(?:<[^>\n]{1,60}>)?\(/,
  *check(root): Iterable<RuleMatch> {
    for (const statement of root.findAll({
      rule: { kind: "expression_statement", has: { kind: "invocation_expression" } },
    })) {
      const [expression] = statement.namedChildren();
      const call = expression === undefined ? null : asCall(expression);
      const name = call?.name.replace(/<.*$/s, "") ?? "";
      if (call === null || !/[a-z]Async$/.test(name) || MOCK.test(name)) continue;
      const method = functionAround(statement);
      if (method === null || !isAsync(method)) continue;
      yield {
        line: call.node.range().start.line + 1,
        endLine: call.node.range().end.line + 1,
        title: `Unawaited task: the method goes on before ${nameOr(name, "it")} finishes`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "Orders.cs",
        3,
        "class Orders {\n  async Task Save(Order order) {\n    _db.SaveChangesAsync();\n    await _bus.PublishAsync(order);\n  }\n}\n",
      ),
      bad(
        "Mail.cs",
        4,
        "class Mail {\n  async Task Send(string to) {\n    await OpenAsync();\n    _client.SendAsync(to);\n  }\n}\n",
      ),
    ],
    good: [
      good("Orders.cs", "class Orders {\n  async Task Save() {\n    await _db.SaveChangesAsync();\n  }\n}\n"),
      good(
        "Fire.cs",
        "class Fire {\n  async Task Save() {\n    _ = LogAsync();\n    await Task.Yield();\n  }\n}\n",
      ),
      good(
        "Mock.cs",
        "class Mock {\n  async Task Test() {\n    mock.Setup(m => m.Get()).ReturnsAsync(1);\n    await Run();\n  }\n}\n",
      ),
      good("Sync.cs", "class Sync {\n  void Save() {\n    SaveAsync();\n  }\n}\n"),
      good(
        "Block.cs",
        "class Block {\n  async Task Save() {\n    LogAsync().ConfigureAwait(false);\n    await X();\n  }\n}\n",
      ),
    ],
  },
};
