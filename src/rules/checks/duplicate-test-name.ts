/** Two tests with the same title in the same group, or two rows of a table of tests. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import type { RuleMatch, TreeRule } from "../rule.ts";

type Named = {
  readonly title: string;
  /** The place of the group that the test is in. */
  readonly group: number;
  readonly node: SyntaxNode;
};

const SCRIPT_CALL = /^(?:it|test|specify)(?:\.(?:only|concurrent|sequential))?$/;
const TABLE_NAME = /^(?:name|desc|description|title|testName|testname|testCase|scenario)$/;
const RUN_BY_FIELD = /\.Run\(\w{1,30}\.(\w{1,30})\s*,/g;
const PLAIN_TITLE = /^(?:"[^"\\#{}]{3,200}"|'[^'\\]{3,200}'|`[^`\\$]{3,200}`)$/;

export const duplicateTestName: TreeRule = {
  kind: "tree",
  id: "duplicate-test-name",
  title: "Duplicate test name",
  severity: "minor",
  category: "tests",
  why: "A failure report doesn't say which of the two failed, and running one by its name runs both. Often it's a copy whose name was not adapted.",
  fix: "Give each test a name that says what is different, or remove the copy.",
  confidence: 0.9,
  languages: ["javascript", "typescript", "tsx", "ruby", "go"],
  inTests: true,
  trigger: /\b(?:it|test|specify|Run)\b|["'`]/,
  *check(root, file): Iterable<RuleMatch> {
    if (file.category !== "test") return;
    const known = new Map<string, SyntaxNode>();
    for (const { title, group, node } of testsIn(root, file.language)) {
      const key = `${group}:${title}`;
      const first = known.get(key);
      if (first === undefined) {
        known.set(key, node);
        continue;
      }
      const line = node.range().start.line + 1;
      const firstLine = first.range().start.line + 1;
      const isCopy = first.text() === node.text();
      yield {
        line,
        also: [firstLine],
        title: isCopy
          ? "Duplicate test: the same one is here twice"
          : "Duplicate test name: two tests in the same group have it",
        detail: `The first one is on line ${firstLine}.`,
      };
    }
  },
};

function* testsIn(root: SyntaxNode, language: string): Iterable<Named> {
  if (language === "go") {
    const runs = new Set(
      root
        .text()
        .matchAll(RUN_BY_FIELD)
        .map(([, field]) => field),
    );
    for (const node of root.findAll({ rule: { kind: "keyed_element" } })) {
      const [key, value] = node.namedChildren();
      const field = key?.text() ?? "";
      // Otherwise it's a name in the data.
      if (!TABLE_NAME.test(field) || !runs.has(field)) continue;
      // A row is in the list of the table, not in the field of another row.
      const row = node.parent()?.parent();
      const table = row?.kind() === "literal_element" ? row.parent() : null;
      if (table?.kind() !== "literal_value" || table.parent()?.kind() !== "composite_literal") continue;
      yield* named(value, table, row);
    }
  }
  const kind = language === "ruby" ? "call" : "call_expression";
  for (const node of root.findAll({ rule: { kind } })) {
    const callee = language === "ruby" ? node.field("method") : node.field("function");
    const name = callee?.text() ?? "";
    const isTest =
      language === "go"
        ? /^\w+\.Run$/.test(name)
        : language === "ruby"
          ? /^(?:it|specify|scenario)$/.test(name) && node.field("receiver") === null
          : SCRIPT_CALL.test(name);
    if (!isTest) continue;
    const statement = language === "ruby" ? node : node.parent();
    const args = node.field("arguments")?.namedChildren() ?? [];
    if (args.length > 1 || language === "ruby") yield* named(args[0], statement?.parent(), node);
  }
}

function* named(
  title: SyntaxNode | null | undefined,
  group: SyntaxNode | null | undefined,
  node: SyntaxNode | null | undefined,
): Iterable<Named> {
  const text = title?.text() ?? "";
  if (!PLAIN_TITLE.test(text) || group === null || group === undefined || node === null || node === undefined)
    return;
  yield { title: text.slice(1, -1), group: group.range().start.index, node };
}
