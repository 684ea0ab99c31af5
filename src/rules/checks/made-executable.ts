/** Reports files that became executable but can't be executed. One finding per change; scripts are ignored. */
import { count } from "../../base/count.ts";
import type { ChangedFile } from "../../review/change/change.ts";
import { addedLines } from "../../review/change/walk-hunks.ts";
import { good, type ChangeRule } from "../rule.ts";

const EXECUTABLE = "100755";
/** Formats without an interpreter line. */
const NOT_RUNNABLE =
  /\.(?:md|mdx|rst|txt|json|jsonc|ya?ml|toml|ini|cfg|xml|csv|lock|html?|css|scss|less|svg|png|jpe?g|gif|ico|webp|pdf|woff2?|ttf|c|h|cc|cpp|hpp|java|kt|go|rs|cs|swift|proto|graphql|sql|po)$/i;

export const madeExecutable: ChangeRule = {
  kind: "change",
  id: "made-executable",
  title: "Executable bit set on a file that can't be executed",
  severity: "minor",
  category: "maintainability",
  why: "The bit usually comes from a copied file system. It adds noise to diffs and hides which files are meant to be run.",
  fix: "Clear it with `git update-index --chmod=-x`.",
  *check({ change }) {
    const marked = change.files.filter(isMarked);
    const [first] = marked;
    if (first === undefined) return;
    const more = marked.length - 1;
    yield {
      path: first.path,
      line: 0,
      ...(more === 0 ? {} : { detail: `It's also set on ${count(more, "more file")}.` }),
    };
  },
  examples: {
    bad: [
      {
        files: [
          {
            path: "docs/guide.md",
            before: "a\n",
            after: "b\n",
            modes: { before: "100644", after: "100755" },
          },
        ],
        line: 0,
      },
      {
        files: [{ path: "assets/logo.svg", after: "<svg/>\n", modes: { before: null, after: "100755" } }],
        line: 0,
      },
    ],
    good: [
      {
        files: [
          { path: "bin/run.sh", before: "a\n", after: "b\n", modes: { before: "100644", after: "100755" } },
        ],
      },
      {
        files: [
          {
            path: "tool.go",
            after: "#!/usr/bin/env gorun\npackage main\n",
            modes: { before: null, after: "100755" },
          },
        ],
      },
      {
        files: [
          { path: "docs/old.md", before: "a\n", after: "b\n", modes: { before: "100755", after: "100755" } },
        ],
      },
      good("docs/guide.md", "text\n"),
    ],
  },
};

function isMarked(file: ChangedFile): boolean {
  if (file.newMode !== EXECUTABLE || file.oldMode === EXECUTABLE || !NOT_RUNNABLE.test(file.path))
    return false;
  // `///usr/bin/…` and shebangs make even source files runnable.
  for (const { line, text } of addedLines(file)) if (line === 1) return !/^(?:#!|\/\/\/?usr\/)/.test(text);
  return true;
}
