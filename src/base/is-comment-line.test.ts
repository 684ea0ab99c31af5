import assert from "node:assert/strict";
import { test } from "node:test";
import { isCommentLine } from "./is-comment-line.ts";

/** A text, and the numbers of its lines that do nothing. */
const TEXTS: Readonly<Record<string, readonly [text: string, comments: readonly number[]]>> = {
  "line comments": ["// a\ncall();\n# b\n-- c\n  * d\n#include <a>", [1, 3, 4, 5]],
  "blank lines": ["a();\n \nb();\n", [2, 4]],
  "a block without stars": ["a();\n/*\n  It says\n  more\n*/\nb();", [2, 3, 4, 5]],
  "a block that begins after code": ["a(); /* It\n  says more */\nb();", [2]],
  "a block within a line": ["a(/* one */ 1);\nb();", []],
  "a comment in a template": ["<p>\n<!--\n  It says\n-->\n</p>", [2, 3, 4]],
  "a comment in JSX": ["<p>\n  {/*\n    It says\n  */}\n</p>", [2, 3, 4]],
  "a docstring": ['def a():\n    """It is\n    checked\n    """\n    return 1', [2, 3, 4]],
  "a string that is used": ['QUERY = """\n  select 1\n  from a"""\nrun(QUERY)', []],
  "a block in Ruby": ["=begin\nIt says\n=end\nrun", [1, 2, 3]],
  "a pattern of paths": ['const all = "src/**/*.ts";\nread(all);', []],
  "a mark in a line comment": ["// all /* of it\nread(all);", [1]],
};

for (const [name, [text, comments]] of Object.entries(TEXTS))
  test(`comment lines: ${name}`, () => {
    const lines = text.split("\n");
    const found = lines.flatMap((_, index) => (isCommentLine(lines, index + 1) ? [index + 1] : []));
    assert.deepEqual(found, comments);
  });
