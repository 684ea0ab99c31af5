/** Calls of the standard library that return a Result, as whole statements. */
import { isRustTest } from "../syntax/rust-test.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const FUNCTION =
  /^(?:std::)?fs::(?:write|create_dir|create_dir_all|remove_file|remove_dir|remove_dir_all|rename|copy|set_permissions)$/;
const METHOD =
  /\.(write_all|flush|sync_all|sync_data|set_len|read_to_string|read_to_end|read_exact|read_line|set_permissions|map_err|ok_or|ok_or_else)$/;

export const rustIgnoredResult: TreeRule = {
  kind: "tree",
  id: "rust-ignored-result",
  title: "Ignored `Result` of a call",
  severity: "major",
  category: "reliability",
  why: "If the call fails, the code continues as if it had worked, and data is lost without an error.",
  fix: "Use `?` or handle the error. If it's safe to ignore, write `let _ =` and say why.",
  languages: ["rust"],
  inTests: false,
  trigger: /\)\s*;|\bfs::/,
  *check(root): Iterable<RuleMatch> {
    for (const statement of root.findAll({ rule: { kind: "expression_statement" } })) {
      const inner = statement.namedChildren()[0];
      if (inner?.kind() !== "call_expression") continue;
      const callee = inner.field("function");
      if (callee === null || !/^(?:scoped_identifier|field_expression)$/.test(callee.kind())) continue;
      const { start, end } = callee.range();
      if (end.index - start.index > 300) continue;
      const text = callee.text();
      const name = FUNCTION.test(text) ? text : METHOD.exec(text)?.[1];
      if (name === undefined || !statement.text().endsWith(";") || isRustTest(statement)) continue;
      yield {
        line: linesOf(statement).line,
        title: `Ignored \`Result\` of ${nameOr(name, "a call")}`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "src/save.rs",
        2,
        "fn save(mut file: File, text: &str) {\n    file.write_all(text.as_bytes());\n}\n",
      ),
      bad("src/dir.rs", 2, "fn prepare(path: &Path) {\n    std::fs::create_dir_all(path);\n}\n"),
    ],
    good: [
      good(
        "src/save.rs",
        "fn save(mut file: File, text: &str) -> io::Result<()> {\n    file.write_all(text.as_bytes())?;\n    file.flush().unwrap();\n    let _ = file.sync_all();\n    file.flush()\n}\n",
      ),
      good("src/other.rs", "fn run(queue: &Queue) {\n    queue.push(1);\n    queue.write(2);\n}\n"),
      good(
        "src/async.rs",
        "async fn save(mut file: File) -> io::Result<()> {\n    file.flush().await?;\n    tokio::fs::write(path, text).await\n}\n",
      ),
    ],
  },
};
