/** A pointer or view into a temporary string that ends with the statement. */
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** `const char *p = f().c_str();` and `std::string_view v = a + b;` */
const POINTER =
  /^(?:const\s+)?(?:char\s*\*|auto\s*\*?)\s*(?:const\s+)?(\w+)\s*=\s*(?:std::(?:string|to_string)\([^;]{0,120}\)|\([^;]{1,120}\+[^;]{1,120}\)|[\w.>:-]{1,60}\.(?:str|substr|string|toString|ToString)\([^;()]{0,60}\))\.(?:c_str|data)\(\);$/;
const VIEW =
  /^(?:const\s+)?(?:std::)?string_view\s+(\w+)\s*=\s*(?:std::(?:string|to_string)\([^;]{0,120}\)|[\w.>:-]{1,60}\.(?:str|string)\(\)|[\w.]{1,60}\s*\+\s*[^;]{1,120});$/;

export const cppDanglingTemporary: TreeRule = {
  kind: "tree",
  id: "cpp-dangling-temporary",
  title: "Dangling reference: a pointer or view outlives its temporary string",
  severity: "must-fix",
  category: "correctness",
  why: "The temporary string is destroyed at the end of the statement, so every later use reads freed memory.",
  fix: "Keep the string in a variable: `std::string text = …;`.",
  languages: ["cpp"],
  inTests: false,
  trigger: /\.(?:c_str|data)\(\)|\bstring_view\b/,
  *check(root): Iterable<RuleMatch> {
    for (const node of root.findAll({ rule: { kind: "declaration" } })) {
      const { start, end } = node.range();
      if (end.index - start.index > 300) continue;
      const text = node.text();
      const name = (POINTER.exec(text) ?? VIEW.exec(text))?.[1];
      if (name !== undefined)
        yield {
          line: linesOf(node).line,
          title: `Dangling reference: ${nameOr(name, "a view")} points into a temporary string that is gone`,
        };
    }
  },
  examples: {
    bad: [
      bad(
        "src/name.cpp",
        2,
        "void show(const Stream &out) {\n  const char *text = out.str().c_str();\n  puts(text);\n}\n",
      ),
      bad(
        "src/view.cpp",
        2,
        "void show(const std::string &a) {\n  std::string_view text = a + suffix;\n  use(text);\n}\n",
      ),
    ],
    good: [
      good(
        "src/name.cpp",
        "void show(const Stream &out) {\n  std::string kept = out.str();\n  const char *text = kept.c_str();\n  puts(text);\n}\n",
      ),
      good(
        "src/view.cpp",
        'void show(const std::string &a) {\n  std::string_view text = a;\n  std::string_view fixed = "a";\n  use(text);\n}\n',
      ),
      good(
        "src/call.cpp",
        "void show(const Stream &out) {\n  puts(out.str().c_str());\n  const char *name = item.name().c_str();\n}\n",
      ),
    ],
  },
};
