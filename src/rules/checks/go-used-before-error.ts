/** A result that is used between the call and the check of its error. */
import { escapePattern } from "../../base/escape-pattern.ts";
import { statementListsIn } from "../syntax/statement-lists.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const CALLED = /^(\w+)(?:, \w+)*, (err\w*) :?= [\w.]+\(/;

export const goUsedBeforeError: TreeRule = {
  kind: "tree",
  id: "go-used-before-error",
  title: "Late error check: the result is used before it",
  severity: "major",
  category: "correctness",
  why: "If the call fails, the result is usually nil, and using it panics before the error is seen.",
  fix: "Check the error directly after the call.",
  languages: ["go"],
  inTests: false,
  trigger: /\berr\w* :?= |\berr\w* != nil/,
  *check(root): Iterable<RuleMatch> {
    for (const statements of statementListsIn(root, "go")) {
      for (const [index, statement] of statements.entries()) {
        const [next, after] = [statements[index + 1], statements[index + 2]];
        if (next === undefined || after === undefined || after.kind() !== "if_statement") continue;
        const [, name = "", error = ""] = CALLED.exec(statement.text().slice(0, 200)) ?? [];
        if (name === "" || name === "_" || after.field("condition")?.text() !== `${error} != nil`) continue;
        const text = next.text();
        // Closing a response is the case of another rule.
        if (new RegExp(`\\b${error}\\b`).test(text) || text.includes("Body.Close")) continue;
        if (
          !/^(?:expression_statement|short_var_declaration|assignment_statement|defer_statement)$/.test(
            next.kind(),
          )
        )
          continue;
        if (!new RegExp(`(?<![\\w.])\\*?${escapePattern(name)}\\.\\w`).test(text) || text.includes("func("))
          continue;
        yield {
          line: linesOf(next).line,
          also: [linesOf(statement).line],
          title: `Late error check: ${nameOr(name, "the result")} is used before it`,
        };
      }
    }
  },
  examples: {
    bad: [
      bad(
        "src/get.go",
        5,
        'package a\n\nfunc get(id int) (string, error) {\n\tuser, err := find(id)\n\tname := user.Name\n\tif err != nil {\n\t\treturn "", err\n\t}\n\treturn name, nil\n}\n',
      ),
      bad(
        "src/open.go",
        5,
        "package a\n\nfunc open(path string) error {\n\tfile, err := os.Open(path)\n\tdefer file.Close()\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n",
      ),
    ],
    good: [
      good(
        "src/get.go",
        'package a\n\nfunc get(id int) (string, error) {\n\tuser, err := find(id)\n\tif err != nil {\n\t\treturn "", err\n\t}\n\treturn user.Name, nil\n}\n',
      ),
      good(
        "src/wait.go",
        "package a\n\nfunc get(id int) error {\n\tuser, err := find(id)\n\tlock.Unlock()\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn use(user)\n}\n",
      ),
      good(
        "src/log.go",
        "package a\n\nfunc get(id int) error {\n\tuser, err := find(id)\n\tlog(user.Name, err)\n\tif err != nil {\n\t\treturn err\n\t}\n\treturn nil\n}\n",
      ),
    ],
  },
};
