/** A deferred Close or Unlock in a loop body, which runs only when the function returns. */
import { anyKind } from "../syntax/pattern-parts.ts";
import { bad, good, type PatternRule } from "../rule.ts";

/** A list whose last statement leaves the loop. */
const LEAVING = {
  kind: "statement_list",
  has: {
    nthChild: { position: 1, reverse: true },
    regex: "^(?:return|break|goto)\\b|^(?:panic|log\\.Fatal\\w*|os\\.Exit)\\(",
  },
};

export const goDeferInLoop: PatternRule = {
  kind: "pattern",
  id: "go-defer-in-loop",
  title: "Defer in a loop: it runs only when the function returns",
  severity: "medium",
  category: "reliability",
  why: "Each iteration adds another deferred call. Files, rows or locks stay held until the function returns, and a long loop exhausts them.",
  fix: "Move the loop body into a separate function, or close the resource at the end of each iteration.",
  languages: ["go"],
  trigger: /\bdefer\b/,
  patterns: [
    {
      rule: {
        kind: "defer_statement",
        regex: "^defer\\s+[\\w.\\[\\]]+\\.(?:Close|Unlock|RUnlock)\\(\\)$",
        inside: {
          kind: "for_statement",
          stopBy: {
            any: [LEAVING, anyKind("for_statement func_literal function_declaration method_declaration")],
          },
        },
      },
    },
  ],
  examples: {
    bad: [
      bad(
        "read.go",
        9,
        "package read\n\nfunc all(paths []string) error {\n\tfor _, path := range paths {\n\t\tfile, err := os.Open(path)\n\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\tdefer file.Close()\n\t\tread(file)\n\t}\n\treturn nil\n}\n",
      ),
      bad(
        "lock.go",
        6,
        "package read\n\nfunc all(parts []*Part) {\n\tfor _, part := range parts {\n\t\tpart.mu.Lock()\n\t\tdefer part.mu.Unlock()\n\t\tpart.count++\n\t}\n}\n",
      ),
    ],
    good: [
      good(
        "read.go",
        "package read\n\nfunc all(paths []string) error {\n\tfor _, path := range paths {\n\t\tif err := one(path); err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n\treturn nil\n}\n",
      ),
      good(
        "literal.go",
        "package read\n\nfunc all(paths []string) {\n\tfor _, path := range paths {\n\t\tfunc() {\n\t\t\tfile := open(path)\n\t\t\tdefer file.Close()\n\t\t\tread(file)\n\t\t}()\n\t}\n}\n",
      ),
      good(
        "first.go",
        'package read\n\nfunc first(paths []string) string {\n\tfor _, path := range paths {\n\t\tif file := open(path); file != nil {\n\t\t\tdefer file.Close()\n\t\t\treturn read(file)\n\t\t}\n\t}\n\treturn ""\n}\n',
      ),
      good(
        "group.go",
        "package read\n\nfunc all(group *sync.WaitGroup, work []func()) {\n\tfor _, do := range work {\n\t\tgo func() {\n\t\t\tdefer group.Done()\n\t\t\tdo()\n\t\t}()\n\t}\n}\n",
      ),
    ],
  },
};
