/** Reports existing tests that the change disables without a reason. New skipped tests are ignored. */
import { walkHunk, type DiffLine } from "../../review/change/walk-hunks.ts";
import type { ChangeRule, FileView } from "../rule.ts";
import { testDeclaration } from "../../languages/test-cases.ts";

/** Annotations are at most this far above their method. */
const MAX_ANNOTATION_LINES = 4;

/** An annotation without a reason, alone on its line. */
const BARE_ANNOTATION: Readonly<Record<string, RegExp>> = {
  python: /^\s*@(?:pytest\.mark\.skip(?:\(\s*\))?|unittest\.skip(?:\(\s*(?:(?:""|'')\s*)?\))?)\s*$/,
  java: /^\s*@(?:Ignore|Disabled)(?:\s*\(\s*(?:""\s*)?\))?\s*$/,
  kotlin: /^\s*@(?:Ignore|Disabled)(?:\s*\(\s*(?:""\s*)?\))?\s*$/,
  csharp: /^\s*\[Ignore\]\s*$/,
  rust: /^\s*#\[ignore\]\s*$/,
};
const BARE_CALL: Readonly<Record<string, RegExp>> = {
  go: /^\s*t\.Skip(?:Now)?\(\s*\)\s*$/,
  python: /^\s*(?:pytest\.skip\(\s*\)|self\.skipTest\(\s*(?:""|'')\s*\))\s*$/,
  ruby: /^\s*(?:skip|pending)\s*$/,
};
const ANNOTATION_LINE = /^\s*(?:@\w|\[\w|#\[)/;
const COMMENT = /\/\/|\/\*|(?:^|\s)#(?!\[)/;
/** Declarations that an annotation can disable. */
const DECLARES_TEST = /\b(?:def test|class \w*Test|void |fun |fn |Task |class )/;

export const skippedTest: ChangeRule = {
  kind: "change",
  id: "skipped-test",
  title: "Existing test disabled without a reason",
  severity: "medium",
  category: "tests",
  why: "The code it covers is no longer tested, and without a reason the test may never be enabled again.",
  fix: "Fix the test, delete it, or add a comment that says why it's disabled and when to enable it again.",
  *check({ files }) {
    for (const view of files) {
      if (view.category !== "test" || view.file.status === "added" || view.file.status === "deleted")
        continue;
      for (const line of switchedOff(view)) yield { path: view.path, line };
    }
  },
};

function* switchedOff(view: FileView): Generator<number> {
  const ranBefore = new Set<string>();
  const hunks = view.file.hunks.map((hunk) => walkHunk(hunk));
  for (const { kind, text } of hunks.flat()) {
    const declared = kind === "removed" ? testDeclaration(text, view.language, []) : null;
    if (declared !== null && !declared.isSkipped) ranBefore.add(declared.name);
  }
  for (const lines of hunks) {
    for (const [index, line] of lines.entries()) {
      if (line.kind !== "added" || line.newLine === null || hasReason(lines, index)) continue;
      const declared = testDeclaration(line.text, view.language, []);
      const wasRenamedToSkip = declared !== null && declared.isSkipped && ranBefore.has(declared.name);
      if (
        wasRenamedToSkip ||
        annotates(lines, index, view.language) ||
        opensBody(lines, index, view.language)
      )
        yield line.newLine;
    }
  }
}

/** A comment on the line, or one that was added just above it. */
function hasReason(lines: readonly DiffLine[], index: number): boolean {
  if (COMMENT.test(lines[index]?.text ?? "")) return true;
  let above = index - 1;
  while (lines[above]?.kind === "removed") above--;
  return /^\s*(?:\/\/|\/?\*|#(?!\[))/.test(lines[above]?.text ?? "");
}

/** A bare annotation on a method that existed before. */
function annotates(lines: readonly DiffLine[], index: number, language: string): boolean {
  if (BARE_ANNOTATION[language]?.test(lines[index]?.text ?? "") !== true) return false;
  for (const { kind, text } of lines.slice(index + 1, index + 1 + MAX_ANNOTATION_LINES)) {
    if (kind !== "context") return false;
    if (!ANNOTATION_LINE.test(text)) return DECLARES_TEST.test(text);
  }
  return false;
}

/** A bare call as the first statement of a test that existed before. */
function opensBody(lines: readonly DiffLine[], index: number, language: string): boolean {
  const above = lines[index - 1];
  if (BARE_CALL[language]?.test(lines[index]?.text ?? "") !== true || above?.kind !== "context") return false;
  return testDeclaration(above.text, language, []) !== null;
}
