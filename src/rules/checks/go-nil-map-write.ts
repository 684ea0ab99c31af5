/** A write to a map that was declared without a value: it panics. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { functionAround } from "../syntax/function-kinds.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** A longer function isn't searched. */
const MAX_CHARS = 20_000;

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  for (const spec of root.findAll({ rule: { kind: "var_spec" } })) {
    const name = spec.field("name")?.text() ?? "";
    if (spec.field("type")?.kind() !== "map_type" || spec.field("value") !== null) continue;
    const around = functionAround(spec);
    if (around === null) continue;
    const { start, end } = around.range();
    if (end.index - start.index > MAX_CHARS) continue;
    const rest = around.text().slice(spec.range().end.index - start.index);
    const own = escapePattern(name);
    const write = new RegExp(`(?<![\\w.])${own}\\[[^\\n]{1,100}?\\]\\s*(?:[-+|*/]?=(?!=)|\\+\\+|--)`).exec(
      rest,
    );
    if (write === null) continue;
    // An assignment, its address, a closure or a call that gets it may have made the map before.
    const before = rest.slice(0, write.index);
    if (
      new RegExp(
        `(?<![\\w.])${own}\\s*(?:,[^\\n=]{0,80})?:?=(?!=)|,\\s*${own}\\s*:?=(?!=)|&${own}\\b|\\bfunc\\b|if\\s+${own}\\s*[!=]=`,
      ).test(before)
    )
      continue;
    const line = spec.range().end.line + 1 + (before.split("\n").length - 1);
    yield {
      line,
      also: [linesOf(spec).line],
      missingIn: { line: linesOf(spec).line, endLine: line },
      title: `Write to the nil map ${nameOr(name, "of this function")} panics`,
      detail: `Line ${linesOf(spec).line} declares it without a value.`,
    };
  }
}

export const goNilMapWrite: TreeRule = {
  kind: "tree",
  id: "go-nil-map-write",
  title: "Write to a nil map panics",
  severity: "must-fix",
  category: "correctness",
  why: "A map that is declared without a value is nil. Reading it works, but the first write panics.",
  fix: "Create it with `make` or a literal before the first write.",
  languages: ["go"],
  inTests: false,
  afterRemoval: true,
  trigger: /\bmap\[|\]\s*(?:[-+|*/]?=|\+\+|--)/,
  check,
  examples: {
    bad: [
      bad(
        "src/count.go",
        6,
        "package a\n\nfunc count(all []string) map[string]int {\n\tvar found map[string]int\n\tfor _, one := range all {\n\t\tfound[one]++\n\t}\n\treturn found\n}\n",
      ),
      bad(
        "src/set.go",
        5,
        'package a\n\nfunc set() {\n\tvar headers map[string]string\n\theaders["a"] = "b"\n}\n',
      ),
    ],
    good: [
      good(
        "src/count.go",
        "package a\n\nfunc count(all []string) map[string]int {\n\tvar found map[string]int\n\tfound = make(map[string]int)\n\tfor _, one := range all {\n\t\tfound[one]++\n\t}\n\treturn found\n}\n",
      ),
      good(
        "src/read.go",
        'package a\n\nfunc read(text []byte) {\n\tvar found map[string]int\n\tjson.Unmarshal(text, &found)\n\tfound["a"] = 1\n\tif found["b"] == 2 {\n\t\tuse()\n\t}\n}\n',
      ),
      good(
        "src/lazy.go",
        'package a\n\nfunc lazy() {\n\tvar found map[string]int\n\tif found == nil {\n\t\tfound = map[string]int{}\n\t}\n\tfound["a"] = 1\n\tvar made = map[string]int{}\n\tmade["a"] = 1\n}\n',
      ),
    ],
  },
};
