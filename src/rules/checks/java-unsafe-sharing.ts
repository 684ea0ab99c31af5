/** State that several threads share without what makes that safe. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** `static final DateFormat FORMAT = new SimpleDateFormat(…)`. */
function* sharedFormats(root: SyntaxNode): Iterable<RuleMatch> {
  for (const field of root.findAll({ rule: { kind: "field_declaration" } })) {
    const text = field.text().slice(0, 300);
    if (!/\bstatic\b/.test(text) || !/=\s*new\s+(?:SimpleDateFormat|DecimalFormat)\s*\(/.test(text)) continue;
    if (!/^(?:[^=]*\s)?(?:Simple)?(?:Date|Decimal|Number)?Format\s+\w+\s*=/.test(text)) continue;
    const name = /(\w+)\s*=/.exec(text)?.[1] ?? "";
    yield {
      line: linesOf(field).line,
      title: `Unsafe sharing: threads share ${nameOr(name, "a static format")}, which isn't thread-safe`,
    };
  }
}

/** `if (x == null) { synchronized (…) { if (x == null) … } }` with a field that isn't volatile. */
function* doubleChecks(root: SyntaxNode): Iterable<RuleMatch> {
  for (const node of root.findAll({ rule: { kind: "synchronized_statement" } })) {
    const outer = node.parent()?.parent();
    const tested = /^\(\s*(\w+)\s*==\s*null\s*\)$/.exec(
      outer?.kind() === "if_statement" ? (outer.field("condition")?.text() ?? "") : "",
    )?.[1];
    if (tested === undefined || !new RegExp(`if\\s*\\(\\s*${tested}\\s*==\\s*null\\s*\\)`).test(node.text()))
      continue;
    const declared = new RegExp(
      `^[ \\t]*(?:private|protected|public|static)[\\w<>\\[\\]., ]*\\s${escapePattern(tested)}\\s*[;=]`,
      "m",
    ).exec(root.text());
    if (declared === null || /\bvolatile\b/.test(declared[0])) continue;
    yield {
      line: linesOf(node).line,
      title: `Double-checked locking of ${nameOr(tested, "a field")} that isn't \`volatile\``,
    };
  }
}

/** `synchronized ("text")`, and locks that other code shares or that are new each time. */
function* sharedLocks(root: SyntaxNode): Iterable<RuleMatch> {
  for (const node of root.findAll({ rule: { kind: "synchronized_statement" } })) {
    const lock = /^synchronized\s*\(\s*([^{]{1,80}?)\s*\)\s*\{/.exec(node.text().slice(0, 120))?.[1] ?? "";
    const isBoxed =
      /^\w+$/.test(lock) &&
      new RegExp(`\\b(?:Integer|Long|Boolean|String|Double)\\s+${escapePattern(lock)}\\s*[=;]`).test(
        root.text(),
      );
    if (lock.startsWith('"') || /^new\s/.test(lock) || isBoxed)
      yield {
        line: linesOf(node).line,
        title: `Lock without effect: ${/^new\s/.test(lock) ? "each call locks a new object" : `the value of ${nameOr(lock, "the lock")} is shared or replaced`}`,
      };
  }
}

export const javaUnsafeSharing: TreeRule = {
  kind: "tree",
  id: "java-unsafe-sharing",
  title: "Unsafe sharing: threads share state without protection",
  severity: "major",
  category: "correctness",
  why: "Under load, threads see half-written values: formats return wrong dates, and a half-built object is used.",
  fix: "Use `DateTimeFormatter`, a `volatile` field, and a private final `Object` as the lock.",
  languages: ["java"],
  inTests: false,
  trigger: /SimpleDateFormat|DecimalFormat|\bsynchronized\s*\(/,
  *check(root) {
    yield* sharedFormats(root);
    yield* doubleChecks(root);
    yield* sharedLocks(root);
  },
  examples: {
    bad: [
      bad(
        "src/Dates.java",
        2,
        'class Dates {\n  private static final SimpleDateFormat FORMAT = new SimpleDateFormat("yyyy");\n}\n',
      ),
      bad(
        "src/One.java",
        5,
        "class One {\n  private static One one;\n  static One get() {\n    if (one == null) {\n      synchronized (One.class) {\n        if (one == null) one = new One();\n      }\n    }\n    return one;\n  }\n}\n",
      ),
      bad(
        "src/Count.java",
        4,
        "class Count {\n  private Integer count = 0;\n  void add() {\n    synchronized (count) {\n      count++;\n    }\n  }\n}\n",
      ),
    ],
    good: [
      good(
        "src/Dates.java",
        'class Dates {\n  private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("yyyy");\n  private final SimpleDateFormat own = new SimpleDateFormat("yyyy");\n}\n',
      ),
      good(
        "src/One.java",
        "class One {\n  private static volatile One one;\n  static One get() {\n    if (one == null) {\n      synchronized (One.class) {\n        if (one == null) one = new One();\n      }\n    }\n    return one;\n  }\n}\n",
      ),
      good(
        "src/Count.java",
        "class Count {\n  private final Object lock = new Object();\n  void add() {\n    synchronized (lock) {\n      count++;\n    }\n    synchronized (this) {\n      count++;\n    }\n  }\n}\n",
      ),
    ],
  },
};
