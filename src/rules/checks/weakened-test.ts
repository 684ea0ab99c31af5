/**
 * Reports existing tests that lose their assertions: every assertion of a test removed while its code stays, or one replaced by
 * a check that always passes. Rewritten and moved assertions are ignored.
 */
import { type DiffLine, walkHunk } from "../../review/change/walk-hunks.ts";
import type { ChangeRule, FileView } from "../rule.ts";
import { testDeclaration } from "../../languages/test-cases.ts";

const ASSERTION =
  /\bexpect\w*\s*\(|\bassert\w*(?:\.\w+)*[!]?\s*[(!]|^\s*assert\s|\bassert_\w+|\bself\.(?:assert|fail)\w*\(|\b[tb]\.(?:Error|Fatal|Fail)\w*\(|\brequire\.\w+\(|\.should\b|\bis_expected\b|\bAssert\.\w+\(|\$this->(?:assert|expect)\w*\(|\bverify\(|\bthrown\.expect\b|\.toThrow|\bcheck\(|\bEXPECT_\w+\(|\bASSERT_\w+\(/;

/** Always passes. */
const HOLLOW =
  /\bexpect\(\s*(?:true|1)\s*\)\.(?:toBe|toEqual)\(\s*(?:true|1)\s*\)|\bassert(?:True|\.ok|\.isTrue|\.True)?(?:\s*\(\s*|\s+)(?:true|True|1)\s*\)?\s*;?\s*$|\$this->assertTrue\(\s*true\s*\)|\bassert!\(\s*true\s*\)|\bassert true\b/;

const ANNOUNCED = /\b(?:remov|drop|revert|deprecat|clean|flak|simplif|refactor|rewrit|migrat|move|merge)/i;

export const weakenedTest: ChangeRule = {
  kind: "change",
  id: "weakened-test",
  title: "Test no longer checks anything",
  severity: "medium",
  category: "tests",
  why: "The test still runs and passes, so it looks as if the code were covered. A failure that it caught before now goes unnoticed.",
  fix: "Restore the assertion, or delete the test and say why it no longer applies.",
  confidence: 0.8,
  *check({ change, files }) {
    for (const view of files) {
      if (view.category !== "test" || view.file.status === "added" || view.file.status === "deleted")
        continue;
      const hollow = hollowLine(view);
      if (hollow !== null)
        yield { path: view.path, line: hollow, title: "Assertion replaced by one that always passes" };
      if (hollow !== null || ANNOUNCED.test(change.title)) continue;
      const emptied = emptiedTest(view);
      if (emptied !== null) yield { path: view.path, side: "old", line: emptied };
    }
  },
};

/** The line of an added assertion that always passes, where a real one was removed in the same hunk. */
function hollowLine({ file }: FileView): number | null {
  for (const hunk of file.hunks) {
    const lines = walkHunk(hunk);
    const hollow = lines.find(({ kind, text }) => kind === "added" && HOLLOW.test(text));
    const isReplaced = lines.some(
      ({ kind, text }) => kind === "removed" && ASSERTION.test(text) && !HOLLOW.test(text),
    );
    if (hollow !== undefined && isReplaced) return hollow.newLine;
  }
  return null;
}

/** The first assertion of a test that is shown completely, keeps its declaration and code, and has no assertion left. */
function emptiedTest(view: FileView): number | null {
  for (const hunk of view.file.hunks) {
    for (const body of testBodies(walkHunk(hunk), view.language)) {
      const has = (kind: DiffLine["kind"], pattern: RegExp): boolean =>
        body.some((line) => line.kind === kind && pattern.test(line.text));
      if (has("added", ASSERTION) || has("context", ASSERTION)) continue;
      // Calls of helpers may assert.
      if (has("added", HELPER) || has("context", HELPER) || !has("context", /\w/)) continue;
      const first = body.find(({ kind, text }) => kind === "removed" && ASSERTION.test(text));
      if (first?.oldLine !== undefined && first.oldLine !== null) return first.oldLine;
    }
  }
  return null;
}

const HELPER = /\b(?:check|verify|expect|assert|should|ensure|validate|compare|must|match)\w*/i;

/** The lines of each test whose declaration is context, up to the line that closes it. */
function* testBodies(lines: readonly DiffLine[], language: string): Generator<readonly DiffLine[]> {
  for (const [index, { kind, text }] of lines.entries()) {
    if (kind !== "context") continue;
    const above = lines.slice(Math.max(0, index - 3), index).map((line) => line.text);
    const declared = testDeclaration(text, language, above);
    if (declared === null || declared.isGroup || declared.isSkipped) continue;
    const indent = indentOf(text);
    const rest = lines.slice(index + 1);
    const end = rest.findIndex((line) => line.text.trim() !== "" && indentOf(line.text) <= indent);
    // Without the end, unseen lines may still assert; only Python's last function has none.
    if (end === -1 && language !== "python") continue;
    yield end === -1 ? rest : rest.slice(0, end);
  }
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
