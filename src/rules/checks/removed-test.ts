/**
 * Reports test cases that are removed while the code stays. Moved, renamed and rewritten tests, tests turned into tables, and
 * tests removed together with their code are ignored. One finding per file.
 */
import { removedLines, walkHunk } from "../../review/change/walk-hunks.ts";
import type { ChangeRule, ChangeView, FileView } from "../rule.ts";
import { testDeclaration } from "../../languages/test-cases.ts";

/** Tests named in one detail; the rest is counted. */
const MAX_NAMED_TESTS = 3;
/** A test moved when this share of its lines was added elsewhere. */
const MOVED_SHARE = 0.4;
/** Shorter lines are mostly brackets and don't show where a test moved. */
const MIN_TELLING_CHARS = 8;
const MIN_IDENTIFIER_CHARS = 4;
const ANNOTATIONS_ABOVE = 3;

const TABLE =
  /\beach\b|parametri[sz]e|pytest\.param|t\.Run\(|subTest|for_all|it_behaves_like|shared_examples|ParameterizedTest|DataRow|InlineData|TestCase|(?:Value|Csv|Method|Enum)Source|DataProvider|\brstest\b|#\[(?:\w+::)?(?:case|values|test_case|template|apply)\b|\bcases\b|\btests\b\s*:?=/i;
/** A shorter name occurs in other code by chance. */
const MIN_CASE_NAME_CHARS = 6;
const ANNOUNCED =
  /\b(?:tests?\b|specs?\b|remov|drop|renam|reorder|delet|revert|deprecat|clean|unused|dead|obsolete|duplicat|redundant|simplif|refactor|rewrit|replac|merge|move|split|migrat|extract|reorgani|consolidat|unif|combin|dedup)/i;

type RemovedTest = { readonly name: string; readonly line: number; readonly body: readonly string[] };

export const removedTest: ChangeRule = {
  kind: "change",
  id: "removed-test",
  title: "Test removed while the code stays",
  severity: "medium",
  category: "tests",
  why: "Regressions that the test would have caught now go unnoticed. Removing a test that fails hides the failure.",
  fix: "Restore the test, or explain in the description why it no longer applies.",
  confidence: 0.8,
  *check(view) {
    if (ANNOUNCED.test(view.change.title) || !hasGrowingSource(view)) return;
    const tested = view.files.filter(({ category }) => category === "test");
    // A change that adds as many tests, or as many lines of tests, as it removes rewrote them.
    if (sumOf(tested, addedTestCount) >= sumOf(tested, (file) => removedTests(file).length)) return;
    if (sumOf(tested, ({ file }) => file.addedLines) >= sumOf(tested, ({ file }) => file.removedLines))
      return;
    const added = addedFacts(view);
    const gone = goneIdentifiers(view);
    for (const file of tested) {
      if (file.file.status !== "modified" && file.file.status !== "renamed") continue;
      if (file.added.some(({ text }) => TABLE.test(text))) continue;
      const removed = removedTests(file).filter((test) => !added.names.has(foldName(test.name)));
      const folded = file.added.map(({ text }) => foldName(text));
      const lost = removed.filter(
        (test) => !isMoved(test, added.lines) && !mentions(test, gone) && !isCase(test, folded),
      );
      const [first] = lost;
      // A test that is new in the same file may be the removed one under another name.
      if (first === undefined || addedTestCount(file) > 0) continue;
      yield { path: file.path, line: first.line, side: "old", detail: describe(lost) };
    }
  },
};

/** True when the change adds source code and doesn't just remove it. */
function hasGrowingSource({ files }: ChangeView): boolean {
  const source = files.filter(({ category }) => category === "source");
  if (source.some(({ file }) => file.status === "deleted")) return false;
  const added = source.reduce((sum, { file }) => sum + file.addedLines, 0);
  return added > 0 && added >= source.reduce((sum, { file }) => sum + file.removedLines, 0);
}

function addedFacts({ files }: ChangeView): {
  readonly names: ReadonlySet<string>;
  readonly lines: ReadonlySet<string>;
} {
  const names = new Set<string>();
  const lines = new Set<string>();
  for (const { added, language } of files) {
    added.forEach(({ text }, index) => {
      lines.add(text.trim());
      const above = added.slice(Math.max(0, index - ANNOTATIONS_ABOVE), index).map((line) => line.text);
      const declared = testDeclaration(text, language, above);
      if (declared !== null) names.add(foldName(declared.name));
    });
  }
  return { names, lines };
}

/** Identifiers that occur in removed source lines but not in added ones. */
function goneIdentifiers({ files }: ChangeView): ReadonlySet<string> {
  const gone = new Set<string>();
  for (const { category, file } of files) {
    if (category !== "test")
      for (const { text } of removedLines(file)) for (const word of identifiersOf(text)) gone.add(word);
  }
  for (const { category, added } of files) {
    if (category !== "test")
      for (const { text } of added) for (const word of identifiersOf(text)) gone.delete(word);
  }
  return gone;
}

function identifiersOf(text: string): readonly string[] {
  return (text.match(/[A-Za-z_]\w*/g) ?? []).filter((word) => word.length >= MIN_IDENTIFIER_CHARS);
}

function removedTests({ file, language }: FileView): readonly RemovedTest[] {
  const tests: { name: string; line: number; body: string[] }[] = [];
  for (const hunk of file.hunks) {
    let current: string[] | null = null;
    const above: string[] = [];
    for (const { kind, text, oldLine } of walkHunk(hunk)) {
      if (kind === "added") continue;
      if (kind === "context" || oldLine === null) current = null;
      else {
        const declared = testDeclaration(text, language, above.slice(-ANNOTATIONS_ABOVE));
        if (declared !== null && !declared.isGroup && !declared.isSkipped) {
          current = [];
          tests.push({ name: declared.name, line: oldLine, body: current });
        } else current?.push(text.trim());
      }
      above.push(text);
    }
  }
  return tests.filter(({ body }) => body.some((line) => line.length >= MIN_TELLING_CHARS));
}

function addedTestCount({ added, language }: FileView): number {
  return added.filter(({ text }, index) => {
    const above = added.slice(Math.max(0, index - ANNOTATIONS_ABOVE), index).map((line) => line.text);
    return testDeclaration(text, language, above) !== null;
  }).length;
}

function sumOf(files: readonly FileView[], count: (file: FileView) => number): number {
  return files.reduce((sum, file) => sum + count(file), 0);
}

function isMoved({ body }: RemovedTest, addedLines: ReadonlySet<string>): boolean {
  const telling = body.filter((line) => line.length >= MIN_TELLING_CHARS);
  return telling.filter((line) => addedLines.has(line)).length >= telling.length * MOVED_SHARE;
}

/** A row of a test's table has the name of the test that it replaces. */
function isCase({ name }: RemovedTest, foldedLines: readonly string[]): boolean {
  const own = foldName(name).replace(/^test/, "");
  return own.length >= MIN_CASE_NAME_CHARS && foldedLines.some((line) => line.includes(own));
}

function mentions({ name, body }: RemovedTest, words: ReadonlySet<string>): boolean {
  return [name, ...body].some((line) => identifiersOf(line).some((word) => words.has(word)));
}

function foldName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function describe(tests: readonly RemovedTest[]): string {
  const shown = tests
    .slice(0, MAX_NAMED_TESTS)
    .map(({ name }) => `\`${name.replaceAll("`", "").slice(0, 80)}\``);
  const more = tests.length - shown.length;
  return `Removed: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
