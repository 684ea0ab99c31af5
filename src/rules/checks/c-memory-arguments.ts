/** Arguments of memory functions that can't be right: swapped, or one byte short. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { type CCall, cCallsIn } from "../syntax/c-declarations.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const NAMES: ReadonlySet<string> = new Set([
  "memset",
  "malloc",
  "strcmp",
  "strncmp",
  "memcmp",
  "strncpy",
  "strncat",
]);

function titleOf({ node, name, args }: CCall): string | null {
  const texts = args.map((arg) => arg.text().replaceAll(/\s+/g, ""));
  const [first = "", second = "", third = ""] = texts;
  if (name === "memset" && args.length === 3 && third === "0" && second !== "0")
    return "Swapped arguments: `memset` fills 0 bytes";
  if (name === "malloc" && /^(?:std::)?strlen\([^()]+\)$/.test(first))
    return "Buffer too small: `malloc(strlen(…))` has no room for the terminating zero";
  if (name === "malloc" && /^(?:std::)?strlen\(\w+\+1\)$/.test(first))
    return "Buffer too small: `strlen(s + 1)` is shorter by one, not longer";
  if (name.endsWith("cmp")) return comparedTitle(node, name);
  if (name === "strncat" && args.length === 3 && third === `sizeof(${first})`)
    return "Possible buffer overflow: the limit of `strncat` is the free space";
  if (name === "strncpy" && args.length === 3 && third === `strlen(${second})`)
    return "Missing terminating zero: `strncpy` with the source's length doesn't copy it";
  return null;
}

/** `strcmp(a, b) == 1`: only the sign of the result means something. */
function comparedTitle(node: SyntaxNode, name: string): string | null {
  const parent = node.parent();
  if (parent?.kind() !== "binary_expression" || !/^[=!]=$/.test(parent.field("operator")?.text() ?? ""))
    return null;
  const other = [parent.field("left"), parent.field("right")].map((side) => side?.text() ?? "");
  return other.some((text) => /^(?:-?1|true)$/.test(text))
    ? `Wrong comparison: \`${name}\` doesn't return exactly ${other.find((text) => /^(?:-?1|true)$/.test(text)) ?? "1"}`
    : null;
}

export const cMemoryArguments: TreeRule = {
  kind: "tree",
  id: "c-memory-arguments",
  title: "Wrong arguments of a memory or string function",
  severity: "must-fix",
  category: "correctness",
  why: "The call does something else than it looks like: it clears nothing, writes past the end, or compares with a value that isn't returned.",
  fix: "Use `memset(p, 0, size)`, `malloc(strlen(s) + 1)`, `strcmp(a, b) == 0`, and the free space as the limit of `strncat`.",
  languages: ["c", "cpp"],
  inTests: false,
  trigger: /\b(?:memset|malloc|strn?cmp|memcmp|strncpy|strncat)\s*\(/,
  *check(root): Iterable<RuleMatch> {
    for (const call of cCallsIn(root, NAMES)) {
      const title = titleOf(call);
      if (title !== null) yield { line: linesOf(call.node).line, title };
    }
  },
  examples: {
    bad: [
      bad("src/clear.c", 2, "void clear(struct item *p) {\n  memset(p, sizeof(*p), 0);\n}\n"),
      bad("src/copy.c", 2, "char *copy(const char *s) {\n  char *to = malloc(strlen(s));\n  return to;\n}\n"),
      bad("src/same.c", 2, "int same(const char *a, const char *b) {\n  return strcmp(a, b) == 1;\n}\n"),
      bad(
        "src/add.cpp",
        3,
        "void add(const char *s) {\n  char buf[64] = {0};\n  strncat(buf, s, sizeof(buf));\n}\n",
      ),
    ],
    good: [
      good(
        "src/clear.c",
        "void clear(struct item *p) {\n  memset(p, 0, sizeof(*p));\n  memset(p, 0, 0);\n}\n",
      ),
      good(
        "src/copy.c",
        "char *copy(const char *s) {\n  char *to = malloc(strlen(s) + 1);\n  strncpy(to, s, strlen(s) + 1);\n  return to;\n}\n",
      ),
      good(
        "src/same.c",
        "int same(const char *a, const char *b) {\n  return strcmp(a, b) == 0 || !strcmp(a, b) || strcmp(a, b) < 0;\n}\n",
      ),
    ],
  },
};
