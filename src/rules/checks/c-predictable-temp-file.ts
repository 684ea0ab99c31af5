/** Temporary files whose name is chosen before they are created. */
import { cCallsIn } from "../syntax/c-declarations.ts";
import { bad, good, linesOf, type RuleMatch, type TreeRule } from "../rule.ts";

const NAMERS: ReadonlySet<string> = new Set([
  "tmpnam",
  "tmpnam_r",
  "tempnam",
  "mktemp",
  "_mktemp",
  "_tempnam",
]);

export const cPredictableTempFile: TreeRule = {
  kind: "tree",
  id: "c-predictable-temp-file",
  title: "Predictable temporary file: another process can take its name first",
  severity: "major",
  category: "security",
  why: "Between choosing the name and opening the file, another user can put a file or a link with that name there, and the program writes to it.",
  fix: "Use `mkstemp` or `tmpfile`, which create the file and open it in one step.",
  languages: ["c", "cpp"],
  inTests: false,
  trigger: /\b_?(?:tmpnam(?:_r)?|tempnam|mktemp)\s*\(/,
  *check(root): Iterable<RuleMatch> {
    for (const { node, name } of cCallsIn(root, NAMERS))
      yield {
        ...linesOf(node),
        title: `Predictable temporary file: another process can take the name of \`${name}\``,
      };
  },
  examples: {
    bad: [
      bad(
        "src/edit.c",
        3,
        'FILE *scratch(void) {\n  char path[L_tmpnam];\n  tmpnam(path);\n  return fopen(path, "w");\n}\n',
      ),
      bad(
        "src/save.cpp",
        3,
        "void save(char *pattern) {\n  std::ofstream out;\n  out.open(mktemp(pattern));\n}\n",
      ),
    ],
    good: [
      good("src/edit.c", "int scratch(char *pattern) {\n  return mkstemp(pattern);\n}\n"),
      good("src/file.c", "FILE *scratch(void) {\n  return tmpfile();\n}\n"),
      good("src/own.cpp", "void scratch(Names &names) {\n  names.mktemp(1);\n}\n"),
    ],
  },
};
