/** A new `HttpClient` for every call of a C# method. */
import { bad, good, type RuleMatch, type TreeRule } from "../rule.ts";

export const csharpClientPerCall: TreeRule = {
  kind: "tree",
  id: "csharp-client-per-call",
  title: "Port exhaustion: every call opens a new `HttpClient`",
  severity: "medium",
  category: "reliability",
  why: "The connection of a disposed client stays in TIME_WAIT for minutes, so many calls use up the ports of the machine.",
  fix: "Take the client from `IHttpClientFactory`, or keep one in a static field.",
  languages: ["csharp"],
  inTests: false,
  trigger: /\busing\b.{0,80}\bnew\s+HttpClient\s*\(/,
  *check(root, { path }): Iterable<RuleMatch> {
    // A program that ends after one call isn't under load.
    if (/(?:^|\/)Program\.cs$|[sS]ample|[eE]xample|[tT]ool|[bB]ench|Cli\b|Console|Script/.test(path)) return;
    for (const client of root.findAll({
      rule: { kind: "object_creation_expression", regex: "^new HttpClient\\s*\\(\\s*\\)" },
    })) {
      const statement = client
        .ancestors()
        .find((up) => /^(?:using_statement|local_declaration_statement)$/.test(up.kind()));
      if (statement === undefined || !/^(?:await\s+)?using\b/.test(statement.text())) continue;
      yield { line: client.range().start.line + 1 };
    }
  },
  examples: {
    bad: [
      bad(
        "src/Rates.cs",
        3,
        "class Rates {\n  async Task<string> Load(string url) {\n    using var client = new HttpClient();\n    return await client.GetStringAsync(url);\n  }\n}\n",
      ),
      bad(
        "src/Rates2.cs",
        3,
        "class Rates {\n  async Task<string> Load(string url) {\n    using (var client = new HttpClient()) {\n      return await client.GetStringAsync(url);\n    }\n  }\n}\n",
      ),
    ],
    good: [
      good("src/Rates.cs", "class Rates {\n  static readonly HttpClient Client = new HttpClient();\n}\n"),
      good(
        "src/Handler.cs",
        "class Handler {\n  HttpClient Make(HttpMessageHandler handler) => new HttpClient(handler);\n}\n",
      ),
      good(
        "src/Program.cs",
        "class Program {\n  static async Task Main() {\n    using var client = new HttpClient();\n  }\n}\n",
      ),
    ],
  },
};
